/** The roots that a group had, and the proofs that it accepted, from its events. */
import type { GroupPlace } from './contracts.js';
import { type ChainEvent, memberEvents, readEvents } from './events.js';
import type { Rpc } from './rpc.js';

type Position = Pick<ChainEvent, 'block' | 'logIndex'>;

/** A proof that the Semaphore contract accepted. */
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
