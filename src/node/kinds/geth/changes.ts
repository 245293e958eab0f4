/** Splits the releases into ranges within which nothing changes for given settings. */
import type { Period, Uses } from '../kind.js';
import { isWithin } from '../tags.js';
import { periodsOfKey } from './config-file.js';
import { environmentSince, formsNamed } from './flags.js';
import type { Flavour } from './flavours.js';
import { periodsOfModule } from './modules.js';
import { formerNames, laterNames } from './names.js';
import { strayIgnored, unlocking } from './start-problems.js';

/** Names, and the periods of geth in which releases take settings with one of them otherwise. */
const turns: readonly (readonly [names: readonly string[], periods: readonly Period[]])[] = [
  // Where the engine API listens, and what a word that is no flag does.
  [['authrpc.addr', 'authrpc.port'], [{ since: 'v1.12.1' }]],
  [
    ['unlock', 'allow-insecure-unlock'],
    [{ since: unlocking.guardedSince, until: unlocking.until }, { until: unlocking.until }],
  ],
  [
    ['metrics', 'metrics.addr'],
    [{ since: 'v1.9.16' }, { until: 'v1.14.13' }],
  ],
  [['rpc', 'rpcaddr', 'rpcvhosts'], [{ until: 'v1.7.3' }]],
  [
    ['ws.port', 'wsport', 'ws'],
    [{ until: 'v1.9.12' }, { until: 'v1.9.18' }],
  ],
  [['shh'], [{ until: 'v1.9.10' }]],
  [
    ['config'],
    ['v1.7.1', 'v1.8.0', 'v1.8.2', 'v1.9.0', 'v1.9.19', 'v1.10.0', 'v1.10.20', 'v1.13.6', 'v1.17.4'].map(
      (since) => ({ since }),
    ),
  ],
];

/** Splits the range, oldest first. Within a part nothing changes for settings with these uses. */
export function partsOf(
  flavour: Flavour,
  since: string,
  until: string,
  uses: Uses,
): readonly Required<Period>[] {
  const { releases } = flavour;
  const at = (id: string) => releases.findIndex((one) => one.id === id);
  const [first, last] = [at(since), at(until)];
  const names = [...uses.keys()];
  const flags = names.flatMap((name) => [name, formerNames[name] ?? [], laterNames.get(name) ?? []].flat());
  const periods = [
    ...names.flatMap((name) => [...periodsOfModule(name), ...periodsOfKey(name)]),
    ...turns.flatMap(([some, them]) => (some.some((name) => uses.has(name)) ? them : [])),
    strayIgnored,
    ...(names.some((name) => name.startsWith('GETH_')) ? [{ since: environmentSince }] : []),
  ];
  const starts = new Set([first]);
  for (const flag of flags)
    for (const form of formsNamed(flavour, flag))
      for (const one of [form.first, form.last + 1]) starts.add(one);
  for (const period of periods)
    for (let one = first + 1; one <= last; one++) {
      const [before, here] = [releases[one - 1]?.base ?? '', releases[one]?.base ?? ''];
      if (isWithin(before, period) !== isWithin(here, period)) starts.add(one);
    }
  const sorted = [...starts].filter((one) => one >= first && one <= last).sort((a, b) => a - b);
  return sorted.map((start, index) => ({
    since: releases[start]?.id as string,
    until: releases[(sorted[index + 1] ?? last + 1) - 1]?.id as string,
  }));
}
