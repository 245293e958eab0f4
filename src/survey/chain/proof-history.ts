/** The roots that a group had, and the proofs that it accepted, from its events. */
import { semaphoreContract } from './contracts.js';
import { type GroupPlace, type Log, readLogs } from './events.js';
import type { Rpc } from './rpc.js';

interface Position {
  readonly block: number;
  readonly logIndex: number;
}

/** A proof that the Semaphore contract accepted. */
export interface ProofEvent extends Position {
  readonly depth: bigint;
  readonly root: bigint;
  readonly nullifier: bigint;
  readonly message: bigint;
  readonly scope: bigint;
  readonly points: readonly bigint[];
}

interface RootEvent extends Position {
  readonly root: bigint;
}

interface DurationEvent extends Position {
  readonly from: bigint;
  readonly to: bigint;
}

export interface ProofHistory {
  /** Whether the first member of the group is among the events: a root that is missing was never the group's. */
  readonly complete: boolean;
  readonly roots: readonly RootEvent[];
  readonly durations: readonly DurationEvent[];
  readonly proofs: ReadonlyMap<bigint, readonly ProofEvent[]>;
}

const names = [
  ...(['MemberAdded', 'MembersAdded', 'MemberUpdated', 'MemberRemoved'] as const),
  ...(['GroupMerkleTreeDurationUpdated', 'ProofValidated'] as const),
];
const topics = names.map((name) => semaphoreContract.getEvent(name)?.topicHash ?? '');

/** Reads the history of a group in the blocks `from` … `to`. @throws {RpcError} {Unreachable} */
export async function readHistory(
  rpc: Rpc,
  place: GroupPlace,
  from: number,
  to: number,
): Promise<ProofHistory> {
  const logs = (await readLogs(rpc, place, topics, from, to)).map(decoded).sort(inOrder);
  const members = logs.filter(({ name }) => name.startsWith('Member'));
  const proofs = logs.filter(({ name }) => name === 'ProofValidated').map(proofEvent);
  return {
    complete: members[0]?.name.endsWith('Added') === true && members[0].args[1] === 0n,
    roots: members.map(({ args, block, logIndex }) => ({ block, logIndex, root: args.at(-1) as bigint })),
    durations: logs
      .filter(({ name }) => name === 'GroupMerkleTreeDurationUpdated')
      .map(({ args, ...at }) => ({ ...at, from: args[1] as bigint, to: args[2] as bigint })),
    proofs: byNullifier(proofs),
  };
}

/**
 * Whether a proof's root counted when it was accepted: as the newest one, or `maxAge` seconds after its block. Null: the
 * root is in no event before the proof.
 * @param duration the group's `merkleTreeDuration` now
 */
export function rootAt(
  { roots, durations }: ProofHistory,
  proof: ProofEvent,
  duration: bigint,
):
  | { readonly newest: true }
  | { readonly newest: false; readonly block: number; readonly maxAge: bigint }
  | null {
  const before = roots.filter((one) => inOrder(one, proof) < 0);
  const created = before.findLast(({ root }) => root === proof.root);
  if (created === undefined) return null;
  if (created === before.at(-1)) return { newest: true };
  const changed = durations.findLast((one) => inOrder(one, proof) < 0);
  const maxAge = changed?.to ?? durations[0]?.from ?? duration;
  return { newest: false, block: created.block, maxAge };
}

function byNullifier(proofs: readonly ProofEvent[]): Map<bigint, ProofEvent[]> {
  const found = new Map<bigint, ProofEvent[]>();
  for (const proof of proofs) found.set(proof.nullifier, [...(found.get(proof.nullifier) ?? []), proof]);
  return found;
}

function decoded(log: Log) {
  const parsed = semaphoreContract.parseLog(log);
  const at = { block: Number(log.blockNumber), logIndex: Number(log.logIndex) };
  return { ...at, name: parsed?.name ?? '', args: [...(parsed?.args ?? [])] as unknown[] };
}

function proofEvent({ block, logIndex, args }: ReturnType<typeof decoded>): ProofEvent {
  const [, depth, root, nullifier, message, scope, points] = args as bigint[];
  const known = { depth, root, nullifier, message, scope } as Omit<ProofEvent, 'points' | keyof Position>;
  return { block, logIndex, ...known, points: [...(points as unknown as bigint[])] };
}

function inOrder(a: Position, b: Position): number {
  return a.block - b.block || a.logIndex - b.logIndex;
}
