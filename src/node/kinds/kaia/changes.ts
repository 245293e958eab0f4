/** Splits the releases into ranges within which nothing changes for given settings. */
import { once } from '../../../util/once.js';
import type { Uses } from '../kind.js';
import { environmentSince, flagForms, formsNamed, secondLibrarySince } from './flags.js';
import { modules } from './modules.js';
import { type Period, positionOf, type ReleaseId, releases } from './releases.js';

/** A release that changes what some settings mean, although it knows the same names. */
interface Turn {
  readonly at: ReleaseId;
  concerns(uses: Uses): boolean;
}

const turns: readonly Turn[] = [
  // The rpm scripts emitted --txpool.lifetime without its value.
  { at: 'klaytn/v1.8.3', concerns: (uses) => uses.has('rpm') && !uses.has('TXPOOL_LIFE_TIME') },
  // Launchers strip blanks from lists.
  {
    at: 'klaytn/v1.9.0',
    concerns: (uses) => ['RPC_API', 'WS_API'].some((name) => hasBlanks(uses.get(name))),
  },
  // Which modules gRPC offers.
  { at: 'klaytn/v1.10.0', concerns: (uses) => uses.has('grpc') },
  { at: 'kaia/v2.0.0', concerns: (uses) => uses.has('grpc') },
  // What the node makes of the file that --conf names.
  { at: 'klaytn/v1.10.0', concerns: (uses) => uses.has('conf') },
  { at: 'klaytn/v1.11.0', concerns: (uses) => uses.has('conf') },
  // Lists of the environment and the command line add up before.
  { at: secondLibrarySince, concerns: usesList },
  // Names of networks.
  { at: 'kaia/v0.9.0', concerns: (uses) => namesNetwork(uses, 'cypress', 'baobab') },
  { at: 'kaia/v1.0.1', concerns: (uses) => namesNetwork(uses, 'cypress', 'baobab', 'mainnet') },
];

const lists = once(() => new Set(flagForms().flatMap(({ name, type }) => (type === 'list' ? [name] : []))));

function usesList(uses: Uses): boolean {
  return [...uses.keys()].some((name) => lists().has(name));
}

function hasBlanks(text: string | null | undefined): boolean {
  return text === null || (text !== undefined && /\s/.test(text));
}

/** True where the launchers read another network than these. */
function namesNetwork(uses: Uses, ...others: readonly string[]): boolean {
  const name = uses.get('NETWORK');
  return name !== undefined && !uses.has('NETWORK_ID') && (name === null || !others.includes(name));
}

/** The places of the releases in which the name was added, changed, or first absent. */
function changesOf(name: string): number[] {
  const forms = formsNamed(name);
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  const periods: readonly Period[] = module === undefined ? forms : [...forms, module];
  const starts = periods.flatMap(({ since }) => since ?? []);
  if (forms.some(({ aliases }) => aliases.includes(name))) starts.push(secondLibrarySince);
  if (forms.some(({ environment }) => environment.includes(name))) starts.push(environmentSince(name));
  const ends = periods.flatMap(({ until }) => until ?? []);
  return [...starts.map(positionOf), ...ends.map((until) => positionOf(until) + 1)];
}

const order = releases.map(({ id }) => id);

/**
 * Splits the range, oldest first. Within a part nothing changes for settings with these uses. Launcher variables need no
 * entry: launchers pass them as flags.
 */
export function partsOf(since: ReleaseId, until: ReleaseId, uses: Uses): readonly Required<Period>[] {
  const [first, last] = [positionOf(since), positionOf(until)];
  const changed = [
    ...[...uses.keys()].flatMap(changesOf),
    ...turns.filter((turn) => turn.concerns(uses)).map(({ at }) => positionOf(at)),
  ].filter((at) => at > first && at <= last);
  const starts = [...new Set([first, ...changed])].sort((a, b) => a - b);
  return starts.map((start, at) => ({
    since: order[start] as ReleaseId,
    until: order[(starts[at + 1] ?? last + 1) - 1] as ReleaseId,
  }));
}
