/** Reads a group's events from the node, in ranges that it accepts. */
import { semaphoreContract } from './contracts.js';
import type { GroupEvent, Placed } from './group-index.js';
import { quantity, type Rpc, RpcError } from './rpc.js';

/** A group on chain. */
export interface GroupPlace {
  readonly semaphore: string;
  readonly groupId: bigint;
}

const names = ['MemberAdded', 'MembersAdded', 'MemberUpdated', 'MemberRemoved'] as const;
const topics = names.map((name) => semaphoreContract.getEvent(name)?.topicHash ?? '');

/** A log as the node sends it. */
export interface Log {
  readonly blockNumber: string;
  readonly logIndex: string;
  readonly topics: string[];
  readonly data: string;
  readonly removed?: boolean;
}

/** Blocks per request; nodes refuse wider ranges or long answers. */
const maxBlocks = 10_000;

/** All events that change the group's leaves in the blocks `from` … `to`; throws as `readLogs`. */
export async function readEvents(rpc: Rpc, place: GroupPlace, from: number, to: number): Promise<Placed[]> {
  return (await readLogs(rpc, place, topics, from, to)).map(placed);
}

/**
 * All logs of the group with these first topics in the blocks `from` … `to`. A range that the node refuses is halved and
 * retried.
 * @throws when the node does not answer, or refuses even a single block
 */
export async function readLogs(
  rpc: Rpc,
  place: GroupPlace,
  topics: readonly string[],
  from: number,
  to: number,
): Promise<Log[]> {
  const found: Log[] = [];
  let width = maxBlocks;
  for (let at = from; at <= to; ) {
    const end = Math.min(at + width - 1, to);
    const logs = await logsOf(rpc, place, topics, at, end).catch((error: unknown) => {
      if (error instanceof RpcError && end > at) return null;
      throw error;
    });
    if (logs === null) {
      width = Math.ceil((end - at + 1) / 2);
      continue;
    }
    for (const log of logs) if (log.removed !== true) found.push(log);
    at = end + 1;
    width = Math.min(width * 2, maxBlocks);
  }
  return found;
}

async function logsOf(
  rpc: Rpc,
  { semaphore, groupId }: GroupPlace,
  topics: readonly string[],
  from: number,
  to: number,
): Promise<Log[]> {
  const group = `0x${groupId.toString(16).padStart(64, '0')}`;
  const range = { fromBlock: quantity(from), toBlock: quantity(to) };
  return (await rpc('eth_getLogs', [{ address: semaphore, topics: [topics, group], ...range }])) as Log[];
}

function placed(log: Log): Placed {
  return { block: Number(log.blockNumber), logIndex: Number(log.logIndex), event: decode(log) };
}

function decode(log: Log): GroupEvent {
  const parsed = semaphoreContract.parseLog(log);
  const args = parsed?.args ?? [];
  const index = Number(args[1]);
  switch (parsed?.name as (typeof names)[number]) {
    case 'MemberAdded':
      return { kind: 'added', index, leaves: [String(args[2])] };
    case 'MembersAdded':
      return { kind: 'added', index, leaves: (args[2] as bigint[]).map(String) };
    case 'MemberUpdated':
      return { kind: 'set', index, leaf: String(args[3]) };
    case 'MemberRemoved':
      return { kind: 'set', index, leaf: '0' };
  }
}
