/** The rounds of a loop whose words or input lines are known. */
import { maxLine } from '../text/posix-pattern.js';
import { expandValue } from './expand.js';
import { expandFields } from './fields.js';
import type { Shell } from './state.js';
import type { Command, SimpleCommand } from './syntax/tree.js';
import { isUnknown } from './value.js';

/** The variables that a round begins with. */
export type Round = readonly (readonly [name: string, value: string])[];

export interface Rounds {
  readonly rounds: readonly Round[];
  /** What each round runs. */
  readonly body: Command;
}

type Loop = Command & { type: 'loop' };

const maxRounds = 500;

/** The rounds of `for NAME in WORDS` and `while read NAMES; do … done < FILE`; null: they are not known. */
export function roundsOf(shell: Shell, loop: Loop): Rounds | null {
  const found =
    loop.keyword === 'for' ? ofWords(shell, loop) : loop.keyword === 'while' ? ofLines(shell, loop) : null;
  return found === null || found.rounds.length > maxRounds ? null : found;
}

function ofWords(shell: Shell, { words, assigns, body }: Loop): Rounds | null {
  const [name] = assigns;
  const { values, exact } = expandFields(shell, words);
  const known = values.flatMap((value) => (isUnknown(value) ? [] : [value]));
  if (name === undefined || words.length === 0 || !exact || known.length < values.length) return null;
  return { rounds: known.map((value) => [[name, value]]), body };
}

function ofLines(shell: Shell, { body: both }: Loop): Rounds | null {
  const [test, body] = both.type === 'sequence' ? both.commands : [];
  // `|| [ -n "$line" ]` adds the last line where no line end follows it.
  const read = test?.type === 'sequence' ? test.commands[0] : test;
  const reader = read?.type === 'or' ? read.left : read;
  const input = shell.outputs.at(-1)?.findLast(({ operator }) => operator === '<');
  if (body === undefined || reader?.type !== 'simple' || input === undefined) return null;
  const text = shell.observer?.input?.(shell, input) ?? null;
  const lines = text?.split('\n') ?? [];
  if (text === null || lines.some(({ length }) => length > maxLine)) return null;
  // read fails at a last line without a line end, but sets the variables.
  const last = lines.pop() ?? '';
  if (last !== '' && read?.type === 'or') lines.push(last);
  const rounds = lines.map((line) => roundOf(shell, reader, line));
  const known = rounds.filter((one) => one !== null);
  return known.length < rounds.length ? null : { rounds: known, body };
}

/** What `read` assigns of a line; null: it is another command, or not known. */
function roundOf(shell: Shell, { words, assignments }: SimpleCommand, line: string): Round | null {
  const [command, ...args] = words.map((word) => expandValue(shell, word));
  const isRaw = args[0] === '-r';
  const names = isRaw ? args.slice(1) : args;
  const [ifs] = assignments;
  const separators = ifs === undefined ? ' \t' : expandValue(shell, ifs.value);
  const isPlain = names.every((name) => !isUnknown(name) && /^[A-Za-z_]\w*$/.test(name)) && names.length > 0;
  if (command !== 'read' || !isPlain || isUnknown(separators) || (ifs !== undefined && ifs.name !== 'IFS'))
    return null;
  if (!isRaw && line.includes('\\')) return null;
  return split(names as string[], line, separators);
}

/** The last name gets the rest of the line. Blanks that separate are dropped at its ends. */
function split([name = '', ...others]: readonly string[], line: string, separators: string): Round | null {
  const isBlank = separators.trim() === '';
  if (!isBlank && separators.length > 1) return null;
  const text = separators === '' || !isBlank ? line : line.replace(/^[ \t]+|[ \t]+$/g, '');
  if (others.length === 0) return [[name, text]];
  const end = separators === '' ? -1 : isBlank ? text.search(/[ \t]/) : text.indexOf(separators);
  if (end < 0) return [[name, text], ...others.map((one) => [one, ''] as const)];
  const rest = split(others, text.slice(end + 1), separators);
  return rest && [[name, text.slice(0, end)], ...rest];
}
