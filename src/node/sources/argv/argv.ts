/** Parses the words after the binary as urfave/cli v2 does: what each flag gets, or why the node would not start. */

import { groupBy } from '../../../util/group-by.js';
import { type Origin, type StartProblem, spanOf } from '../../facts/settings.js';
import type { Flag, FlagSet, Kind } from '../../kinds/kind.js';
import { originOf } from './origin.js';
import { parseValue, valueOnceStarted } from './values.js';
import type { CommandWord } from './word.js';

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
  /** False when only another reading has it than the first. */
  readonly isFirst: boolean;
  /** What makes another reading differ here, as clauses: "--brand-new takes a value". Empty: every reading has it. */
  readonly doubts: readonly string[];
}

export interface ParsedWords {
  /** Of every reading. */
  readonly occurrences: readonly Occurrence[];
  /** Flags that may be set, or set otherwise, by words that cannot be known; null: any flag. */
  readonly maybe: readonly {
    readonly flags: readonly string[] | null;
    readonly reason: string;
    readonly origin: Origin;
  }[];
  readonly problems: readonly StartProblem[];
}

/**
 * Reads the whole command line: a word that the node refuses hides nothing behind it. A flag that is not known is read as
 * a switch and as one that takes the next word, where that word could be its value.
 */
export function parseWords(kind: Kind, words: readonly CommandWord[], flags: FlagSet): ParsedWords {
  const parser = new Parser(kind, words, flags);
  parser.parse();
  return { occurrences: parser.occurrences, maybe: parser.maybe, problems: parser.problems };
}

/** A word at which a reading goes on; `because` is the clause of a reading that is not the first. */
interface Open {
  readonly isFirst: boolean;
  readonly because: string | null;
}

type KeyFile = NonNullable<Kind['flags']['keyFile']>;

class Parser {
  occurrences: Occurrence[] = [];
  readonly maybe: ParsedWords['maybe'][number][] = [];
  readonly problems: StartProblem[] = [];
  private readonly words: readonly CommandWord[];
  private readonly kind: Kind;
  private readonly flags: FlagSet;
  /** By index. Readings are at most two words apart and go on as one where they meet: there are never more than three. */
  private readonly open = new Map<number, Open>();
  private here: Open = { isFirst: true, because: null };
  /** The index behind a stray word: another one there says nothing new. */
  private behindStray = -1;

  constructor(kind: Kind, words: readonly CommandWord[], flags: FlagSet) {
    this.kind = kind;
    this.words = words;
    this.flags = flags;
  }

  parse(): void {
    this.open.set(0, this.here);
    while (this.open.size > 0) {
      const at = Math.min(...this.open.keys());
      this.here = this.open.get(at) as Open;
      this.open.delete(at);
      const word = this.words[at];
      if (word !== undefined) this.goOn(this.word(word, at), this.here);
    }
    this.refuseTwoForms();
  }

  private goOn(at: number, reading: Open): void {
    if (this.open.get(at)?.isFirst !== true) this.open.set(at, reading);
  }

  /** One word and, where it takes one, its value. The index where reading goes on. */
  private word(word: CommandWord, at: number): number {
    const { text } = word;
    if (text === null) {
      const reason = word.indeterminate ?? 'it cannot be known';
      if (this.here.isFirst) this.maybe.push({ flags: word.maybe, reason, origin: originOf(word, '') });
      return at + 1;
    }
    if (isPlain(text)) return this.stray(word, text, at);
    if (text === '--') {
      const next = this.words[at + 1];
      if (next?.text != null && !isPlain(next.text)) this.stray(next, next.text, at + 1);
      return at + 1;
    }
    const [, dashes = '', name, given] = /^(-+)([^-=][^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    if (dashes.length !== 1 && dashes.length !== 2)
      this.report('bad-syntax', `${text} is not a flag: bad flag syntax`, word, []);
    return name === undefined ? at + 1 : this.flag(word, name, given, at, dashes);
  }

  private flag(
    word: CommandWord,
    name: string,
    given: string | undefined,
    at: number,
    dashes: string,
  ): number {
    const flag = this.flags.byName.get(name);
    if (flag === undefined) return this.unknown(word, name, given, at, dashes);
    if (flag.type === 'bool') {
      const next = given === undefined ? (this.words[at + 1]?.text ?? '') : '';
      const meant = parseValue('bool', next);
      const isMeantOff = 'value' in meant && !meant.value;
      this.take(word, flag, name, given ?? 'true', word, isMeantOff ? `--${name} gets ${next}` : null);
      return at + 1;
    }
    if (given !== undefined) {
      this.take(word, flag, name, given, word);
      return at + 1;
    }
    const next = this.words[at + 1];
    if (next === undefined) {
      this.report('missing-value', `--${name} needs a value and none follows`, word, [flag.name]);
      this.refused(word, flag, name, 'its value is missing');
      return at + 1;
    }
    const { keyFile } = this.kind.flags;
    if (keyFile?.flag === flag.name && next.text?.startsWith('--'))
      return this.swallowed(word, next.text, at, keyFile);
    const isTaken = this.take(word, flag, name, next.text, next);
    return isTaken || isPlain(next.text ?? '') ? at + 2 : at + 1;
  }

  /** Read as a switch; and as taking the next word, unless a word that is no flag would then be left over. */
  private unknown(
    word: CommandWord,
    name: string,
    given: string | undefined,
    at: number,
    dashes: string,
  ): number {
    const written = `${dashes.length === 1 ? '-' : '--'}${name}`;
    if (/^(?:help|h|version|v)$/.test(name)) {
      this.report('ending-flag', `--${name} prints a text and ends; the node does not start`, word, [name]);
      return at + 1;
    }
    const other = this.kind.flags.ofAnyProgram(name);
    const message = `${written} is not a flag of the releases known here (${this.kind.releases})${other === null ? '' : ' for this binary, but for another'}; another release may have it`;
    if (dashes.length < 3) this.report('unknown-flag', message, word, [name]);
    if (given !== undefined || other?.type === 'bool') return at + 1;
    if (other !== null) return at + 2;
    const [next, behind] = [this.words[at + 1], this.words[at + 2]];
    if (next === undefined || next.text === null) return at + 1;
    if (isPlain(next.text)) return at + 2;
    const isLeftOver =
      behind !== undefined && (behind.text === null ? behind.maybe === null : isPlain(behind.text));
    if (!isLeftOver) this.goOn(at + 2, { isFirst: false, because: `${written} takes a value` });
    return at + 1;
  }

  private swallowed(
    { at: place }: CommandWord,
    taken: string,
    at: number,
    { flag, variable }: KeyFile,
  ): number {
    const message = `--${flag} takes the next word, ${taken}, for its key file, since none is given: the node does not start`;
    const problem = { kind: 'missing-value', fatal: true, message, at: place, variable } as const;
    if (this.here.isFirst) this.problems.push({ ...problem, flags: [flag] });
    return at + 1;
  }

  /** False where the node refuses the value. */
  private take(
    word: CommandWord,
    flag: Flag,
    written: string,
    text: string | null,
    source: CommandWord,
    doubt: string | null = null,
  ): boolean {
    const origin = originOf(source, flag.name);
    if (text === null) {
      const indeterminate = source.indeterminate ?? 'it cannot be known';
      this.push({ flag, written, value: null, indeterminate, origin, literal: false });
      return true;
    }
    const parsed = parseValue(flag.type, text);
    if ('refused' in parsed) {
      const message = `--${written} gets “${text}”, but ${parsed.refused}: the node does not start`;
      this.report('bad-value', message, source.at === null ? word : source, [flag.name]);
      this.refused(source, flag, written, `the node refuses “${text}”`);
      return false;
    }
    const literal = source === word && written === flag.name && word.text?.includes('=') === false;
    this.push({ flag, written, value: parsed.value, indeterminate: null, origin, literal }, doubt);
    return true;
  }

  private refused(word: CommandWord, flag: Flag, written: string, why: string): void {
    const use = { flag, written, origin: originOf(word, flag.name), literal: false };
    this.push({ ...use, ...valueOnceStarted(this.kind, flag, why) }, `--${written} is taken out`);
  }

  private push(use: Omit<Occurrence, 'isFirst' | 'doubts'>, doubt: string | null = null): void {
    const readings = [this.here, ...this.open.values()];
    const doubts = [doubt, ...readings.map(({ because }) => because)].filter((one) => one !== null);
    this.occurrences.push({ ...use, isFirst: this.here.isFirst, doubts });
  }

  private stray(word: CommandWord, text: string, at: number): number {
    const message = `the node reads ${text} as a command and does not start`;
    if (at !== this.behindStray) this.report('stray-word', message, word, []);
    this.behindStray = at + 1;
    return at + 1;
  }

  private report(
    kind: StartProblem['kind'],
    message: string,
    word: CommandWord,
    flags: readonly string[],
  ): void {
    if (!this.here.isFirst) return;
    const variable = word.variable ?? word.cause;
    this.problems.push({ kind, fatal: true, message, at: word.at, variable, flags });
  }

  /** A flag under two of its names is an error, however often one name is repeated. Either name may be kept. */
  private refuseTwoForms(): void {
    const names = groupBy(firstReading(this.occurrences), ({ flag }) => flag);
    for (const [flag, uses] of names) {
      const written = [...new Set(uses.map((one) => one.written))];
      if (written.length < 2) continue;
      const message = `--${written.join(' and --')} are one flag: the node refuses two forms of it and does not start`;
      const last = uses.at(-1)?.written;
      const at = spanOf(uses.at(-1)?.origin);
      const problem = { kind: 'conflicting-flags', fatal: true, message, at, variable: null } as const;
      this.problems.push({ ...problem, flags: written });
      this.occurrences = this.occurrences.map((one) =>
        one.flag === flag && one.written === last
          ? { ...one, doubts: [...one.doubts, `--${last} is taken out`] }
          : one,
      );
    }
  }
}

/** The uses of flags where every flag that is not known is a switch, if it can be. */
export function firstReading(occurrences: readonly Occurrence[]): Occurrence[] {
  return occurrences.filter(({ isFirst }) => isFirst);
}

/** True for what the node takes for a value or a command, never for a flag. */
function isPlain(text: string): boolean {
  return text.length < 2 || !text.startsWith('-');
}
