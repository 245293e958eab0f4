/** Parses the words after the program as urfave/cli v2 does: the values of flags, or why the node would not start. */
import type { Program } from '../dialect.js';
import type { Flag } from '../flag.js';
import type { ParsedWords } from '../occurrence.js';
import { Recorder } from '../recorder.js';
import type { CommandWord } from '../word.js';
import { parseValue } from './values.js';

/**
 * Parses the whole command line: what follows a word that the node refuses is parsed too. An unknown flag is read as a
 * switch and as one that takes the next word, where that word could be its value.
 */
export function parseWords(program: Program, words: readonly CommandWord[]): ParsedWords {
  const { occurrences, maybe, values, problems } = new Parser(program, words).parse();
  return { occurrences, maybe, values, problems };
}

/** A word at which a reading continues; `because` is the clause of a reading that is not the first. */
interface Open {
  readonly isFirst: boolean;
  readonly because: string | null;
}

/** A word that is a flag: `--name` or `--name=given`. */
interface FlagWord {
  readonly word: CommandWord;
  readonly at: number;
  readonly dashes: string;
  readonly name: string;
  readonly given: string | undefined;
}

class Parser {
  private readonly program: Program;
  private readonly words: readonly CommandWord[];
  private readonly record: Recorder;
  /** By index. Readings are at most two words apart and join where they meet: there are never more than three. */
  private readonly open = new Map<number, Open>([[0, { isFirst: true, because: null }]]);
  /** The index after a stray word: another stray word there adds nothing. */
  private afterStray = -1;

  constructor(program: Program, words: readonly CommandWord[]) {
    this.program = program;
    this.words = words;
    this.record = new Recorder(program, parseValue);
  }

  parse(): Recorder {
    while (this.open.size > 0) {
      const at = Math.min(...this.open.keys());
      const here = this.open.get(at) as Open;
      this.open.delete(at);
      const word = this.words[at];
      if (word === undefined) continue;
      const all = this.open.size === 0 ? [here] : [here, ...this.open.values()];
      const doubts = all.flatMap(({ because }) => because ?? []);
      this.record.reading = { isFirst: here.isFirst, doubts };
      this.continueAt(this.word(word, at), here);
    }
    if (this.program.rules.counting === null) this.record.refuseTwoForms();
    return this.record;
  }

  private continueAt(at: number, reading: Open): void {
    if (this.open.get(at)?.isFirst !== true) this.open.set(at, reading);
  }

  /** One word and, where it takes one, its value. Returns the index where reading continues. */
  private word(word: CommandWord, at: number): number {
    const { text } = word;
    this.record.at = at;
    if (text === null) return this.unknownWord(word, at);
    if (isPlain(text)) return this.stray(word, text, at);
    if (text === '--') {
      const next = this.words[at + 1];
      if (next?.text != null) this.stray(next, next.text, at + 1);
      // What follows is no flag, but for the one who removes the word.
      this.continueAt(at + 1, { isFirst: false, because: '-- is removed' });
      return this.words.length;
    }
    const [, dashes = '', name, given] = /^(-+)([^-=][^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    if (dashes.length !== 1 && dashes.length !== 2)
      this.record.report('bad-syntax', `${text} is not a flag: bad flag syntax`, word, []);
    if (name === undefined) return at + 1;
    const flag = this.program.flags.byName.get(name);
    const written = { word, at, dashes, name, given };
    return flag === undefined ? this.unknown(written) : this.flag(written, flag);
  }

  /** A word that cannot be known; of `--flag=$VALUE` only the value. */
  private unknownWord(word: CommandWord, at: number): number {
    const [, dashes = '', name, given] = /^(--?)([A-Za-z][\w.-]*)=(.*)$/s.exec(word.partly ?? '') ?? [];
    const flag = name === undefined ? undefined : this.program.flags.byName.get(name);
    if (name === undefined) this.record.unknownWord(word);
    else if (flag === undefined) this.unknown({ word, at, dashes, name, given });
    else this.record.take(word, flag, name, null, word, null, given);
    return at + 1;
  }

  private flag({ word, at, name, given }: FlagWord, flag: Flag): number {
    const next = this.words[at + 1];
    if (flag.type === 'bool') {
      const meant = given === undefined ? (next?.text ?? '') : '';
      const parsed = parseValue('bool', meant);
      const isMeantOff = 'value' in parsed && !parsed.value;
      const doubt = isMeantOff ? `--${name} gets ${meant}` : null;
      this.record.take(word, flag, name, given ?? 'true', word, doubt);
      return at + 1;
    }
    if (given !== undefined) {
      this.record.take(word, flag, name, given, word);
      return at + 1;
    }
    if (next === undefined) {
      this.record.report('missing-value', `--${name} needs a value and none follows`, word, [flag.name]);
      this.record.refuse(word, flag, name, 'its value is missing');
      return at + 1;
    }
    const { keyFile } = this.program.rules;
    if (keyFile?.flag === flag.name && next.text?.startsWith('--')) {
      const message = `--${flag.name} takes the next word, ${next.text}, for its key file, since none is given: the node does not start`;
      this.record.report('missing-value', message, word, [flag.name], {
        variable: keyFile.variable,
      });
      return at + 1;
    }
    const isTaken = this.record.take(word, flag, name, next.text, next);
    return isTaken || isPlain(next.text ?? '') ? at + 2 : at + 1;
  }

  /** Read as a switch; and as taking the next word, unless a word that is no flag would then be left over. */
  private unknown({ word, at, dashes, name, given }: FlagWord): number {
    const written = `${dashes.length === 1 ? '-' : '--'}${name}`;
    if (/^(?:help|h|version|v)$/.test(name)) {
      const message = `--${name} prints a text and ends; the node does not start`;
      this.record.report('ending-flag', message, word, [name]);
      return at + 1;
    }
    const other = this.program.rules.ofAnyRelease(name);
    if (dashes.length < 3) {
      const { message, release } = this.program.unknown(written, name);
      this.record.report('unknown-flag', message, word, [name], { release });
    }
    if (given !== undefined || other?.type === 'bool') return at + 1;
    if (other !== null) return at + 2;
    const [next, following] = [this.words[at + 1], this.words[at + 2]];
    if (next === undefined || next.text === null) return at + 1;
    if (isPlain(next.text)) return at + 2;
    const isLeftOver =
      following !== undefined &&
      (following.text === null ? following.maybe === null : isPlain(following.text));
    if (!isLeftOver) this.continueAt(at + 2, { isFirst: false, because: `${written} takes a value` });
    return at + 1;
  }

  private stray(word: CommandWord, text: string, at: number): number {
    const message = `the node reads ${text} as a command and does not start`;
    if (at !== this.afterStray && !this.program.consoles.includes(text))
      this.record.report('stray-word', message, word, []);
    this.afterStray = at + 1;
    return at + 1;
  }
}

/** Whether it is a word that the node takes for a value or a command, never for a flag. */
function isPlain(text: string): boolean {
  return text.length < 2 || !text.startsWith('-');
}
