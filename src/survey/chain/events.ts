/** Reads a group's events from the node, in ranges that it accepts. */
import { type GroupPlace, semaphoreContract } from './contracts.js';
import type { GroupEvent, Placed } from './group-index.js';
import { quantity, type Rpc, RpcError } from './rpc.js';

/** The events that change the group's leaves. */
export const memberEvents = ['MemberAdded', 'MembersAdded', 'MemberUpdated', 'MemberRemoved'] as const;

/** A log as the node sends it. */
interface Log {
  readonly blockNumber: string;
  readonly logIndex: string;
  readonly topics: string[];
  readonly data: string;
  readonly removed?: boolean;
}

/** A decoded log, and its position on the chain. */
export type ChainEvent = ReturnType<typeof decoded>;

/** Blocks per request; nodes refuse wider ranges or long answers. */
const maxBlocks = 10_000;

/**
 * All events of the group with these names in the blocks `from` … `to`. A range that the node refuses is halved and
 * retried.
 * @throws when the node does not answer, or refuses even a single block
 */
export async function readEvents(
  rpc: Rpc,
  { semaphore: address, groupId }: GroupPlace,
  names: readonly string[],
  from: number,
  to: number,
): Promise<ChainEvent[]> {
  const hashes = names.map((name) => semaphoreContract.getEvent(name)?.topicHash ?? '');
  const topics = [hashes, `0x${groupId.toString(16).padStart(64, '0')}`];
  const found: ChainEvent[] = [];
  let width = maxBlocks;
  for (let at = from; at <= to; ) {
    const end = Math.min(at + width - 1, to);
    const range = { fromBlock: quantity(at), toBlock: quantity(end) };
    const logs = await rpc('eth_getLogs', [{ address, topics, ...range }]).catch((error: unknown) => {
      if (error instanceof RpcError && end > at) return null;
      throw error;
    });
    if (logs === null) {
      width = Math.ceil((end - at + 1) / 2);
      continue;
    }
    for (const log of logs as Log[]) if (log.removed !== true) found.push(decoded(log));
    at = end + 1;
    width = Math.min(width * 2, maxBlocks);
  }
  return found;
}

function decoded(log: Log) {
  const parsed = semaphoreContract.parseLog(log);
  const place = { block: Number(log.blockNumber), logIndex: Number(log.logIndex) };
  return { ...place, name: parsed?.name ?? '', args: [...(parsed?.args ?? [])] as readonly unknown[] };
}

/** A member event as a change of the leaves. */
export function placed({ block, logIndex, name, args }: ChainEvent): Placed {
  const index = Number(args[1]);
  const added = (leaves: string[]): GroupEvent => ({ kind: 'added', index, leaves });
  const event: Record<(typeof memberEvents)[number], () => GroupEvent> = {
    MemberAdded: () => added([String(args[2])]),
    MembersAdded: () => added((args[2] as bigint[]).map(String)),
    MemberUpdated: () => ({ kind: 'set', index, leaf: String(args[3]) }),
    MemberRemoved: () => ({ kind: 'set', index, leaf: '0' }),
  };
  return { block, logIndex, event: event[name as (typeof memberEvents)[number]]() };
}
