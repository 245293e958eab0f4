/** Parses the words after the binary as urfave/cli v2 does: what each flag gets, or why the node would not start. */

import { groupBy } from '../../../util/group-by.js';
import type { Origin, StartProblem } from '../../facts/settings.js';
import type { Flag, FlagSet } from '../../kinds/kaia/flags.js';
import type { ReplayWord } from '../conf/replay.js';
import { originOf, spanOf } from './origin.js';
import { parseValue } from './values.js';

/** One use of a flag, in the order of the command line. */
export interface Occurrence {
  readonly flag: Flag;
  /** The name it was written with, without dashes. */
  readonly written: string;
  /** null: cannot be known. */
  readonly value: string | number | boolean | null;
  readonly indeterminate: string | null;
  readonly origin: Origin;
  /** True for a switch written as its name alone. */
  readonly literal: boolean;
}

export interface ParsedWords {
  readonly occurrences: readonly Occurrence[];
  /** Flags that may be set, or set otherwise, by words that cannot be known; null: any flag. */
  readonly maybe: readonly {
    readonly flags: readonly string[] | null;
    readonly reason: string;
    readonly origin: Origin;
  }[];
  readonly problems: readonly StartProblem[];
}

/** Reads the whole command line, stopping where the node would. */
export function parseWords(words: readonly ReplayWord[], flags: FlagSet): ParsedWords {
  const parser = new Parser(words, flags);
  parser.parse();
  return { occurrences: parser.occurrences, maybe: parser.maybe, problems: parser.problems };
}

class Parser {
  readonly occurrences: Occurrence[] = [];
  readonly maybe: ParsedWords['maybe'][number][] = [];
  readonly problems: StartProblem[] = [];
  private readonly words: readonly ReplayWord[];
  private readonly flags: FlagSet;
  private at = 0;

  constructor(words: readonly ReplayWord[], flags: FlagSet) {
    this.words = words;
    this.flags = flags;
  }

  parse(): void {
    while (this.at < this.words.length && this.word(this.words[this.at] as ReplayWord));
    this.problems.push(...twoForms(this.occurrences));
  }

  /** One word and, where it takes one, its value. False where parsing ends. */
  private word(word: ReplayWord): boolean {
    this.at += 1;
    const { text } = word;
    if (text === null) {
      this.maybe.push({
        flags: word.maybe,
        reason: word.indeterminate ?? 'it cannot be known',
        origin: originOf(word, ''),
      });
      return true;
    }
    if (text.length < 2 || !text.startsWith('-')) return this.stray(word, text);
    if (text === '--') {
      const next = this.words[this.at];
      return next === undefined ? false : this.stray(next, next.text ?? '');
    }
    const match = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(text);
    if (match === null) return this.fail('unknown-flag', `${text} is not a flag: bad flag syntax`, word, []);
    return this.flag(word, match[1] as string, match[2]);
  }

  private flag(word: ReplayWord, name: string, given: string | undefined): boolean {
    const flag = this.flags.byName.get(name);
    if (flag === undefined) {
      if (/^(?:help|h|version|v)$/.test(name)) {
        return this.fail('unknown-flag', `--${name} prints a text and ends; the node does not start`, word, [
          name,
        ]);
      }
      return this.fail(
        'unknown-flag',
        `${word.text?.startsWith('--') === false ? '-' : '--'}${name} is not a flag of this binary: the node does not start`,
        word,
        [name],
      );
    }
    if (flag.type === 'bool') return this.take(word, flag, name, given ?? 'true', word);
    if (given !== undefined) return this.take(word, flag, name, given, word);
    const next = this.words[this.at];
    if (next === undefined) {
      return this.fail('missing-value', `--${name} needs a value and none follows`, word, [flag.name]);
    }
    this.at += 1;
    if (flag.name === 'nodekey' && next.text?.startsWith('--')) this.reportSwallowed(word, next.text);
    return this.take(word, flag, name, next.text, next);
  }

  /** kbnd passes --nodekey $KEY_PATH without a test. Reading goes on: what it would expose must not hide behind it. */
  private reportSwallowed({ at }: ReplayWord, taken: string): void {
    const message = `--nodekey takes the next word, ${taken}, for its key file, since none is given: the node does not start`;
    this.problems.push({
      kind: 'missing-value',
      fatal: true,
      message,
      at,
      variable: 'KEY_PATH',
      flags: ['nodekey'],
    });
  }

  private take(
    word: ReplayWord,
    flag: Flag,
    written: string,
    text: string | null,
    source: ReplayWord,
  ): boolean {
    const origin = originOf(source, flag.name);
    if (text === null) {
      const indeterminate = source.indeterminate ?? 'it cannot be known';
      this.occurrences.push({ flag, written, value: null, indeterminate, origin, literal: false });
      return true;
    }
    const parsed = parseValue(flag.type, text);
    if ('refused' in parsed) {
      const message = `--${written} gets “${text}”, but ${parsed.refused}: the node does not start`;
      return this.fail('bad-value', message, source.at === null ? word : source, [flag.name]);
    }
    const literal = source === word && written === flag.name && word.text?.includes('=') === false;
    this.occurrences.push({ flag, written, value: parsed.value, indeterminate: null, origin, literal });
    return true;
  }

  private stray(word: ReplayWord, text: string): boolean {
    return this.fail('stray-word', `the node reads ${text} as a command and does not start`, word, []);
  }

  private fail(
    kind: StartProblem['kind'],
    message: string,
    word: ReplayWord,
    flags: readonly string[],
  ): false {
    this.problems.push({
      kind,
      fatal: true,
      message,
      at: word.at,
      variable: word.variable ?? word.cause,
      flags,
    });
    this.at = this.words.length;
    return false;
  }
}

/** A flag under two of its names is an error, however often one name is repeated. */
function twoForms(occurrences: readonly Occurrence[]): StartProblem[] {
  return [...groupBy(occurrences, ({ flag }) => flag).values()].flatMap((uses) => {
    const written = [...new Set(uses.map((one) => one.written))];
    if (written.length < 2) return [];
    const message = `--${written.join(' and --')} are one flag: the node refuses two forms of it and does not start`;
    const at = spanOf(uses.at(-1)?.origin);
    return [{ kind: 'conflicting-flags', fatal: true, message, at, variable: null, flags: written }];
  });
}
