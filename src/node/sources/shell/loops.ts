/** Loops: round by round where words or input lines are known, else any number of times with what values begin with. */

import type { Range } from '../text/line-index.js';
import { unfilled } from '../text/placeholders.js';
import { maxLine } from '../text/posix-pattern.js';
import { arithmetic, expandValue } from './expand.js';
import { expandFields } from './fields.js';
import type { Memory } from './memory.js';
import { alternatives, Discard, RoundEnd, Stop } from './outcomes.js';
import type { Shell } from './state.js';
import type { Command, Redirection, SimpleCommand, Word } from './syntax/tree.js';
import { isUnknown, partOf, type Unknown } from './value.js';

type Loop = Command & { type: 'loop' };
type Run = (shell: Shell, command: Command) => void;

/** Runs a loop round by round where its words, its lines or its test are known. */
export function runLoop(shell: Shell, command: Loop, run: Run): void {
  const { memory } = shell;
  const rounds = roundsOf(shell, command, run);
  const known = rounds === null ? null : runRounds(shell, rounds, run);
  if (known === null) {
    runUncounted(shell, command, run);
    return;
  }
  // The observer sees each command once.
  shell.memory = memory.branch();
  if (!shell.rehearsing && shell.observer !== null) runUncounted(shell, command, run);
  shell.memory = memory;
  memory.settle([known], '');
}

const maxRounds = 500;

/** The memory after all rounds; null if it is not known, or takes too many of the steps that are left. */
function runRounds(shell: Shell, { next, body }: Rounds, run: Run): Memory | null {
  const { memory, doubt, rehearsing, loop, conditional, steps } = shell;
  const end = memory.branch();
  const limit = steps.taken + steps.left / 4;
  shell.memory = end;
  shell.doubt = { ...doubt };
  shell.rehearsing = true;
  shell.loop = conditional;
  let status: number | null = 0;
  try {
    for (let at = 0; ; at++) {
      steps.take(5);
      const goesOn = next(at);
      if (goesOn === null || at > maxRounds || steps.taken > limit) return null;
      if (!goesOn) break;
      const isBroken = !runRound(shell, body, run);
      status = isBroken ? 0 : end.status;
      if (isBroken) break;
    }
    end.status = status;
    return shell.doubt.unit === doubt.unit && shell.doubt.file === doubt.file ? end : null;
  } catch (error) {
    if (error instanceof RoundEnd || error instanceof Stop || error instanceof Discard) return null;
    throw error;
  } finally {
    Object.assign(shell, { memory, doubt, rehearsing, loop, conditional });
  }
}

/** False: it ends the loop. */
function runRound(shell: Shell, body: Command, run: Run): boolean {
  try {
    run(shell, body);
  } catch (error) {
    if (!(error instanceof RoundEnd) || error.how === 'maybe') throw error;
    return error.how === 'continue';
  }
  return true;
}

/** A loop runs any number of times: the variables its body assigns are unknown in it and after it. */
function runUncounted(shell: Shell, command: Loop, run: Run): void {
  for (const word of [...command.words, ...(command.header ?? [])]) expandValue(shell, word);
  const assigned = shell.assignedIn(command);
  if (/\b(?:shift|set)\b/.test(shell.text.slice(command.start, command.end))) shell.memory.args = null;
  const outer = shell.touched;
  const unknown = { unknown: `a ${command.keyword} loop sets it` };
  const kept = new Prefixes(shell, command);
  const follow = () => {
    for (const name of assigned) shell.memory.change(name, { value: kept.within(name, unknown) });
    shell.steps.take(assigned.size);
    shell.touched = new Set();
    const before = assigned.size;
    const keptBefore = kept.count;
    const body = () => {
      run(shell, command.body);
      kept.check(assigned);
    };
    alternatives(shell, [body, () => undefined]);
    for (const name of shell.touched) assigned.add(name);
    return assigned.size > before || kept.count < keptBefore;
  };
  const settle = () => {
    while (follow());
  };
  if (shell.rehearsing) settle();
  else {
    shell.rehearse(settle);
    follow();
  }
  for (const name of assigned) {
    shell.memory.change(name, { value: kept.behind(name, unknown) });
    outer.add(name);
  }
  shell.touched = outer;
  shell.memory.status = null;
}

/** Values to which a loop of a script only appends. */
class Prefixes {
  private readonly values = new Map<string, string>();
  private readonly glued = new Set<string>();
  private readonly shell: Shell;

  constructor(shell: Shell, { start, end }: Range) {
    this.shell = shell;
    for (const [, name = ''] of shell.text.slice(start, end).matchAll(/\b([A-Za-z_]\w*)\+?=/g)) {
      const { value } = shell.memory.of(name);
      if (typeof value === 'string' && value !== '') this.values.set(name, value);
    }
  }

  get count(): number {
    return this.values.size;
  }

  /** The value within the loop: the prefix, and what the loop appends. */
  within(name: string, unknown: Unknown): Unknown {
    const value = this.values.get(name);
    return value === undefined ? unknown : { ...unknown, partly: `${value}${unfilled}` };
  }

  /** Forgets the values of these names that the body, which began with those of `within`, changes otherwise. */
  check(names: ReadonlySet<string>): void {
    for (const [name, value] of this.values) {
      if (!names.has(name)) continue;
      const part = partOf(this.shell.memory.of(name).value ?? '');
      if (!part.startsWith(`${value}${unfilled}`)) this.values.delete(name);
      else if (/^\S/.test(part.slice(value.length + unfilled.length))) this.glued.add(name);
    }
  }

  behind(name: string, unknown: Unknown): Unknown {
    const value = this.values.get(name);
    if (value === undefined) return unknown;
    return { ...unknown, partly: `${value}${this.glued.has(name) ? '' : ' '}${unfilled}` };
  }
}

interface Rounds {
  /** Begins a round, from 0; false if the loop has ended. Null if it is not known. */
  readonly next: (at: number) => boolean | null;
  /** What each round runs. */
  readonly body: Command;
}

/** The variables that a round begins with. */
type Round = readonly (readonly [name: string, value: string])[];

/** Null if the rounds are not known. */
function roundsOf(shell: Shell, loop: Loop, run: Run): Rounds | null {
  const { keyword, header, body, words, assigns } = loop;
  const [test, inner] = body.type === 'sequence' ? body.commands : [];
  if (header !== null) return { next: (at) => holds(shell, header, at), body };
  if (keyword === 'for') return withValues(shell, roundsOfWords(shell, words, assigns), body);
  if (keyword === 'select' || test === undefined || inner === undefined) return null;
  const lines = keyword === 'while' ? roundsOfLines(shell, test) : null;
  if (lines !== null) return withValues(shell, lines, inner);
  const next = () => {
    run(shell, test);
    const { status } = shell.memory;
    return status === null ? null : (status === 0) === (keyword === 'while');
  };
  return { next, body: inner };
}

function withValues(shell: Shell, rounds: readonly Round[] | null, body: Command): Rounds | null {
  if (rounds === null) return null;
  const next = (at: number) => {
    for (const [name, value] of rounds[at] ?? []) shell.set(name, value);
    return at < rounds.length;
  };
  return { next, body };
}

/** Evaluates what stands between (( and )) of a loop before a round. */
function holds(shell: Shell, [first, test, last]: readonly Word[], at: number): boolean | null {
  const before = at === 0 ? first : last;
  if (before !== undefined) arithmetic(shell, before, before);
  const value = test === undefined || test.parts.length === 0 ? '1' : arithmetic(shell, test, test);
  return isUnknown(value) ? null : value !== '0';
}

function roundsOfWords(
  shell: Shell,
  words: readonly Word[],
  [name]: readonly string[],
): readonly Round[] | null {
  const { values, exact } = expandFields(shell, words);
  const known = values.flatMap((value) => (isUnknown(value) ? [] : [value]));
  return name === undefined || !exact || known.length < values.length
    ? null
    : known.map((value) => [[name, value]]);
}

function roundsOfLines(shell: Shell, test: Command): readonly Round[] | null {
  // `|| [ -n "$line" ]` adds the last line where no line end follows it.
  const read = test.type === 'sequence' ? test.commands[0] : test;
  const reader = read?.type === 'or' ? read.left : read;
  const input = shell.outputs.at(-1)?.findLast(({ operator }) => /^<(?:<<)?$/.test(operator));
  if (reader?.type !== 'simple' || input === undefined) return null;
  const text = inputOf(shell, input);
  const lines = text?.split('\n') ?? [];
  if (text === null || lines.some(({ length }) => length > maxLine)) return null;
  // read fails at a last line without a line end, but sets the variables.
  const last = lines.pop() ?? '';
  if (last !== '' && read?.type === 'or') lines.push(last);
  const rounds = lines.map((line) => roundOf(shell, reader, line));
  const known = rounds.filter((one) => one !== null);
  return known.length < rounds.length ? null : known;
}

function inputOf(shell: Shell, input: Redirection): string | null {
  if (input.operator === '<') return shell.observer?.input?.(shell, input) ?? null;
  const text = expandValue(shell, input);
  return isUnknown(text) ? null : `${text}\n`;
}

/** What `read` assigns of a line; null if it is another command, or not known. */
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
