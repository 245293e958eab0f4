/** A group of any Semaphore contract, read from its events. */
import { exit, KaiactlError } from '../../errors.js';
import { Refused } from '../protocol/refused.js';
import type { GroupInfo } from '../protocol/wire.js';
import { semaphoreContract, view } from './contracts.js';
import type { GroupPlace } from './events.js';
import { GroupFollower } from './follow.js';
import { httpRpc, type Rpc } from './rpc.js';
import { firstBlock } from './survey.js';
import {
  type ChainGroup,
  groupAt,
  isMember,
  isNoContract,
  missing,
  momentOf,
  number,
  unanswered,
} from './verify.js';

/** All its functions throw a KaiactlError: exit 3 if the node cannot be asked, 2 if there is no such group. */
export interface AnyGroup {
  /** The members as of the newest block; reads only what is new since the last call. */
  list(): Promise<GroupInfo>;
  /** The list, and the contract's group at the same block. */
  both(): Promise<readonly [GroupInfo, ChainGroup]>;
  hasMember(commitment: bigint): Promise<boolean>;
}

export interface AnyGroupSettings {
  /** First block with events of the group; null: searched for. */
  readonly fromBlock: number | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Follows the events of `place` over JSON-RPC at `url`. */
export function anyGroup(url: URL, place: GroupPlace, settings: AnyGroupSettings): AnyGroup {
  const rpc = httpRpc(url.href, settings.timeoutMs, settings.signal);
  let opened: GroupFollower | null = null;
  const asked = <T>(ask: (follower: GroupFollower) => Promise<T>) =>
    explained(url.host, async () => {
      opened ??= new GroupFollower(rpc, place, await beginning(rpc, place, url.host, settings.fromBlock));
      return ask(opened);
    });
  const listOf = async (follower: GroupFollower): Promise<GroupInfo> => {
    return { members: await follower.leaves(), groupId: String(place.groupId) };
  };
  return {
    list: () => asked(listOf),
    both: () =>
      asked(async (follower) => {
        const list = await listOf(follower);
        const { chainId, block } = await momentOf(rpc);
        return [list, await groupAt(rpc, place, { chainId, block: follower.tip?.block ?? block })];
      }),
    hasMember: (commitment) => asked(() => isMember(rpc, place, commitment)),
  };
}

/** The first block that may hold events of the group. @throws {KaiactlError} if there is no such group */
async function beginning(rpc: Rpc, place: GroupPlace, host: string, from: number | null): Promise<number> {
  const head = await number(rpc, 'eth_blockNumber');
  const isThere = await hasGroup(rpc, place, 'latest').catch((error: unknown) => {
    if (isNoContract(error)) throw missing(`Semaphore contract at ${place.semaphore}`, host, error);
    throw error;
  });
  if (!isThere) throw missing(`group ${place.groupId} of ${place.semaphore}`, host);
  // Before the contract was created, a call returns nothing.
  const existed = (block: string) =>
    hasGroup(rpc, place, block).catch((error: unknown) => {
      if ((error as { code?: string }).code === 'BAD_DATA') return false;
      throw error;
    });
  return from ?? (await firstBlock(head, existed)) ?? 0;
}

/** As the contract decides it: a group without an admin does not exist. */
async function hasGroup(rpc: Rpc, { semaphore, groupId }: GroupPlace, block: string): Promise<boolean> {
  const call = { to: semaphore, contract: semaphoreContract, name: 'getGroupAdmin', args: [groupId], block };
  return BigInt(await view<string>(rpc, call)) !== 0n;
}

async function explained<T>(host: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KaiactlError) throw error;
    if (!(error instanceof Refused)) throw unanswered(host, error);
    throw new KaiactlError(`${error.message}: ${error.reason}`, { exitCode: exit.unseen, cause: error });
  }
}
