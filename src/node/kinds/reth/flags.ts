/** The flags of `node` by release: names, aliases and defaults. No variable of the environment sets one. */
import { flagForm } from '../flags.js';
import { historyOf } from '../history.js';
import { flagTable, opFlagTable } from './flag-table.js';
import { opFlavour, rethFlavour } from './flavours.js';

/** What the releases of a flavour have, and had. */
export const flagsOf = {
  reth: historyOf(rethFlavour.releases, () => flagTable.map((row) => flagForm(row))),
  'op-reth': historyOf(opFlavour.releases, () => [...flagTable, ...opFlagTable].map((row) => flagForm(row))),
} as const;
