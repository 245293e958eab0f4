/** What changes for given settings from release to release. */
import type { History, Turn } from '../history.js';
import { keyHistory } from './config-file.js';
import { flagsOf, readsEnvironment } from './flags.js';
import type { Flavour, Tag } from './flavours.js';
import { emptyList, moduleHistory } from './modules.js';
import { formerNames, laterNames } from './names.js';
import { unlocking } from './start-problems.js';

/** The releases that read the file otherwise than those before. */
// biome-ignore format: a table, its lines filled by hand
const fileReadings = [
  'v1.9.0', 'v1.9.19', 'v1.10.0', 'v1.10.20', 'v1.13.6', 'v1.17.4',
] as const;

const { guardedSince: since, until } = unlocking;

export const turns: readonly Turn<Tag>[] = [
  // Where the engine API listens, and what a word that is no flag does.
  [['authrpc.addr', 'authrpc.port'], { since: 'v1.12.1' }],
  [['unlock', 'allow-insecure-unlock'], { since, until }, { until }],
  [['metrics', 'metrics.addr'], { until: 'v1.14.13' }],
  [['ws.port', 'wsport', 'ws'], { until: 'v1.9.12' }, { until: 'v1.9.18' }],
  [['config'], ...fileReadings.map((since) => ({ since }))],
  // An empty name in a list, which may offer each module.
  [[''], ...moduleHistory.rows(), ...emptyList],
  [['engine'], { until: 'v1.10.18' }],
  [(uses) => [...uses.keys()].some((name) => name.startsWith('GETH_')), readsEnvironment],
];

/** What its flags, its modules and its file had, by each name of a flag. */
export function historiesOf({ id }: Flavour): readonly Pick<History<unknown, Tag>, 'testsOf'>[] {
  const named = (name: string) => [name, formerNames[name] ?? [], laterNames.get(name) ?? []].flat();
  const flags = { testsOf: (name: string) => named(name).flatMap((one) => flagsOf[id].testsOf(one)) };
  return [flags, moduleHistory, keyHistory];
}
