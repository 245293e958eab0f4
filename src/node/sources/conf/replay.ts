/** Replays a launcher: builds the words of its command line from the variables of the conf. */

import type { CommandWord } from '../../dialect/word.js';
import type { StartProblem, Word } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Branch, LauncherTest, Step } from '../../kinds/kind.js';
import { isUnknown, partOf, type Unknown, type Value } from '../shell/value.js';
import { isKnown, Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { split, testHolds } from './launcher-test.js';
import type { Scratch } from './scratch.js';

/** The limit of words that are read from one command line. */
export const maxWords = 2_000;
export const tooManyWords = `the command line has more than ${maxWords} words`;

export interface Replay {
  readonly words: readonly CommandWord[];
  readonly problems: readonly StartProblem[];
}

/** Where a conf assigns its variables. */
export interface Places {
  /** The last value that counts; null: the conf never assigns the variable. */
  valueAt(variable: string): Span | null;
  /** A text that the variable has, with the place of each character; null: as `valueAt`. */
  placed(variable: string, text: string): Placed | null;
  /** The place of a word of the variable, by which pieces of the word can be found: in its last value, or the whole value. */
  at(variable: string, word: Placed | undefined): Span | null;
}

/** Takes the launcher's steps. The variables may change on the way, as they do in the script. */
export class Replayed {
  private readonly shell: Scratch;
  /** The variable whose words may be any flags. */
  private readonly extraFlags: string;
  private readonly places: Places;
  /** What the script itself made of values. */
  private readonly stripped = new Map<string, Placed>();
  private readonly words: CommandWord[] = [];
  private readonly problems: StartProblem[] = [];
  private cause: string | null = null;
  private causeAt: Span | null = null;

  constructor(shell: Scratch, extraFlags: string, places: Places) {
    this.shell = shell;
    this.extraFlags = extraFlags;
    this.places = places;
  }

  run(steps: readonly Step[]): Replay {
    this.take(steps);
    return { words: this.words, problems: this.problems };
  }

  private take(steps: readonly Step[]): void {
    for (const step of steps) {
      if ('emit' in step) this.emit(step.emit);
      else if ('strip' in step) this.strip(step.strip);
      else if ('refuse' in step) this.refuse(step.refuse, step.variable);
      else this.branch(step);
    }
  }

  private branch(step: Branch): void {
    const outcome = this.decide(step.test, step.variables, step.values ?? []);
    const before = this.cause;
    const [first = null] = step.variables;
    if (typeof outcome.truth === 'object') {
      this.undecided(step, first, outcome.truth);
      return;
    }
    const beforeAt = this.causeAt;
    this.cause = outcome.by ?? before;
    if (outcome.truth || step.no !== undefined) {
      this.causeAt = this.cause === null ? null : this.places.valueAt(this.cause);
      this.take(outcome.truth ? step.yes : (step.no ?? []));
    }
    this.cause = before;
    this.causeAt = beforeAt;
    if (outcome.dropped && first !== null) this.reportDropped(first, step);
  }

  private decide(test: LauncherTest, variables: readonly string[], values: readonly string[]) {
    let unknown: Unknown | null = null;
    for (const variable of variables) {
      const value = this.shell.look(variable) ?? '';
      const truth = isUnknown(value) ? whenUnknown(test, value) : testHolds(this.shell, test, value, values);
      if (truth === true) return { truth, by: variable, dropped: false };
      if (typeof truth === 'object') unknown = truth;
      else if (test === 'is-word' && value !== '' && !isUnknown(value) && split(value).length > 1) {
        return { truth, by: variable, dropped: true };
      }
    }
    return { truth: unknown ?? false, by: variables[0] ?? null, dropped: false };
  }

  /** Later steps are still taken: a missing NETWORK must not hide what the node would expose. */
  private refuse(message: string, variable: string): void {
    this.problems.push({
      kind: 'launcher-refuses',
      fatal: true,
      message: `the launcher refuses to start: ${message}`,
      at: this.places.valueAt(variable),
      variable,
      flags: [],
    });
  }

  /** X=`echo $X | tr -d "[:space:]"`: echo takes leading -n, -e and -E as its options. */
  private strip(variable: string): void {
    const value = this.shell.look(variable) ?? '';
    if (isUnknown(value)) return;
    const words = split(value);
    const isText = (word: string) => !/^-[neE]+$/.test(word);
    const first = words.findIndex(isText);
    const from = first < 0 ? words.length : first;
    const escapes = /e[^E]*$/.test(words.slice(0, from).join('')) && value.includes('\\');
    const stripped: Value = escapes
      ? { unknown: 'echo -e rewrites it' }
      : words.slice(from).join('').replaceAll(blanks, '');
    const placed = wordsOf(this.places.placed(variable, value)).slice(from);
    const text = placed.length === 0 ? null : Placed.join(placed).replace(blanks, (_, at) => at.as(''));
    if (text !== null && text.text === stripped) this.stripped.set(variable, text);
    this.shell.set(variable, stripped);
  }

  /** Adds words to the command line; $X becomes the words of X. */
  private emit(text: string): void {
    for (const word of text.split(' ')) {
      if (word.startsWith('$')) this.expand(word.slice(1));
      else this.push({ text: word, variable: null, at: null });
    }
  }

  private push({ text, variable, at }: Word): void {
    const { cause, causeAt } = this;
    const word = { text, variable, at, cause, causeAt, indeterminate: null, maybe: null };
    this.words.push(variable === this.extraFlags ? { ...word, extra: true } : word);
  }

  private expand(variable: string): void {
    const value = this.shell.look(variable) ?? '';
    const isExtra = variable === this.extraFlags;
    if (isUnknown(value) && !isExtra) {
      const flag = this.words.at(-1)?.text;
      const maybe = flag === undefined || flag === null ? null : [flag];
      this.words.push({ ...this.unknownWord(variable, value), maybe, partly: partOf(value) });
      return;
    }
    const whole = partOf(value);
    const words = wordsOf(this.stripped.get(variable) ?? this.places.placed(variable, whole));
    for (const [index, text] of split(whole).entries()) {
      if (this.words.length >= maxWords) {
        this.words.push(this.unknownWord(variable, { unknown: tooManyWords }));
        return;
      }
      if (isUnknown(value) && !isKnown(text)) {
        this.words.push({ ...this.unknownWord(variable, value), partly: text });
        continue;
      }
      const word = words[index];
      const at = this.places.at(variable, word);
      this.push({ text, variable, at });
    }
  }

  private unknownWord(variable: string | null, value: Unknown): CommandWord {
    const at = variable === null ? null : this.places.valueAt(variable);
    const word = { text: null, variable, at, cause: this.cause, causeAt: at, maybe: null };
    const extra = variable === this.extraFlags ? { extra: true as const } : {};
    return { ...word, ...extra, indeterminate: value.unknown };
  }

  /** It cannot be known whether these flags are passed: one unknown word represents all of them. */
  private undecided(step: Branch, variable: string | null, why: Unknown): void {
    const all = [...step.yes, ...(step.no ?? [])];
    const maybe = variable === this.extraFlags ? null : flagsIn(all);
    this.words.push({ ...this.unknownWord(variable, why), cause: variable, maybe });
  }

  private reportDropped(variable: string, step: Branch): void {
    const flags = flagsIn(step.yes);
    this.problems.push({
      kind: 'dropped-setting',
      fatal: false,
      message: `${variable} holds blanks, so the launcher drops ${flags.join(' ')}`,
      at: this.places.valueAt(variable),
      variable,
      flags,
    });
  }
}

const blanks = /[ \t\n\v\f\r]/g;

function wordsOf(value: Placed | null): Placed[] {
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
