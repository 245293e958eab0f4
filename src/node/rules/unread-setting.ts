/** A variable this launcher does not read. */

import { listedFirst } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import type { Assignment, Shell } from '../facts/shell.js';
import type { Span } from '../facts/span.js';
import { takeLinesOut } from '../judge/fix/fix.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignments } from '../judge/settings/assignments.js';
import { kindOf } from '../kinds/index.js';
import type { Kind } from '../kinds/kind.js';

export const unreadSetting: Rule = {
  id: 'unread-setting',
  severity: 'low',
  title: 'This launcher does not read the variable.',
  why: `The seven launchers read different variables, and the tar and RPM scripts of one launcher differ too. A line copied from another node’s conf has no effect and no warning: LOG_MAXBACKUPS stands in every packaged conf and is read by no script.`,
  fix: 'Delete the line, or say it with a flag in ADDITIONAL.',
  examples: {
    bad: conf('LOG_MAXBACKUPS=10'),
    good: conf('LOG_MAXAGE=30'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const all = effectiveAssignments(shell).filter((one) => isUnread(shell, one));
    return found(all[0] === undefined ? [] : [draft(settings, shell, all, all[0].at)]);
  },
};

/** Some launcher or document knows the name, this launcher does not, in any package; an empty value changes nothing. */
function isUnread({ readers, reads, exported }: Shell, { variable: name, value }: Assignment): boolean {
  return readers[name] !== undefined && !reads.includes(name) && !exported.includes(name) && value !== '';
}

/** Names beyond these are counted, not listed. */
const shown = 6;

/** One finding for all of them: nothing changes whatever they say. */
function draft(settings: Settings, shell: Shell, all: readonly Assignment[], at: Span): Draft {
  const names = all.map(({ variable }) => variable);
  const readers = (name: string) => shell.readers[name] ?? [];
  const reader = readerOf(settings);
  const [only = '', ...others] = names;
  const say = `Delete the line${others.length === 0 ? '' : 's'}, or say it with a flag in ADDITIONAL.`;
  const places = all.map((one) => one.at);
  return {
    subject: names.join(','),
    at,
    message:
      others.length === 0
        ? `${whyAlone(kindOf(settings.kind), reader, only, readers(only))}. The line has no effect.`
        : `${listedFirst(names, shown)} have no effect: ${reader} does not read them.`,
    fix: takeLinesOut(settings, places, say),
    related: all
      .slice(1, shown + 1)
      .map(({ at, variable }) => ({ at, note: `${readBy(readers(variable), 'read')} it` })),
    evidence: { readers: Object.fromEntries(names.map((name) => [name, readers(name)])) },
  };
}

/** `kend (rpm)` where the package is certain, else `kend`, in either of them. */
function readerOf({ launcher, package: from, packageBy }: Settings): string {
  return packageBy === 'guess' ? launcher : `${launcher} (${from})`;
}

/** A sentence about one of them, without its full stop. */
function whyAlone(kind: Kind, reader: string, name: string, readers: readonly string[]): string {
  const instead = kind.launchers?.deadVariables[name] ?? null;
  if (readers.length > 0) return `${reader} does not read ${name}; ${readBy(readers, 'do')}`;
  return `No launcher reads ${name}${instead === null ? '' : `; ${instead}`}`;
}

/** `kend and ksend read`, `kend reads`, `no launcher reads`. */
function readBy(readers: readonly string[], verb: 'read' | 'do'): string {
  const singular = verb === 'do' ? 'does' : 'reads';
  const who = readers.length === 0 ? 'no launcher' : listedFirst(readers, readers.length > 3 ? 2 : 3);
  return `${who} ${readers.length < 2 ? singular : verb}`;
}
