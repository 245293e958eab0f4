/** Splits the releases into ranges within which nothing changes for given settings. */
import type { Period, Uses } from '../kind.js';
import { isWithin } from '../tags.js';
import { periodsOfFlag } from './flags.js';
import type { Flavour } from './flavours.js';
import { checksLater, periodsOfModule } from './modules.js';

/** Names, and the periods in which releases take settings with one of them otherwise. */
const turns: readonly (readonly [names: readonly string[], periods: readonly Period[]])[] = [
  [['http.api', 'ws.api'], [checksLater]],
  // What the port of the metrics serves beside them.
  [['metrics'], [{ since: 'v1.10.0' }, { since: 'v2.0.0' }]],
];

/** Splits the range, oldest first. */
export function partsOf(
  flavour: Flavour,
  since: string,
  until: string,
  uses: Uses,
): readonly Required<Period>[] {
  const { releases } = flavour;
  const [first, last] = [since, until].map((id) => releases.findIndex((one) => one.id === id)) as [
    number,
    number,
  ];
  const names = [...uses.keys()];
  const periods = [
    ...names.flatMap((name) => [...periodsOfFlag(flavour, name), ...periodsOfModule(name)]),
    ...turns.flatMap(([some, them]) => (some.some((name) => uses.has(name)) ? them : [])),
  ];
  const starts = [first];
  for (let at = first + 1; at <= last; at++) {
    const [before, here] = [releases[at - 1]?.tag ?? '', releases[at]?.tag ?? ''];
    if (periods.some((period) => isWithin(before, period) !== isWithin(here, period))) starts.push(at);
  }
  return starts.map((start, index) => ({
    since: releases[start]?.id as string,
    until: releases[(starts[index + 1] ?? last + 1) - 1]?.id as string,
  }));
}
