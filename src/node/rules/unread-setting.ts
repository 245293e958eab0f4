/** A variable this launcher does not read. */

import { listed, sentence } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import type { Assignment, Shell } from '../facts/shell.js';
import type { Span } from '../facts/span.js';
import { takeLinesOut } from '../judge/fix.js';
import { type Draft, found, type Rule } from '../judge/rule.js';
import { effectiveAssignments } from '../judge/shell.js';
import { deadVariables } from '../kinds/kaia/variables.js';

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
  check: (shell, settings) => {
    const all = effectiveAssignments(shell).flatMap((one) => unread(shell, one));
    const [first, ...others] = all;
    return found(first === undefined ? [] : [draft(settings, first, others)]);
  },
};

interface Unread {
  readonly name: string;
  readonly at: Span;
  readonly readers: readonly string[];
}

function unread(shell: Shell, { variable: name, at, value }: Assignment): Unread[] {
  const readers = shell.readers[name];
  if (readers === undefined || shell.reads.includes(name) || shell.exported.includes(name)) return [];
  if (value === '') return []; // says nothing, changes nothing
  return [{ name, at, readers }];
}

/** A clause about one of them. */
function whyAlone({ launcher, package: packaging }: Settings, { name, readers }: Unread): string {
  const readInstead = deadVariables[name] ?? null;
  if (readers.length === 0)
    return `no launcher reads ${name}${readInstead === null ? '' : `; ${readInstead}`}`;
  return `${launcher} (${packaging}) does not read ${name}; ${few(readers)} ${readers.length === 1 ? 'does' : 'do'}`;
}

function few(readers: readonly string[]): string {
  return listed(readers.length > 3 ? [...readers.slice(0, 2), `${readers.length - 2} more`] : readers);
}

/** Names beyond these are counted, not listed. */
const shown = 6;

/** One finding for all of them: nothing changes whatever they say. */
function draft(settings: Settings, first: Unread, others: readonly Unread[]): Draft {
  const all = [first, ...others];
  const names = all.slice(0, shown).map(({ name }) => name);
  const more = all.length > shown ? [`${all.length - shown} more`] : [];
  const many = `${listed([...names, ...more])} have no effect: ${settings.launcher} (${settings.package}) does not read them.`;
  return {
    subject: all.map(({ name }) => name).join(','),
    at: first.at,
    message: others.length === 0 ? `${sentence(whyAlone(settings, first))} The line has no effect.` : many,
    fix: takeLinesOut(
      settings,
      all.map(({ at }) => at),
      `Delete the line${others.length === 0 ? '' : 's'}, or say it with a flag in ADDITIONAL.`,
    ),
    related: others.slice(0, shown).map(({ at, readers }) => ({
      at,
      note:
        readers.length === 0
          ? 'no launcher reads it'
          : `${few(readers)} read${readers.length === 1 ? 's' : ''} it`,
    })),
    evidence: { readers: Object.fromEntries(all.map(({ name, readers }) => [name, readers])) },
  };
}
