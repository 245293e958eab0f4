/** A group's events: changes of its members, the roots that it had, and the proofs that it accepted. */
import { quantity, type Rpc, RpcError } from '../../jsonrpc/rpc.js';
import { type GroupPlace, semaphoreContract } from './contracts.js';
import type { GroupEvent, Placed } from './group-index.js';

export const memberEvents = ['MemberAdded', 'MembersAdded', 'MemberUpdated', 'MemberRemoved'] as const;

interface Log {
  readonly blockNumber: string;
  readonly logIndex: string;
  readonly topics: string[];
  readonly data: string;
  readonly removed?: boolean;
}

export type ChainEvent = ReturnType<typeof decoded>;

/** Blocks per request; nodes refuse wider ranges or long answers. */
const maxBlocks = 10_000;

/** The group's events of these names; a range that the node refuses is halved. @throws when it does not answer */
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

export function placeEvent({ block, logIndex, name, args }: ChainEvent): Placed {
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

type Position = Pick<ChainEvent, 'block' | 'logIndex'>;

export type ProofEvent = ReturnType<typeof proofEvent>;

export type ProofHistory = Awaited<ReturnType<typeof readHistory>>;

const [duration, proof] = ['GroupMerkleTreeDurationUpdated', 'ProofValidated'] as const;

/** Reads the history of a group in the blocks `from` … `to`. @throws {RpcError} {Unreachable} */
export async function readHistory(rpc: Rpc, place: GroupPlace, from: number, to: number) {
  const events = await readEvents(rpc, place, [...memberEvents, duration, proof], from, to);
  events.sort(inOrder);
  const members = events.filter(({ name }) => name.startsWith('Member'));
  const proofs = new Map<bigint, ProofEvent[]>();
  for (const one of events.filter(({ name }) => name === proof).map(proofEvent))
    proofs.set(one.nullifier, [...(proofs.get(one.nullifier) ?? []), one]);
  return {
    /** Whether the first member of the group is among the events: a root that is missing was never the group's. */
    complete: members[0]?.name.endsWith('Added') === true && members[0].args[1] === 0n,
    roots: members.map(({ args, block, logIndex }) => ({ block, logIndex, root: args.at(-1) as bigint })),
    durations: events
      .filter(({ name }) => name === duration)
      .map(({ args, block, logIndex }) => {
        return { block, logIndex, from: args[1] as bigint, to: args[2] as bigint };
      }),
    proofs,
  };
}

/**
 * Whether a proof's root counted when it was accepted: as the newest one, or `maxAge` seconds after its block. Null: the
 * root is in no event before the proof.
 * @param now the group's `merkleTreeDuration` now
 */
export function rootAt(
  { roots, durations }: ProofHistory,
  proof: ProofEvent,
  now: bigint,
): 'newest' | { readonly block: number; readonly maxAge: bigint } | null {
  const before = roots.filter((one) => inOrder(one, proof) < 0);
  const created = before.findLast(({ root }) => root === proof.root);
  if (created === undefined) return null;
  if (created === before.at(-1)) return 'newest';
  const changed = durations.findLast((one) => inOrder(one, proof) < 0);
  return { block: created.block, maxAge: changed?.to ?? durations[0]?.from ?? now };
}

function proofEvent({ block, logIndex, args }: ChainEvent) {
  const [, depth, root, nullifier, message, scope] = args as [bigint, bigint, bigint, bigint, bigint, bigint];
  return { block, logIndex, depth, root, nullifier, message, scope, points: [...(args[6] as bigint[])] };
}

function inOrder(a: Position, b: Position): number {
  return a.block - b.block || a.logIndex - b.logIndex;
}
