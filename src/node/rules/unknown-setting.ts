/** A variable nobody knows. */

import { closest } from '../../util/closest.js';
import type { Settings } from '../facts/settings.js';
import type { Assignment, Shell } from '../facts/shell.js';
import { advise } from '../judge/fix.js';
import { conf, type Draft, type Rule } from '../judge/rule.js';

export const unknownSetting: Rule = {
  id: 'unknown-setting',
  severity: 'medium',
  title: 'No launcher knows the variable.',
  why: `A misspelt name is silently ignored and the node runs with the default of the one that was meant. Names used by other lines of the file, and exported ones, are not reported.`,
  fix: 'Correct the name, or delete the line.',
  examples: {
    bad: conf('RPC_ENABEL=1'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const unread = notAmong(knownNames(shell), firstOfEach(shell.assignments));
    const unknown = unread.length === 0 ? [] : notAmong(mentionedNames(settings), unread);
    return { findings: unknown.slice(0, most).map((one) => draft(shell, one)), blindSpots: [] };
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

/** Shell settings are meant for bash itself. */
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

function draft(shell: Shell, { variable, at }: Assignment): Draft {
  const near = closest(variable, shell.reads);
  return {
    subject: variable,
    severity: near === null ? 'low' : 'medium',
    at,
    message: `${variable} is read by no launcher${near === null ? '.' : `: did you mean ${near}? That one keeps ${shell.variables[near] === undefined ? 'its default' : 'its own value'}.`}`,
    fix: advise(
      near === null
        ? 'Delete the line, or comment it out.'
        : `Write ${near} if that was meant, or delete the line.`,
    ),
    evidence: { meant: near },
  };
}
