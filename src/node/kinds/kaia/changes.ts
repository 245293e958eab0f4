/** Splits the releases into ranges within which nothing changes for given settings. */
import { once } from '../../../util/once.js';
import { environmentSince, flagForms, secondNamesSince } from './flags.js';
import { modules } from './modules.js';
import { type Period, type ReleaseId, releases } from './releases.js';

/** Releases that change the meaning of a name without adding or removing it. */
const meanings: readonly (readonly [string, ...ReleaseId[]])[] = [
  // Launchers strip blanks from lists.
  ...['RPC_API', 'WS_API'].map((name) => [name, 'klaytn/v1.9.0'] as const),
  ['NETWORK', 'kaia/v0.9.0', 'kaia/v1.0.1'],
  // Which modules gRPC offers.
  ['grpc', 'klaytn/v1.10.0', 'kaia/v2.0.0'],
  ['conf', 'klaytn/v1.10.0', 'klaytn/v1.11.0'],
  // The rpm scripts emit --txpool.lifetime without its value.
  ['rpm', 'klaytn/v1.8.3'],
];

/** Name → indexes of the releases in which it was added, changed, or first absent. */
const changes = once((): ReadonlyMap<string, ReadonlySet<number>> => {
  const found = new Map<string, Set<number>>();
  const at = (release: ReleaseId) => releases.findIndex(({ id }) => id === release);
  const add = (name: string, ...where: number[]) => {
    const before = found.get(name) ?? new Set();
    found.set(name, before);
    for (const one of where) before.add(one);
  };
  const addPeriod = (name: string, { since, until }: Period) => {
    if (since !== undefined) add(name, at(since));
    if (until !== undefined) add(name, at(until) + 1);
  };
  for (const form of flagForms()) {
    for (const name of [form.name, ...form.aliases, ...form.environment]) addPeriod(name, form);
    for (const name of form.aliases) add(name, at(secondNamesSince));
    for (const name of form.environment) add(name, at(environmentSince(name)));
  }
  for (const [name, module] of Object.entries(modules)) addPeriod(name, module);
  for (const [name, ...where] of meanings) add(name, ...where.map(at));
  return found;
});

/**
 * Splits the range, oldest first. Within a part nothing changes for settings with these flags, variables, modules and
 * packages. Launcher variables need no entry: launchers pass them as flags.
 */
export function partsOf(
  since: ReleaseId,
  until: ReleaseId,
  names: Iterable<string>,
): readonly Required<Period>[] {
  const order = releases.map(({ id }) => id);
  const [first, last] = [order.indexOf(since), order.indexOf(until)];
  const starts = new Set([first]);
  for (const name of names)
    for (const at of changes().get(name) ?? []) if (at > first && at <= last) starts.add(at);
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((start, at) => ({
    since: order[start] as ReleaseId,
    until: order[(sorted[at + 1] ?? last + 1) - 1] as ReleaseId,
  }));
}
