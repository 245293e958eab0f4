/** A variable this launcher does not read. */

import type { Settings } from '../facts/settings.js';
import type { Assignment, Shell } from '../facts/shell.js';
import { advise } from '../judge/fix.js';
import type { Draft, Rule } from '../judge/rule.js';
import { listed } from '../judge/words.js';

/** Where documents and packaged confs write a name no launcher reads: what is read instead. */
const meant: Readonly<Record<string, string>> = {
  LOG_MAXBACKUPS:
    'the launchers read LOG_MAXBACKUP and turn it into a flag the node does not have, except kbnd (tar)',
  MAIN_BRIDGE: 'SC_MAIN_BRIDGE is the name that is read',
  MAIN_BRIDGE_PORT: 'SC_MAIN_BRIDGE_PORT is the name that is read',
  MAIN_BRIDGE_INDEXING: 'SC_MAIN_BRIDGE_INDEXING is the name that is read',
};

export const unreadSetting: Rule = {
  id: 'unread-setting',
  severity: 'low',
  title: 'This launcher does not read the variable.',
  why: `The seven launchers read different variables, and the tar and RPM scripts of one launcher differ too. A line copied from another node’s conf has no effect and no warning: LOG_MAXBACKUPS stands in every packaged conf and is read by no script.`,
  fix: 'Delete the line, or say it with a flag in ADDITIONAL.',
  examples: {
    bad: { conf: 'LOG_MAXBACKUPS=10\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'LOG_MAXAGE=30\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  on: 'shell',
  check: (shell, settings) => ({
    findings: effectiveOnes(shell).flatMap((one) => draft(shell, settings, one)),
    blindSpots: [],
  }),
};

/** The assignment of each variable that counts in the end. */
function effectiveOnes(shell: Shell): Assignment[] {
  const last = new Map<string, Assignment>();
  for (const one of shell.assignments) if (one.effective && one.kind !== 'unset') last.set(one.variable, one);
  return [...last.values()];
}

function draft(shell: Shell, settings: Settings, one: Assignment): Draft[] {
  const { variable: name, at } = one;
  const readers = shell.readers[name];
  if (readers === undefined || shell.reads.includes(name) || shell.exported.includes(name)) return [];
  if (one.value === '') return []; // says nothing, changes nothing
  const hint = meant[name] === undefined ? '' : `; ${meant[name]}`;
  const most = readers.length > 3 ? [...readers.slice(0, 2), `${readers.length - 2} more`] : readers;
  const says =
    readers.length === 0
      ? `No launcher reads ${name}`
      : `${settings.launcher} (${settings.package}) does not read ${name}; ${listed(most)} ${readers.length === 1 ? 'does' : 'do'}`;
  return [
    {
      subject: name,
      at,
      message: `${says}${hint}. The line has no effect.`,
      fix: advise(`Delete the line, or say it with a flag in ADDITIONAL.`),
      evidence: { readers },
    },
  ];
}
