/** Checks the Semaphore proof of each recorded answer against the chain. */
import { keccak256 } from 'ethers/crypto';
import { toBeHex } from 'ethers/utils';
import { type Answer, messageOf, recordFaults, type Verdict } from '../protocol/answers.js';
import { blockAt, type SurveyAnswers } from './answers.js';
import { semaphoreContract, verifierContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { type ProofEvent, type ProofHistory, readHistory, rootAt } from './proof-history.js';
import { quantity, type Rpc } from './rpc.js';
import { birthBlock } from './survey.js';
import { failureOf } from './verify.js';

interface Group {
  readonly verifier: string;
  /** Seconds for which an old root counts. */
  readonly duration: bigint;
  readonly history: ProofHistory;
}

/**
 * One verdict for each answer, in their order. A failed request makes the checks that depend on it unknown.
 * @param from the first block whose events count; null: that of the survey's creation
 */
export async function verifyAnswers(
  rpc: Rpc,
  survey: string,
  of: SurveyAnswers,
  from: number | null,
): Promise<Verdict[]> {
  const faults = recordFaults(of.questions, of.answers);
  const verdicts = await proofVerdicts(rpc, survey, of, from);
  const moved = await reorganised(rpc, of);
  return verdicts.map(({ wrong, unknown }, at) => ({
    wrong: [...(faults[at] ?? []), ...wrong],
    unknown: [...unknown, ...moved],
  }));
}

async function proofVerdicts(
  rpc: Rpc,
  survey: string,
  of: SurveyAnswers,
  from: number | null,
): Promise<Verdict[]> {
  let group: Group;
  try {
    group = await readGroup(rpc, survey, of, from);
  } catch (error) {
    const unknown = [`the group’s verifier and events could not be read: ${failureOf(error)}`];
    return of.answers.map(() => ({ wrong: [], unknown }));
  }
  const timeOf = blockTimes(rpc);
  const checks = of.answers.map(async (answer): Promise<Verdict> => {
    const [accepted, proven] = await Promise.all([
      acceptance(answer, of.place, group, timeOf),
      proof(rpc, answer, of.place, group.verifier),
    ]);
    return { wrong: [...accepted.wrong, ...proven.wrong], unknown: [...accepted.unknown, ...proven.unknown] };
  });
  return Promise.all(checks);
}

async function readGroup(
  rpc: Rpc,
  survey: string,
  { place, block }: SurveyAnswers,
  from: number | null,
): Promise<Group> {
  const at = { to: place.semaphore, contract: semaphoreContract, block: quantity(block.number) };
  const [verifier, duration] = await Promise.all([
    view<string>(rpc, { ...at, name: 'verifier' }),
    view<bigint>(rpc, { ...at, name: 'groups', args: [place.groupId] }),
  ]);
  const start = from ?? (await birthBlock(rpc, survey, block.number)) ?? 0;
  return { verifier, duration, history: await readHistory(rpc, place, start, block.number) };
}

/** Compares an answer with the event of its acceptance. */
async function acceptance(
  answer: Answer,
  { groupId }: GroupPlace,
  group: Group,
  timeOf: (block: number) => Promise<bigint>,
): Promise<Verdict> {
  const events = group.history.proofs.get(answer.nullifier) ?? [];
  const [event] = events;
  if (event === undefined) {
    const unknown = [
      'no event of the group tells when its proof was accepted, so the age of its root is not known',
    ];
    return knownRoot(group.history, answer) ? { wrong: [], unknown } : strangeRoot(group.history, unknown);
  }
  const wrong: string[] = [];
  if (events.length > 1) wrong.push(`the group accepted its nullifier ${events.length} times`);
  if (event.scope !== groupId) wrong.push(`its scope is ${event.scope}, the survey’s is ${groupId}`);
  const message = messageOf(answer.choices);
  if (event.message !== message) {
    wrong.push(`its message is ${event.message}, the recorded answer is ${message}`);
  }
  if (!sameProof(answer, event)) wrong.push('the accepted proof is not the recorded one');
  const root = await rootVerdict(group, { ...event, root: answer.root }, timeOf);
  return { wrong: [...wrong, ...root.wrong], unknown: root.unknown };
}

function sameProof(answer: Answer, { depth, root, points }: ProofEvent): boolean {
  const same = answer.depth === depth && answer.root === root;
  return same && answer.points.every((point, at) => point === points[at]);
}

async function rootVerdict(
  { history, duration }: Group,
  event: ProofEvent,
  timeOf: (block: number) => Promise<bigint>,
): Promise<Verdict> {
  const root = rootAt(history, event, duration);
  if (root === null) return strangeRoot(history, []);
  if (root.newest) return { wrong: [], unknown: [] };
  try {
    const age = (await timeOf(event.block)) - (await timeOf(root.block));
    const wrong = age > root.maxAge ? [`its root was ${age} s old and counts for ${root.maxAge} s`] : [];
    return { wrong, unknown: [] };
  } catch (error) {
    return { wrong: [], unknown: [`the age of its root could not be read: ${failureOf(error)}`] };
  }
}

function knownRoot({ roots }: ProofHistory, { root }: Answer): boolean {
  return roots.some((one) => one.root === root);
}

/** A root that no event before the proof has: foreign, unless events are missing. */
function strangeRoot({ complete }: ProofHistory, unknown: readonly string[]): Verdict {
  if (complete) return { wrong: ['its root was never one of this group'], unknown };
  return {
    wrong: [],
    unknown: [...unknown, 'its root is in no event read, and the first members are missing'],
  };
}

/** Asks the group's own verifier. Message and scope are those that the answer must have. */
async function proof(rpc: Rpc, answer: Answer, { groupId }: GroupPlace, verifier: string): Promise<Verdict> {
  const [a, b, c, d, e, f, g, h] = answer.points;
  const signals = [answer.root, answer.nullifier, hashed(messageOf(answer.choices)), hashed(groupId)];
  const pairs = [
    [a, b],
    [
      [c, d],
      [e, f],
    ],
    [g, h],
  ];
  const args = [...pairs, signals, answer.depth];
  try {
    const call = { to: verifier, contract: verifierContract, name: 'verifyProof', args };
    const accepts = await view<boolean>(rpc, call);
    return { wrong: accepts ? [] : ['the group’s verifier refuses its proof'], unknown: [] };
  } catch (error) {
    return { wrong: [], unknown: [`the group’s verifier could not be asked: ${failureOf(error)}`] };
  }
}

/** The hash by which Semaphore brings message and scope into the field. */
function hashed(value: bigint): bigint {
  return BigInt(keccak256(toBeHex(value, 32))) >> 8n;
}

/** Times of blocks in seconds, each read once. */
function blockTimes(rpc: Rpc): (block: number) => Promise<bigint> {
  const times = new Map<number, Promise<bigint>>();
  return (block) => {
    const time = times.get(block) ?? blockAt(rpc, quantity(block)).then((found) => found.time);
    times.set(block, time);
    return time;
  };
}

/** Why nothing read counts any more; empty while the block that was read is still on the chain. */
async function reorganised(rpc: Rpc, { block }: SurveyAnswers): Promise<string[]> {
  try {
    const { hash } = await blockAt(rpc, quantity(block.number));
    return hash === block.hash ? [] : ['the chain was reorganised while it was read'];
  } catch (error) {
    return [`whether the chain was reorganised meanwhile could not be read: ${failureOf(error)}`];
  }
}
