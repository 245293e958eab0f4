/** The flags of erigon and rpcdaemon by release. */
import { flagForm } from '../flags.js';
import { historyOf } from '../history.js';
import { commonFlags, daemonFlags, erigonFlags } from './flag-table.js';
import { releases } from './releases.js';

/** The programs, by which settings are named too. */
export type Program = 'erigon' | 'rpcdaemon';

export function isProgram(name: string): name is Program {
  return name === 'erigon' || name === 'rpcdaemon';
}

/** What the releases of each program have, and had. */
export const flagsOf = {
  erigon: historyOf(releases, () => [...commonFlags, ...erigonFlags].map((row) => flagForm(row))),
  rpcdaemon: historyOf(releases, () => [...commonFlags, ...daemonFlags].map((row) => flagForm(row))),
} as const;

/** The history with a flag of that name or alias: that of erigon, else that of rpcdaemon. */
export function historyWith(name: string) {
  return flagsOf[flagsOf.erigon.newest(name) === null ? 'rpcdaemon' : 'erigon'];
}
