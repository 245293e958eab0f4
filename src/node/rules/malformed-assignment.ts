/** A line is not the assignment it looks like. */

import { groupBy } from '../../util/group-by.js';
import { sentence } from '../../util/words.js';
import type { Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import type { SyntaxIssue } from '../facts/shell.js';
import { effectOfUnixEnds, withUnixEnds } from '../fix/proposal/unix-ends.js';
import { bash, conf, type Draft, decideVerdict, type Rule } from '../judge/rule/rule.js';

/** Severity and advice by kind of issue. */
const kinds: Readonly<Partial<Record<SyntaxIssue['kind'], { severity: Severity; fix: string }>>> = {
  'unclosed-quote': { severity: 'medium', fix: 'Close the quote.' },
  'syntax-error': { severity: 'medium', fix: 'Correct the syntax; bash -n shows the line.' },
  'nul-byte': { severity: 'medium', fix: 'Remove the NUL bytes.' },
  'invalid-utf8': { severity: 'low', fix: 'Save the file as UTF-8.' },
  'carriage-return': { severity: 'medium', fix: 'Save the file with Unix line ends.' },
  'byte-order-mark': { severity: 'medium', fix: 'Save the file without a byte order mark.' },
  'curly-quote': { severity: 'medium', fix: 'Use straight quotes.' },
};

export const malformedAssignment: Rule = {
  id: 'malformed-assignment',
  severity: 'medium',
  title: 'A line does not assign the value it appears to assign.',
  why: `The conf is a bash script that the launcher sources. Blanks around = turn the line into a command, a ; ends the assignment, curly quotes are ordinary characters, a Windows line end becomes part of the value, and an unclosed quote consumes the lines that follow. bash prints an error, and the node starts with defaults.`,
  fix: 'Write NAME="value" with no blanks around =, straight quotes and Unix line ends.',
  ignore: 'Never: correct the line or delete it.',
  sources: [bash('Shell-Parameters'), bash('Quoting')],
  examples: {
    bad: conf('RPC_ENABLE = 0'),
    good: conf('RPC_ENABLE=0'),
  },
  on: 'shell',
  check: (shell, settings) =>
    decideVerdict(
      firstOfEach(shell.syntaxIssues.filter(({ likelyMistake }) => likelyMistake)).map(({ issue, count }) =>
        draft(settings, issue, count),
      ),
    ),
};

/** Issues that repeat in the whole file are one finding, at the first. */
function firstOfEach(syntaxIssues: readonly SyntaxIssue[]): { issue: SyntaxIssue; count: number }[] {
  const whole = new Set(['nul-byte', 'invalid-utf8']);
  const groups = groupBy(syntaxIssues.entries(), ([at, { kind }]) => (whole.has(kind) ? kind : at));
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ issue: first[1], count: 1 + more.length + (first[1].more?.length ?? 0) }],
  );
}

function draft(settings: Settings, issue: SyntaxIssue, count: number): Draft {
  const known = kinds[issue.kind];
  const more = count > 1 ? ` (and ${count - 1} more ${count === 2 ? 'place' : 'places'})` : '';
  return {
    subject: issue.variable ?? issue.kind,
    severity: known?.severity ?? 'medium',
    at: issue.at,
    message: `${sentence(issue.becomes.replace(/\.$/, '') + more)} ${consequence(settings, issue)}`.trim(),
    fix: withUnixEnds(
      issue,
      known?.fix ?? 'Write NAME=value without blanks around =, and the value in double quotes.',
    ),
    evidence: { kind: issue.kind, count },
  };
}

/** The effect of an issue that loses lines, or that of correcting it. */
function consequence(settings: Settings, issue: SyntaxIssue): string {
  const loses = issue.kind === 'unclosed-quote' || issue.kind === 'syntax-error';
  const refused = settings.problems.some(
    (one) => one.kind === 'data-dir-missing' || one.kind === 'launcher-refuses',
  );
  return loses && refused ? 'The launcher then refuses to start the node.' : effectOfUnixEnds(issue);
}
