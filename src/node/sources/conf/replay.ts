/** Replays a launcher: builds the words of its command line from the variables of the conf. */

import type { CommandWord } from '../../dialect/word.js';
import type { StartProblem, Word } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Branch, LauncherTest, Step } from '../../kinds/kind.js';
import { ArithmeticFault, evaluateArithmetic, UnknownOperand } from '../shell/arithmetic.js';
import type { Shell } from '../shell/state.js';
import { testStatus } from '../shell/test.js';
import { isUnknown, partOf, type Unknown, type Value } from '../shell/value.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { Lost } from '../text/steps.js';

/** The limit of words that are read from one command line. */
export const maxWords = 2_000;
export const tooManyWords = `the command line has more than ${maxWords} words`;

/** Where a conf assigns its variables. */
export interface Places {
  /** The last value that counts; null if the conf never assigns the variable. */
  valueAt(variable: string): Span | null;
  /** A text that the variable has, with the place of each character; null if it is as `valueAt` says. */
  placed(variable: string, text: string): Placed | null;
  /** The place of a word of the variable, by which pieces of the word can be found: in its last value, or the whole value. */
  at(variable: string, word: Placed | undefined): Span | null;
}

/** Takes the launcher's steps. The variables may change on the way, as they do in the script. */
export class Replay {
  readonly words: CommandWord[] = [];
  readonly problems: StartProblem[] = [];
  readonly #shell: Scratch;
  readonly #extraFlags: string;
  readonly #places: Places;
  /** What the script itself made of values. */
  readonly #stripped = new Map<string, Placed>();
  /** The variable that made the launcher take the branch, and its last value. */
  #cause: string | null = null;
  #causeAt: Span | null = null;

  /** @param extraFlags - the variable whose words may be any flags */
  constructor(shell: Scratch, extraFlags: string, places: Places) {
    this.#shell = shell;
    this.#extraFlags = extraFlags;
    this.#places = places;
  }

  take(steps: readonly Step[]): void {
    for (const step of steps) {
      if ('emit' in step) this.#emit(step.emit);
      else if ('strip' in step) this.#strip(step.strip);
      // Later steps are still taken: a missing NETWORK must not hide what the node would expose.
      else if ('refuse' in step)
        this.#report('launcher-refuses', step.variable, `the launcher refuses to start: ${step.refuse}`);
      else this.#branch(step);
    }
  }

  #branch(step: Branch): void {
    const outcome = this.#decide(step.test, step.variables, step.values ?? []);
    const [before, beforeAt] = [this.#cause, this.#causeAt];
    const [first = null] = step.variables;
    if (typeof outcome.truth === 'object') {
      this.#undecided(step, first, outcome.truth);
      return;
    }
    this.#cause = outcome.by ?? before;
    if (outcome.truth || step.no !== undefined) {
      this.#causeAt = this.#cause === null ? null : this.#places.valueAt(this.#cause);
      this.take(outcome.truth ? step.yes : (step.no ?? []));
    }
    [this.#cause, this.#causeAt] = [before, beforeAt];
    if (!outcome.dropped || first === null) return;
    const flags = flagsIn(step.yes);
    const message = `${first} holds blanks, so the launcher drops ${flags.join(' ')}`;
    this.#report('dropped-setting', first, message, flags);
  }

  #decide(test: LauncherTest, variables: readonly string[], values: readonly string[]) {
    let unknown: Unknown | null = null;
    for (const variable of variables) {
      const value = this.#shell.look(variable) ?? '';
      const truth = isUnknown(value) ? whenUnknown(test, value) : testHolds(this.#shell, test, value, values);
      if (truth === true) return { truth, by: variable, dropped: false };
      if (typeof truth === 'object') unknown = truth;
      else if (test === 'is-word' && value !== '' && !isUnknown(value) && split(value).length > 1) {
        return { truth, by: variable, dropped: true };
      }
    }
    return { truth: unknown ?? false, by: variables[0] ?? null, dropped: false };
  }

  #report(kind: StartProblem['kind'], variable: string, message: string, flags: string[] = []): void {
    const fatal = kind === 'launcher-refuses';
    this.problems.push({ kind, fatal, message, at: this.#places.valueAt(variable), variable, flags });
  }

  /** X=`echo $X | tr -d "[:space:]"`: echo takes leading -n, -e and -E as its options. */
  #strip(variable: string): void {
    const value = this.#shell.look(variable) ?? '';
    if (isUnknown(value)) return;
    const words = split(value);
    const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const from = first < 0 ? words.length : first;
    const escapes = /e[^E]*$/.test(words.slice(0, from).join('')) && value.includes('\\');
    const without: Value = escapes
      ? { unknown: 'echo -e rewrites it' }
      : words.slice(from).join('').replaceAll(blanks, '');
    const placed = splitFields(this.#places.placed(variable, value)).slice(from);
    const text = placed.length === 0 ? null : Placed.join(placed).replace(blanks, (_, at) => at.as(''));
    if (text !== null && text.text === without) this.#stripped.set(variable, text);
    this.#shell.set(variable, without);
  }

  /** Adds words to the command line; $X becomes the words of X. A flag before an empty X lacks its value because of X. */
  #emit(text: string): void {
    const words = text.split(' ');
    for (const [index, word] of words.entries()) {
      const [, value = null] = /^\$(\w+)/.exec(words[index + 1] ?? '') ?? [];
      const lacking = value === null || this.#shell.look(value) ? null : value;
      if (word.startsWith('$')) this.#expand(word.slice(1));
      else this.#push({ text: word, variable: null, at: null }, lacking);
    }
  }

  #push({ text, variable, at }: Word, lacking: string | null = null): void {
    const causeAt = (lacking === null ? null : this.#places.valueAt(lacking)) ?? this.#causeAt;
    const by = { cause: lacking ?? this.#cause, causeAt };
    const word = { text, variable, at, ...by, indeterminate: null, maybe: null };
    this.words.push(variable === this.#extraFlags ? { ...word, extra: true } : word);
  }

  #expand(variable: string): void {
    const value = this.#shell.look(variable) ?? '';
    if (isUnknown(value) && variable !== this.#extraFlags) {
      const flag = this.words.at(-1)?.text;
      const maybe = flag === undefined || flag === null ? null : [flag];
      this.words.push({ ...this.#unknownWord(variable, value), maybe, partly: partOf(value) });
      return;
    }
    const whole = partOf(value);
    const placed = splitFields(this.#stripped.get(variable) ?? this.#places.placed(variable, whole));
    for (const [index, text] of split(whole).entries()) {
      if (this.words.length >= maxWords) {
        this.words.push(this.#unknownWord(variable, { unknown: tooManyWords }));
        return;
      }
      if (isUnknown(value) && !isKnown(text)) {
        this.words.push({ ...this.#unknownWord(variable, value), partly: text });
        continue;
      }
      this.#push({ text, variable, at: this.#places.at(variable, placed[index]) });
    }
  }

  #unknownWord(variable: string | null, value: Unknown): CommandWord {
    const at = variable === null ? null : this.#places.valueAt(variable);
    const word = { text: null, variable, at, cause: this.#cause, causeAt: at, maybe: null };
    const extra = variable === this.#extraFlags ? { extra: true as const } : {};
    return { ...word, ...extra, indeterminate: value.unknown };
  }

  /** It cannot be known whether these flags are passed: one unknown word represents all of them. */
  #undecided(step: Branch, variable: string | null, why: Unknown): void {
    const all = [...step.yes, ...(step.no ?? [])];
    const maybe = variable === this.#extraFlags ? null : flagsIn(all);
    this.words.push({ ...this.#unknownWord(variable, why), cause: variable, maybe });
  }
}

const blanks = /[ \t\n\v\f\r]/g;

function splitFields(value: Placed | null): Placed[] {
  return value === null ? [] : value.split(/[ \t\n]+/).filter(({ text }) => text !== '');
}

/** A value with a known part is a text, and a word where no blank is known in it. */
function whenUnknown(test: LauncherTest, value: Unknown): true | Unknown {
  const part = partOf(value);
  const isText = part.replaceAll(unfilled, '').trim() !== '';
  return isText && (test === 'is-text' || (test === 'is-word' && split(part).length === 1)) ? true : value;
}

function flagsIn(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if ('emit' in step) return step.emit.split(' ').filter((word) => word.startsWith('--'));
    return 'test' in step ? flagsIn([...step.yes, ...(step.no ?? [])]) : [];
  });
}

/** Whether a test of a variable's value holds. */
function testHolds(shell: Scratch, test: LauncherTest, value: string, values: readonly string[]) {
  switch (test) {
    case 'is-text':
      return value !== '';
    case 'is-empty':
      return value === '';
    case 'is-any':
      return values.includes(value);
    case 'is-one':
      return value !== '' && isOne(shell, value);
    case 'is-word': {
      const status = testStatus(['!', '-z', ...split(value)], () => null);
      return status === null ? { unknown: 'it asks about files of the machine' } : status === 0;
    }
  }
}

/** A failing expression counts as false; an assignment in it takes effect, as in the script. */
export function isOne(shell: Scratch, value: string): boolean | Unknown {
  if (value === '0' || value === '1') return value === '1';
  try {
    const result = evaluateArithmetic(value, {
      steps: shell.steps,
      read: (name) => {
        const content = shell.look(name);
        if (isUnknown(content)) throw new UnknownOperand(content.unknown);
        return content;
      },
      write: (name, content) => shell.set(name, content),
    });
    return result === 1n;
  } catch (error) {
    if (error instanceof ArithmeticFault) return false;
    if (error instanceof UnknownOperand || error instanceof Lost) return { unknown: error.message };
    throw error;
  }
}

/** The words of an unquoted expansion: split at blanks, tabs and newlines. */
export function split(value: string): string[] {
  return value.split(/[ \t\n]+/).filter((word) => word !== '');
}

type Scratch = Pick<Shell, 'steps' | 'look' | 'set'>;

export function scratchOf(shell: Shell): Scratch {
  const written = new Map<string, Value>();
  return {
    steps: shell.steps,
    look: (name) => written.get(name) ?? shell.look(name),
    set(name, value) {
      written.set(name, value);
      return value;
    },
  };
}
