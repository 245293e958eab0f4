/** Reports lines that bash reads in another way than their author meant. */
import type { Range } from '../text/line-index.js';
import { unfilled } from '../text/placeholders.js';
import type { Fields, Shell } from './state.js';
import type { SyntaxFault } from './syntax/cursor.js';
import type { SimpleCommand } from './syntax/tree.js';
import { isUnknown } from './value.js';

const quiet = new Set(
  ': true false [ test echo printf export readonly declare typeset local unset set let shift shopt return'.split(
    ' ',
  ),
);

/** Reports a command where settings are expected, and likely mistakes in assignments. */
export function reportCommand(shell: Shell, command: SimpleCommand, fields: Fields): void {
  shell.steps.take(2);
  for (const { name, value, start, end } of command.assignments) {
    reportQuotes(shell, name, value);
    reportCase(shell, name, { start, end });
  }
  const [first] = command.words;
  if (first === undefined) return;
  if (command.assignments.length > 0) reportPrefix(shell, command, raw(shell, first));
  else reportWords(shell, command, fields);
}

function raw(shell: Shell, range: Range): string {
  return shell.text.slice(range.start, Math.min(range.end, range.start + 40));
}

function reportQuotes(shell: Shell, variable: string, value: Range): void {
  const found = /[\u2018\u2019\u201c\u201d]/.exec(shell.text.slice(value.start, value.end));
  if (found === null) return;
  const start = value.start + found.index;
  shell.journal.addIssue({
    kind: 'curly-quote',
    at: { start, end: start + 1 },
    variable,
    becomes: `bash does not treat ${found[0]} as a quote: it becomes part of the value, and blanks end the value`,
  });
}

/** Reports a name in lower case that is a setting in upper case. */
export function reportCase(shell: Shell, variable: string, at: Range): void {
  const upper = variable.toUpperCase();
  if (upper === variable || !shell.isSetting(upper)) return;
  shell.journal.addIssue({
    kind: 'lower-case-name',
    at: { start: at.start, end: at.start + variable.length },
    variable: upper,
    becomes: `${variable} and ${upper} are different variables, and no launcher reads ${variable}`,
  });
}

/** NAME= word and NAME=value word: the assignment applies to the command `word` only. */
function reportPrefix(shell: Shell, command: SimpleCommand, word: string): void {
  const last = command.assignments.at(-1);
  if (last === undefined) return;
  const empty = last.value.start === last.value.end;
  shell.journal.addIssue({
    kind: empty ? 'blank-after-equals' : 'stray-words',
    at: { start: last.start, end: command.end },
    variable: last.name,
    becomes: `bash runs ${word} as a command, with ${last.name} set for that command only; ${last.name} keeps its earlier value`,
  });
}

function reportWords(shell: Shell, command: SimpleCommand, fields: Fields): void {
  const [first, second] = command.words;
  if (first === undefined) return;
  const at = { start: command.start, end: command.end };
  const word = raw(shell, first);
  const name = fields.values[0];
  if (/^[A-Za-z_]\w*$/.test(word) && second !== undefined && /^\+?=/.test(raw(shell, second))) {
    reportSpaces(shell, at, word, `bash runs ${word} as a command, so the variable ${word} is not set here`);
    return;
  }
  if (word === 'export' && reportExport(shell, command, at)) return;
  if (!isUnknown(name) && name !== undefined && quiet.has(name)) return;
  // The template may put an assignment there.
  if (word.includes(unfilled)) return;
  const last = shell.journal.assignments.at(-1);
  const glued = last !== undefined && last.at.end === command.start - 1 && shell.text[last.at.end] === ';';
  shell.journal.addIssue({
    kind: glued ? 'separator' : 'command',
    at,
    variable: glued ? last.variable : null,
    becomes: glued
      ? `the ; ends the value of ${last.variable}, and bash runs ${word} as a command`
      : `bash runs ${word} as a command when the launcher reads the file`,
    likelyMistake: glued,
  });
}

/** export NAME = value: bash rejects = and value, and NAME keeps its value. */
function reportExport(shell: Shell, command: SimpleCommand, at: Range): boolean {
  const index = command.words.findIndex((word) => /^\+?=/.test(raw(shell, word)));
  const before = command.words[index - 1];
  if (before === undefined) return false;
  const variable = raw(shell, before);
  reportSpaces(shell, at, variable, `export rejects = as a name, so ${variable} is not set here`);
  return true;
}

function reportSpaces(shell: Shell, at: Range, variable: string, becomes: string): void {
  shell.journal.addIssue({ kind: 'spaces-around-equals', at, variable, becomes });
}

/** Reports a command line that is not run, or that kaiactl cannot parse. `start`: where it starts. */
export function reportFault(shell: Shell, fault: SyntaxFault, start: number): void {
  const { text } = shell;
  const at = Math.min(fault.at, text.length);
  const isError = fault.kind !== 'unsupported-syntax';
  const effect = !isError
    ? 'kaiactl cannot know which of the lines below take effect'
    : fault.inList
      ? 'bash skips this command and the rest of the line'
      : 'bash stops here, so this command and the lines below it do not take effect';
  const here = { start: at, end: Math.min(at + 1, text.length) };
  if (fault.inCommand)
    shell.journal.addExit({ reason: 'an error inside $( ) ends the script in bash 5.2', at: here });
  if (isError && !fault.inList)
    shell.journal.unread.push({ reason: `${fault.message}: bash stops here`, at: here });
  shell.journal.addIssue({
    kind: fault.kind,
    at: here,
    variable: /^([A-Za-z_]\w*)=/.exec(text.slice(start, at))?.[1] ?? null,
    becomes: `${fault.message}; ${effect}`,
    likelyMistake: isError,
  });
}
