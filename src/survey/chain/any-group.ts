/** A group of any Semaphore contract, read from its events. */
import type { GroupInfo } from '../protocol/wire.js';
import { firstBlock, type GroupPlace, groupView, isMember } from './contracts.js';
import { GroupFollower } from './follow.js';
import { httpRpc, type Rpc } from './rpc.js';
import { asked, groupAt, isNoContract, missing, momentOf, number } from './verify.js';

/**
 * Follows the events of `place` over JSON-RPC at `url`. All functions throw a KaiactlError: exit 3 if the node cannot be
 * asked, 2 if there is no such group.
 * @param fromBlock first block with events of the group; null: searched for
 */
export function anyGroup(
  url: URL,
  place: GroupPlace,
  { fromBlock, timeoutMs, signal }: { fromBlock: number | null; timeoutMs: number; signal: AbortSignal },
) {
  const rpc = httpRpc(url.href, timeoutMs, signal);
  let opened: GroupFollower | null = null;
  const following = <T>(ask: (follower: GroupFollower) => Promise<T>) =>
    asked(url.host, null, async () => {
      opened ??= new GroupFollower(rpc, place, await beginning(rpc, place, url.host, fromBlock));
      return ask(opened);
    });
  const listOf = async (follower: GroupFollower): Promise<GroupInfo> => {
    return { members: await follower.leaves(), groupId: String(place.groupId) };
  };
  return {
    /** The members as of the newest block; reads only what is new since the last call. */
    list: () => following(listOf),
    /** The list, and the contract's group at the same block. */
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
