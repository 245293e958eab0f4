/** Reads a survey's group from the chain, or any group from its events, and compares a member list with it. */
import { exit, KaiactlError } from '../../errors.js';
import { httpRpc, quantity, type Rpc, RpcError, Unreachable } from '../../jsonrpc/rpc.js';
import { once } from '../../util/once.js';
import { Refused } from '../protocol/refused.js';
import type { GroupInfo } from '../protocol/wire.js';
import { firstBlock, type GroupPlace, groupView, isMember, readGroupPlace } from './contracts.js';
import { GroupFollower } from './follow.js';

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

/**
 * Reads the group of `survey`, and finds its Semaphore contract, over JSON-RPC at `url`. All functions throw a KaiactlError
 * when the node cannot be asked (exit 3) or the survey is not one (exit 2).
 */
export function chainReader(url: URL, survey: string, signal: AbortSignal) {
  const rpc = httpRpc(url.href, timeoutMs, signal);
  const located = once(() => readGroupPlace(rpc, survey));
  return {
    group: () =>
      askNode(url.host, survey, async () => {
        const moment = await momentOf(rpc);
        return groupAt(rpc, await located(), moment);
      }),
    hasMember: (commitment: bigint) =>
      askNode(url.host, survey, async () => isMember(rpc, await located(), commitment)),
  };
}

/**
 * Follows the events of `place` over JSON-RPC at `url`. All functions throw a KaiactlError: exit 3 if the node cannot be
 * asked, 2 if there is no such group.
 * @param fromBlock first block with events of the group; null to search for it
 */
export function anyGroup(
  url: URL,
  place: GroupPlace,
  { fromBlock, timeoutMs, signal }: { fromBlock: number | null; timeoutMs: number; signal: AbortSignal },
) {
  const rpc = httpRpc(url.href, timeoutMs, signal);
  let opened: GroupFollower | null = null;
  const following = <T>(ask: (follower: GroupFollower) => Promise<T>) =>
    askNode(url.host, null, async () => {
      opened ??= new GroupFollower(rpc, place, await beginning(rpc, place, url.host, fromBlock));
      return ask(opened);
    });
  const listOf = async (follower: GroupFollower) => ({
    members: await follower.leaves(),
    groupId: String(place.groupId),
  });
  return {
    /** The members as of the newest block; reads only what is new since the last call. */
    list: () => following(listOf),
    both: () =>
      following(async (follower) => {
        const list = await listOf(follower);
        const { chainId, block } = await momentOf(rpc);
        return [list, await groupAt(rpc, place, { chainId, block: follower.tip?.block ?? block })] as const;
      }),
    hasMember: (commitment: bigint) => following(() => isMember(rpc, place, commitment)),
  };
}

/** The first block that may hold events of the group. @throws {KaiactlError} if there is no such group */
async function beginning(rpc: Rpc, place: GroupPlace, host: string, from: number | null): Promise<number> {
  const { semaphore, groupId } = place;
  // As the contract decides it: a group without an admin does not exist.
  const hasGroup = async (block: string) =>
    BigInt(await groupView<string>(rpc, place, { name: 'getGroupAdmin', block })) !== 0n;
  const head = await number(rpc, 'eth_blockNumber');
  const isThere = await hasGroup('latest').catch((error: unknown) => {
    if (isNoContract(error)) throw missing(`Semaphore contract at ${semaphore}`, host, error);
    throw error;
  });
  if (!isThere) throw missing(`group ${groupId} of ${semaphore}`, host);
  // Before the contract was created, a call returns nothing.
  const existed = (block: string) =>
    hasGroup(block).catch((error: unknown) => {
      if ((error as { code?: string }).code === 'BAD_DATA') return false;
      throw error;
    });
  return from ?? (await firstBlock(head, existed)) ?? 0;
}

type Moment = Pick<ChainGroup, 'chainId' | 'block'>;

async function momentOf(rpc: Rpc): Promise<Moment> {
  const [chainId, block] = await Promise.all([number(rpc, 'eth_chainId'), number(rpc, 'eth_blockNumber')]);
  return { chainId, block };
}

async function groupAt(rpc: Rpc, place: GroupPlace, moment: Moment): Promise<ChainGroup> {
  const read = (name: string) => groupView<bigint>(rpc, place, { name, block: quantity(moment.block) });
  const [root, size] = await Promise.all([read('getMerkleTreeRoot'), read('getMerkleTreeSize')]);
  return { ...moment, groupId: String(place.groupId), size: Number(size), root };
}

async function number(rpc: Rpc, method: 'eth_chainId' | 'eth_blockNumber'): Promise<number> {
  const answer = await rpc(method, []);
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer);
  throw new Unreachable(`it does not tell its ${method === 'eth_chainId' ? 'chain id' : 'block'}`);
}

/**
 * How the list differs from the chain's group, one clause each; empty when group id, size and root agree.
 * A size that is a multiple of 100 suggests that the API's source returned one page only.
 */
export function disagreements(list: GroupInfo, root: bigint, chain: ChainGroup): string[] {
  const length = list.members.length;
  const found: string[] = [];
  if (list.groupId !== chain.groupId)
    found.push(`the list is of group ${list.groupId}, the survey’s group is ${chain.groupId}`);
  if (length !== chain.size) {
    const wall = length < chain.size && length > 0 && length % 100 === 0;
    const cut = wall ? `: the API’s source probably returns only its first ${length}` : '';
    found.push(`the list has ${length} entries, the contract ${chain.size}${cut}`);
  } else if (root !== chain.root) {
    found.push(`the list’s root is ${root}, the contract’s ${chain.root}`);
  }
  return found;
}

/** Runs a request to the node at `host`; maps every failure to a KaiactlError. @param survey null: of no survey */
export async function askNode<T>(host: string, survey: string | null, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    const failed = { exitCode: exit.unseen, cause: error };
    if (error instanceof Refused) throw new KaiactlError(error.sentence, failed);
    if (survey !== null && isNoContract(error)) throw missing(`survey contract at ${survey}`, host, error);
    throw new KaiactlError(`the node at ${host} could not be asked: ${failureOf(error)}`, {
      ...failed,
      hint: 'Check --rpc-url.',
    });
  }
}

function missing(what: string, host: string, cause?: unknown): KaiactlError {
  return new KaiactlError(`there is no ${what} on the chain of ${host}`, {
    hint: 'Check the address, and that --rpc-url is a node of its chain.',
    cause,
  });
}

/** Why a request to the node failed, as a clause without addresses. */
export function failureOf(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  return error instanceof RpcError ? `it answered with error ${error.code}` : 'its answer is not valid';
}

/** A call that reverted (3, or -32000 on older nodes), or whose result a survey cannot return. */
function isNoContract(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === 3 || error.code === -32000;
  return (error as { code?: string }).code === 'BAD_DATA';
}
