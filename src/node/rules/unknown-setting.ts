/** A variable that no known launcher reads. */
import { closest } from '../../util/closest.js';
import { groupBy } from '../../util/group-by.js';
import type { Assignment, ConfShell } from '../facts/shell.js';
import { advise } from '../fix/proposal/fix.js';
import {
  isReachedFromOutside,
  knownHere,
  resembling,
  unknownNameBlindSpots,
} from '../judge/exposure/unknown-names.js';
import { conf, type Draft, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import type { NodeSettings } from '../kinds/node.js';
import { isExact } from '../kinds/release.js';

export const unknownSetting: Rule = {
  id: 'unknown-setting',
  severity: 'medium',
  title: 'A variable is unknown.',
  why: `The launcher ignores a misspelt variable without a warning, and the node uses the default of the intended one. The launcher of another release may read a name that is not known here; its effect stays undetermined. Only names that resemble those of a launcher, or begin like several of them (RPC_, SC_), are reported. Variables that other lines of the file use, and exported variables, are not.`,
  fix: 'Correct the name, or check that the launcher reads it.',
  ignore: 'If a script of your own reads the variable.',
  sources: [...launchers, 'docs/releases.md'],
  examples: {
    bad: conf('RPC_ENABEL=1'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const set = shell.assignments.filter(
      ({ kind, variable }) => kind !== 'unset' && !Object.hasOwn(shell.readers, variable),
    );
    const first = [...groupBy(set, ({ variable }) => variable).values()].flatMap((group) =>
      group.slice(0, 1),
    );
    const unread =
      first.length === 0 ? [] : notAmong(knownNames(shell), first).filter(resembling(shell.reads));
    const unknown = unread.length === 0 ? [] : notAmong(mentionedNames(settings), unread).slice(0, most);
    const names = unknown.map(({ variable }) => variable);
    return decideVerdict(
      unknown.map((one) => draft(settings, shell, one)),
      unknownNameBlindSpots(settings, null, names),
    );
  },
};

/** Findings are limited to this many names. */
const most = 200;

/** Variables of bash itself. */
const bash = new Set(['PATH', 'IFS', 'LANG', 'LC_ALL', 'HOME', 'TZ', 'SHELL', 'UMASK', 'CONF', 'BIN']);

function notAmong(known: ReadonlySet<string>, assignments: readonly Assignment[]): Assignment[] {
  return assignments.filter(({ variable }) => !known.has(variable) && !known.has(variable.toUpperCase()));
}

/** Names that a launcher reads, that are exported, or that a syntax issue already reports. */
function knownNames(shell: ConfShell): Set<string> {
  const reported = shell.syntaxIssues.map(({ variable }) => variable?.toUpperCase() ?? '');
  return new Set([...bash, ...shell.reads, ...shell.exported, ...Object.keys(shell.readers), ...reported]);
}

/** Names that the file itself uses, other than to assign them. */
function mentionedNames({ source }: NodeSettings): Set<string> {
  const text = source.lines.map((line) => line.replace(/(^|\s)#.*$/, '')).join('\n');
  return new Set(text.match(/(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_]|\+?=)/g));
}

function draft(settings: NodeSettings, shell: ConfShell, { variable, at }: Assignment): Draft {
  const near = closest(variable, shell.reads);
  const isKnown = settings.release !== undefined && isExact(settings.release);
  return {
    subject: variable,
    severity: near === null && !isReachedFromOutside(settings) ? 'low' : 'medium',
    at,
    message: `No launcher of ${knownHere(settings)} reads ${variable}${isKnown ? '' : '; another release may'}.${near === null ? '' : ` Did you mean ${near}? It keeps ${shell.variables[near] === undefined ? 'its default' : 'its own value'}.`}`,
    fix: advise(
      `${near === null ? 'Delete' : `Write ${near}, or delete`} the line, unless the node’s release reads it.`,
    ),
    evidence: { meant: near },
  };
}
