/** Checks the Semaphore proof of each recorded answer against the chain. */
import { keccak256 } from 'ethers/crypto';
import { toBeHex } from 'ethers/utils';
import { quantity, type Rpc } from '../../jsonrpc/rpc.js';
import { oncePerKey } from '../../util/once-per.js';
import { type Answer, messageOf, recordFaults, type Verdict } from '../protocol/answers.js';
import { blockAt, type SurveyAnswers } from './answers.js';
import { birthBlock, semaphoreContract, verifierContract, view } from './contracts.js';
import { type ProofEvent, type ProofHistory, readHistory, rootAt } from './events.js';
import { failureOf } from './verify.js';

/** `duration`: seconds for which an old root counts. */
type Group = Awaited<ReturnType<typeof readGroup>>;

const wrong = (...sentences: readonly string[]): Verdict => ({ wrong: sentences, unknown: [] });
const unknown = (...sentences: readonly string[]): Verdict => ({ wrong: [], unknown: sentences });

function all(...verdicts: readonly Verdict[]): Verdict {
  return { wrong: verdicts.flatMap((one) => one.wrong), unknown: verdicts.flatMap((one) => one.unknown) };
}

/** One verdict for each answer; a failed request makes its checks unknown. @param from null: the survey's creation */
export async function verifyAnswers(rpc: Rpc, survey: string, of: SurveyAnswers, from: number | null) {
  const faults = recordFaults(of.questions, of.answers);
  const proofs = await readGroup(rpc, survey, of, from).then(
    (group) =>
      Promise.all(
        of.answers.map(async (answer) =>
          all(...(await Promise.all([acceptance(answer, group), proof(rpc, answer, group)]))),
        ),
      ),
    (error: unknown) => {
      const why = `the group’s verifier and events could not be read: ${failureOf(error)}`;
      return of.answers.map(() => unknown(why));
    },
  );
  const moved = await reorganised(rpc, of);
  return proofs.map((proof, at) => all(wrong(...(faults[at] ?? [])), proof, moved));
}

async function readGroup(rpc: Rpc, survey: string, { place, block }: SurveyAnswers, from: number | null) {
  const at = { to: place.semaphore, contract: semaphoreContract, block: quantity(block.number) };
  const [verifier, duration] = await Promise.all([
    view<string>(rpc, { ...at, name: 'verifier' }),
    view<bigint>(rpc, { ...at, name: 'groups', args: [place.groupId] }),
  ]);
  const start = from ?? (await birthBlock(rpc, survey, block.number)) ?? 0;
  const history = await readHistory(rpc, place, start, block.number);
  const timeOf = oncePerKey(async (block: number) => (await blockAt(rpc, quantity(block))).time);
  return { groupId: place.groupId, verifier, duration, history, timeOf };
}

async function acceptance(answer: Answer, group: Group): Promise<Verdict> {
  const { groupId } = group;
  const events = group.history.proofs.get(answer.nullifier) ?? [];
  const [event] = events;
  if (event === undefined) {
    const unproven = unknown(
      'no event of the group tells when its proof was accepted, so the age of its root is not known',
    );
    const isKnown = group.history.roots.some(({ root }) => root === answer.root);
    return isKnown ? unproven : all(unproven, strangeRoot(group.history));
  }
  const message = messageOf(answer.choices);
  const isSame =
    answer.depth === event.depth &&
    answer.root === event.root &&
    answer.points.every((point, at) => point === event.points[at]);
  const found: [isWrong: boolean, why: string][] = [
    [events.length > 1, `the group accepted its nullifier ${events.length} times`],
    [event.scope !== groupId, `its scope is ${event.scope}, the survey’s is ${groupId}`],
    [event.message !== message, `its message is ${event.message}, the recorded answer is ${message}`],
    [!isSame, 'the accepted proof is not the recorded one'],
  ];
  const faults = found.filter(([isWrong]) => isWrong).map(([, why]) => why);
  return all(wrong(...faults), await rootVerdict(group, { ...event, root: answer.root }));
}

async function rootVerdict({ history, duration, timeOf }: Group, event: ProofEvent): Promise<Verdict> {
  const root = rootAt(history, event, duration);
  if (root === null) return strangeRoot(history);
  if (root === 'newest') return all();
  try {
    const age = (await timeOf(event.block)) - (await timeOf(root.block));
    return age > root.maxAge ? wrong(`its root was ${age} s old and counts for ${root.maxAge} s`) : all();
  } catch (error) {
    return unknown(`the age of its root could not be read: ${failureOf(error)}`);
  }
}

/** A root that no event before the proof has: foreign, unless events are missing. */
function strangeRoot({ complete }: ProofHistory): Verdict {
  return complete
    ? wrong('its root was never one of this group')
    : unknown('its root is in no event read, and the first members are missing');
}

/** Asks the group's own verifier. Message and scope are those that the answer must have. */
async function proof(rpc: Rpc, answer: Answer, { groupId, verifier }: Group): Promise<Verdict> {
  const [a, b, c, d, e, f, g, h] = answer.points;
  const signals = [answer.root, answer.nullifier, hashed(messageOf(answer.choices)), hashed(groupId)];
  const middle = [
    [c, d],
    [e, f],
  ];
  const args = [[a, b], middle, [g, h], signals, answer.depth];
  try {
    const call = { to: verifier, contract: verifierContract, name: 'verifyProof', args };
    return (await view<boolean>(rpc, call)) ? all() : wrong('the group’s verifier refuses its proof');
  } catch (error) {
    return unknown(`the group’s verifier could not be asked: ${failureOf(error)}`);
  }
}

/** The hash by which Semaphore brings message and scope into the field. */
function hashed(value: bigint): bigint {
  return BigInt(keccak256(toBeHex(value, 32))) >> 8n;
}

/** Why nothing read counts any more; empty while the block that was read is still on the chain. */
async function reorganised(rpc: Rpc, { block }: SurveyAnswers): Promise<Verdict> {
  try {
    const { hash } = await blockAt(rpc, quantity(block.number));
    return hash === block.hash ? all() : unknown('the chain was reorganised while it was read');
  } catch (error) {
    return unknown(`whether the chain was reorganised meanwhile could not be read: ${failureOf(error)}`);
  }
}
