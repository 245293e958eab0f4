/** A variable that this launcher does not read. */
import { oncePer } from '../../util/once-per.js';
import { joinFirst } from '../../util/words.js';
import type { Assignment, ConfShell } from '../facts/shell.js';
import type { Span } from '../facts/span.js';
import { deleteLines } from '../fix/proposal/fix.js';
import { conf, type Draft, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignments } from '../judge/settings/assignments.js';
import { extraFlags } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const unreadSetting: Rule = {
  id: 'unread-setting',
  severity: 'low',
  title: 'This launcher does not read the variable.',
  why: `The seven launchers read different variables, and the tar and RPM scripts of one launcher differ too. A line copied from another node’s conf has no effect and causes no warning. LOG_MAXBACKUPS, for example, is in every packaged conf, but no script reads it.`,
  fix: 'Delete the line, or use a flag in ADDITIONAL instead.',
  ignore: 'If the packaged file contains the line and an update would bring it back.',
  sources: [...launchers, 'docs/releases.md'],
  examples: {
    bad: conf('LOG_MAXBACKUPS=10'),
    good: conf('LOG_MAXAGE=30'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const all = effectiveAssignments(shell).filter((one) => isUnread(shell, one));
    return decideVerdict(all[0] === undefined ? [] : [draft(settings, shell, all, all[0].at)]);
  },
};

/** Whether another launcher or the documentation knows the name and this launcher does not; an empty value has no effect. */
function isUnread({ readers, reads, exported }: ConfShell, { variable: name, value }: Assignment): boolean {
  return readers[name] !== undefined && !namesIn(reads).has(name) && !exported.includes(name) && value !== '';
}

/** The nodes of one launcher share what it reads. */
const namesIn = oncePer((reads: readonly string[]) => new Set(reads));

/** Names beyond this many are counted, not listed. */
const shown = 6;

/** One finding for all of them. */
function draft(settings: NodeSettings, shell: ConfShell, all: readonly Assignment[], at: Span): Draft {
  const names = all.map(({ variable }) => variable);
  const places = all.map((one) => one.at);
  const readers = (name: string) => shell.readers[name] ?? [];
  const reader = readerOf(settings);
  const [only = '', ...others] = names;
  const say = `Delete the line${others.length === 0 ? '' : 's'}, or use a flag in ${extraFlags(settings.nodeKind)} instead.`;
  return {
    subject: names.join(','),
    at,
    message:
      others.length === 0
        ? `${whyAlone(settings, reader, only, readers(only))}. The line has no effect.`
        : `${joinFirst(names, shown)} have no effect: ${reader} does not read them.`,
    fix: deleteLines(settings, places, say),
    related: all
      .slice(1, shown + 1)
      .map(({ at, variable }) => ({ at, note: `${readBy(readers(variable), 'read')} it` })),
    evidence: { readers: Object.fromEntries(names.map((name) => [name, readers(name)])) },
  };
}

/** `kend (rpm)` where the package is certain, else `kend`. */
function readerOf({ launcher, package: from, packageBy }: NodeSettings): string {
  return packageBy === 'guess' ? launcher : `${launcher} (${from})`;
}

/** The message for a single variable, without its full stop. */
function whyAlone({ nodeKind }: NodeSettings, reader: string, name: string, readers: readonly string[]) {
  const instead = nodeKind.launchers?.deadVariables[name] ?? null;
  if (readers.length > 0) return `${reader} does not read ${name}; ${readBy(readers, 'do')}`;
  return `No launcher reads ${name}${instead === null ? '' : `; ${instead}`}`;
}

/** `kend and ksend read`, `kend reads`, `no launcher reads`. */
function readBy(readers: readonly string[], verb: 'read' | 'do'): string {
  const singular = verb === 'do' ? 'does' : 'reads';
  const who = readers.length === 0 ? 'no launcher' : joinFirst(readers, readers.length > 3 ? 2 : 3);
  return `${who} ${readers.length < 2 ? singular : verb}`;
}
