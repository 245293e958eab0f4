/** A variable nobody knows. */

import { closest } from '../../util/closest.js';
import type { Settings } from '../facts/settings.js';
import type { Assignment, Shell } from '../facts/shell.js';
import { advise } from '../judge/fix/fix.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { isNodeReached, knownHere, unknownTo } from '../judge/settings/unknown-names.js';

export const unknownSetting: Rule = {
  id: 'unknown-setting',
  severity: 'medium',
  title: 'The variable is not known.',
  why: `A launcher silently ignores a misspelt name, and the node runs with the default of the one that was meant. The launcher of another release may read a name that is not known here; what it then does stays open. Names used by other lines of the file, and exported ones, are not reported.`,
  fix: 'Correct the name, or make sure that the launcher reads it.',
  examples: {
    bad: conf('RPC_ENABEL=1'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const unread = notAmong(knownNames(shell), firstOfEach(shell.assignments));
    const unknown = (unread.length === 0 ? [] : notAmong(mentionedNames(settings), unread)).slice(0, most);
    const findings = unknown.map((one) => draft(settings, shell, one, isNodeReached(settings)));
    const names = unknown.map(({ variable }) => variable);
    return found(findings, unknownTo(settings, null, names));
  },
};

/** A file with more unknown names than this is not a conf; the rest would only repeat it. */
const most = 200;

function firstOfEach(assignments: readonly Assignment[]): Assignment[] {
  const first = new Map<string, Assignment>();
  for (const one of assignments)
    if (one.kind !== 'unset' && !first.has(one.variable)) first.set(one.variable, one);
  return [...first.values()];
}

/** Meant for bash itself. */
const bash = new Set(['PATH', 'IFS', 'LANG', 'LC_ALL', 'HOME', 'TZ', 'SHELL', 'UMASK', 'CONF', 'BIN']);

function notAmong(known: ReadonlySet<string>, assignments: readonly Assignment[]): Assignment[] {
  return assignments.filter(({ variable }) => !known.has(variable) && !known.has(variable.toUpperCase()));
}

/** Names the world has a use for: read, exported, or told of as an issue. */
function knownNames(shell: Shell): Set<string> {
  const known = new Set([...bash, ...shell.reads, ...shell.exported, ...Object.keys(shell.readers)]);
  for (const { variable } of shell.syntaxIssues) if (variable !== null) known.add(variable.toUpperCase());
  return known;
}

/** Names the file itself has a use for. */
function mentionedNames(settings: Settings): Set<string> {
  const names = new Set<string>();
  for (const line of settings.source.lines) {
    for (const [, name = ''] of line.replace(/(^|\s)#.*$/, '').matchAll(mention)) names.add(name);
  }
  return names;
}

/** A name that is not being assigned. */
const mention = /(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_]|\+?=)/g;

function draft(settings: Settings, shell: Shell, { variable, at }: Assignment, isReached: boolean): Draft {
  const near = closest(variable, shell.reads);
  return {
    subject: variable,
    severity: near === null && !isReached ? 'low' : 'medium',
    at,
    message: `${variable} is read by no launcher of ${knownHere(settings)}; another release may read it.${near === null ? '' : ` Did you mean ${near}? That one keeps ${shell.variables[near] === undefined ? 'its default' : 'its own value'}.`}`,
    fix: advise(
      `${near === null ? 'Delete' : `Write ${near}, or delete`} the line, unless the release reads it.`,
    ),
    evidence: { meant: near },
  };
}
