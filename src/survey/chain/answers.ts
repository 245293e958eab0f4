/** Reads a survey's questions and answers from its contract. */
import { exit, KaiactlError } from '../../errors.js';
import { quantity, type Rpc, RpcError } from '../../jsonrpc/rpc.js';
import type { Answer, Question } from '../protocol/answers.js';
import { readGroupPlace, surveyContract, view } from './contracts.js';
import { askNode } from './verify.js';

export type SurveyAnswers = Awaited<ReturnType<typeof readAnswers>>;

type Recorded = Readonly<
  Record<'merkleTreeDepth' | 'merkleTreeRoot' | 'nullifier', bigint> & Record<'answers' | 'points', bigint[]>
>;

/** @throws {KaiactlError} when the node cannot be asked (exit 3) or the address is no survey (exit 2) */
export function readAnswers(rpc: Rpc, host: string, survey: string) {
  return askNode(host, survey, async () => {
    const newest = await blockAt(rpc, 'latest');
    const block = quantity(newest.number);
    const read = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name, block });
    const place = await readGroupPlace(rpc, survey, block);
    const [questions, answers] = await Promise.all([
      read<Question[]>('getQuestions'),
      read<Recorded[]>('getAnswers'),
    ]).catch(refuseAnswers);
    return {
      place,
      block: newest,
      questions: questions.map(({ question, options }) => ({ question, options: [...options] })),
      answers: answers.map(
        (recorded): Answer => ({
          choices: recorded.answers.map(Number),
          depth: recorded.merkleTreeDepth,
          root: recorded.merkleTreeRoot,
          nullifier: recorded.nullifier,
          points: [...recorded.points],
        }),
      ),
    };
  });
}

/** Number, hash and time (in seconds) of a block. @throws when the node does not return it */
export async function blockAt(rpc: Rpc, block: string) {
  const found = (await rpc('eth_getBlockByNumber', [block, false])) as Record<string, string>;
  const { number, hash, timestamp } = found;
  return { number: Number(number), hash: String(hash), time: BigInt(String(timestamp)) };
}

/** The survey has a group, so it is a survey: what failed is the call. */
function refuseAnswers(error: unknown): never {
  if (!(error instanceof RpcError) && (error as { code?: string }).code !== 'BAD_DATA') throw error;
  throw new KaiactlError('the survey’s questions and answers could not be read', {
    exitCode: exit.unseen,
    hint: 'The contract has no getQuestions() and getAnswers(), or the node’s gas limit for eth_call is too low for the answers.',
    cause: error,
  });
}
