/** Reads a survey's group from the chain, and compares a member list with it. */
import { exit, KaiactlError } from '../../errors.js';
import type { GroupInfo } from '../protocol/wire.js';
import { semaphoreContract, surveyContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { httpRpc, quantity, type Rpc, RpcError, Unreachable } from './rpc.js';

/** A group as its contract knows it, at one block. */
export interface ChainGroup {
  readonly chainId: number;
  readonly block: number;
  readonly groupId: string;
  /** Slots of the tree, removed members included. */
  readonly size: number;
  readonly root: bigint;
}

/** For one answer of the node. */
export const timeoutMs = 15_000;

export interface ChainReader {
  /** @throws {KaiactlError} when the node cannot be asked (exit 3) or the survey is not one (exit 2) */
  group(): Promise<ChainGroup>;
  /** Whether the contract has the commitment as a member; same errors. */
  hasMember(commitment: bigint): Promise<boolean>;
}

/** Reads the group of `survey`, and finds its Semaphore contract, over JSON-RPC at `url`. */
export function chainReader(url: URL, survey: string, signal: AbortSignal): ChainReader {
  const where = { rpc: url.host, survey };
  const rpc = httpRpc(url.href, timeoutMs, signal);
  const ofSurvey = <T>(name: string) => view<T>(rpc, { to: survey, contract: surveyContract, name });
  const located = once(async () => {
    const [semaphore, groupId] = await Promise.all([
      ofSurvey<string>('semaphore'),
      ofSurvey<bigint>('groupId'),
    ]);
    return { semaphore, groupId };
  });
  return {
    group: () =>
      asked(where, async () => {
        const moment = await momentOf(rpc);
        return groupAt(rpc, await located(), moment);
      }),
    hasMember: (commitment) => asked(where, async () => isMember(rpc, await located(), commitment)),
  };
}

/** The chain of a node, and its newest block or another. */
export type Moment = Pick<ChainGroup, 'chainId' | 'block'>;

export async function momentOf(rpc: Rpc): Promise<Moment> {
  const [chainId, block] = await Promise.all([number(rpc, 'eth_chainId'), number(rpc, 'eth_blockNumber')]);
  return { chainId, block };
}

/** The group as the contract knows it at a block. */
export async function groupAt(
  rpc: Rpc,
  { semaphore, groupId }: GroupPlace,
  { chainId, block }: Moment,
): Promise<ChainGroup> {
  const read = (name: string) =>
    view<bigint>(rpc, {
      ...{ to: semaphore, contract: semaphoreContract, name, args: [groupId], block: quantity(block) },
    });
  const [root, size] = await Promise.all([read('getMerkleTreeRoot'), read('getMerkleTreeSize')]);
  return { chainId, block, groupId: String(groupId), size: Number(size), root };
}

/** Whether the contract has the commitment as a member now. */
export function isMember(
  rpc: Rpc,
  { semaphore: to, groupId }: GroupPlace,
  commitment: bigint,
): Promise<boolean> {
  return view<boolean>(rpc, {
    ...{ to, contract: semaphoreContract, name: 'hasMember', args: [groupId, commitment] },
  });
}

export async function number(rpc: Rpc, method: 'eth_chainId' | 'eth_blockNumber'): Promise<number> {
  const answer = await rpc(method, []);
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer);
  throw new Unreachable(
    method === 'eth_chainId' ? 'it does not tell its chain id' : 'it does not tell its block',
  );
}

/**
 * How the list differs from the chain's group, one clause each; empty when group id, size and root agree.
 * A size that is a multiple of 100 suggests that the API's source returned one page only.
 */
export function disagreements(list: GroupInfo, root: bigint, chain: ChainGroup): string[] {
  const length = list.members.length;
  const found: string[] = [];
  if (list.groupId !== chain.groupId) {
    found.push(`the list is of group ${list.groupId}, the survey’s group is ${chain.groupId}`);
  }
  if (length !== chain.size) {
    const wall = length < chain.size && length > 0 && length % 100 === 0;
    const cut = wall ? `: the API’s source probably returns only its first ${length}` : '';
    found.push(`the list has ${length} entries, the contract ${chain.size}${cut}`);
  } else if (root !== chain.root) {
    found.push(`the list’s root is ${root}, the contract’s ${chain.root}`);
  }
  return found;
}

/** Runs a request; maps every failure to a KaiactlError. */
export async function asked<T>(where: { rpc: string; survey: string }, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    if (isNoContract(error)) throw missing(`survey contract at ${where.survey}`, where.rpc, error);
    throw unanswered(where.rpc, error);
  }
}

/** The error for a contract or a group that the chain does not have. */
export function missing(what: string, rpc: string, cause?: unknown): KaiactlError {
  return new KaiactlError(`there is no ${what} on the chain of ${rpc}`, {
    hint: 'Check the address, and that --rpc-url is a node of its chain.',
    cause,
  });
}

/** The error for a node that gave no usable answer. */
export function unanswered(rpc: string, error: unknown): KaiactlError {
  return new KaiactlError(`the node at ${rpc} could not be asked: ${failureOf(error)}`, {
    exitCode: exit.unseen,
    hint: 'Check --rpc-url.',
    cause: error,
  });
}

/** Why a request to the node failed, as a clause without addresses. */
export function failureOf(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  return error instanceof RpcError ? `it answered with error ${error.code}` : 'its answer is not valid';
}

/** A call that reverted (3, or -32000 on older nodes), or whose result a survey cannot return. */
export function isNoContract(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === 3 || error.code === -32000;
  return (error as { code?: string }).code === 'BAD_DATA';
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
