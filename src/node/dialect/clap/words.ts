/** Parses the words after the program as clap 4 does: the values of options, or why the node would not start. */
import type { Program } from '../dialect.js';
import type { Flag } from '../flag.js';
import type { ParsedWords } from '../occurrence.js';
import { Recorder } from '../recorder.js';
import type { CommandWord } from '../word.js';
import { parseValue } from './values.js';

/**
 * Parses the whole command line: what follows a word that the node refuses is parsed too. No value begins with a dash, so an
 * unknown flag takes the next word exactly where that is no flag.
 */
export function parseWords(program: Program, words: readonly CommandWord[]): ParsedWords {
  const { occurrences, maybe, values, problems } = new Parser(program, words).parse();
  return { occurrences, maybe, values, problems };
}

/** A word that is an option: `--name` or `--name=given`. */
interface Option {
  readonly word: CommandWord;
  readonly at: number;
  readonly name: string;
  readonly given: string | undefined;
}

class Parser {
  private readonly program: Program;
  private readonly words: readonly CommandWord[];
  private readonly record: Recorder;
  /** The index after a stray word: another stray word there adds nothing. */
  private afterStray = -1;

  constructor(program: Program, words: readonly CommandWord[]) {
    this.program = program;
    this.words = words;
    this.record = new Recorder(program, parseValue);
  }

  parse(): Recorder {
    for (let at = 0; at < this.words.length; ) {
      this.record.at = at;
      at = this.word(this.words[at] as CommandWord, at);
    }
    this.record.refuseRepeats();
    return this.record;
  }

  /** One word and, where it takes one, its value. Returns the index where reading continues. */
  private word(word: CommandWord, at: number): number {
    const { text } = word;
    if (text === null) return this.unknownWord(word, at);
    if (isPlain(text)) return this.plain(word, text, at);
    if (text === '--') {
      const next = this.words[at + 1];
      if (next?.text != null) this.stray(next, next.text, at + 1);
      // What follows is no flag, but for the one who removes the word.
      this.record.reading = { isFirst: false, doubts: ['-- is removed'] };
      return at + 1;
    }
    const [, name, given] = /^--([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (name !== undefined) return this.option({ word, at, name, given });
    if (!text.startsWith('--')) return this.short(word, text, at);
    this.record.report('bad-syntax', `${text} is not a flag`, word, []);
    return at + 1;
  }

  /** A word that cannot be known; of `--flag=$VALUE` only the value. */
  private unknownWord(word: CommandWord, at: number): number {
    const [, name, given] = /^--([A-Za-z][\w.-]*)=(.*)$/s.exec(word.partly ?? '') ?? [];
    const flag = name === undefined ? undefined : this.long(name);
    if (name === undefined) this.record.unknownWord(word);
    else if (flag === undefined) this.unknown(`--${name}`, { word, at, name, given });
    else if (isSwitch(flag)) this.refuseValue(word, flag, name, null);
    else this.record.take(word, flag, name, null, word, null, given);
    return at + 1;
  }

  private option(option: Option): number {
    const { word, at, name, given } = option;
    const flag = this.long(name);
    if (flag === undefined) return this.unknown(`--${name}`, option);
    const next = this.words[at + 1];
    if (isSwitch(flag)) {
      if (given !== undefined) this.refuseValue(word, flag, name, given);
      else {
        const isMeantOff = /^false$/i.test(next?.text ?? '');
        this.record.take(word, flag, name, 'true', word, isMeantOff ? `--${name} gets ${next?.text}` : null);
      }
      return at + 1;
    }
    if (given !== undefined) {
      this.record.take(word, flag, name, given, word);
      return at + 1;
    }
    const value = next === undefined || (next.text !== null && !isPlain(next.text)) ? null : next;
    if (flag.type === 'joined' || (flag.type === 'optional' && value === null)) {
      this.record.take(word, flag, name, '', word);
      return at + 1;
    }
    if (value !== null) {
      this.record.take(word, flag, name, value.text, value);
      return at + 2;
    }
    const follows = next === undefined ? 'none follows' : `${next.text} is a flag`;
    this.record.report('missing-value', `--${name} needs a value and ${follows}`, word, [flag.name]);
    this.record.refuse(word, flag, name, 'its value is missing');
    return at + 1;
  }

  /** A long name; those of one letter are for a single dash. */
  private long(name: string): Flag | undefined {
    return name.length === 1 ? undefined : this.program.flags.byName.get(name);
  }

  /** A switch takes no value, neither true nor false. `given` null: it cannot be known. */
  private refuseValue(word: CommandWord, flag: Flag, name: string, given: string | null): void {
    const message = `--${name} takes no value: with ${given === null ? 'one' : `=${given}`} the node does not start`;
    this.record.report('bad-value', message, word, [flag.name]);
    this.record.refuse(word, flag, name, `the node refuses ${given === null ? 'a value' : `“${given}”`}`);
  }

  /** Switches of one letter behind a single dash: `-vvv`. */
  private short(word: CommandWord, text: string, at: number): number {
    for (const letter of text.slice(1)) {
      const flag = this.program.flags.byName.get(letter);
      if (flag !== undefined) this.record.take(word, flag, letter, 'true', word);
      else {
        this.unknown(`-${letter}`, { word, at, name: letter, given: '' });
        break;
      }
    }
    return at + 1;
  }

  private unknown(written: string, { word, at, name, given }: Option): number {
    if (/^(?:help|h|version|V)$/.test(name)) {
      this.record.report('ending-flag', `${written} prints a text and ends; the node does not start`, word, [
        name,
      ]);
      return at + 1;
    }
    const { message, release } = this.program.unknown(written, name);
    this.record.report('unknown-flag', message, word, [name], { release });
    const next = this.words[at + 1]?.text ?? null;
    const other = this.program.rules.ofAnyRelease(name);
    const takesNext = given === undefined && (other === null || !isSwitch(other));
    return takesNext && next !== null && isPlain(next) ? at + 2 : at + 1;
  }

  /** The sub-command, or a word that the node refuses. */
  private plain(word: CommandWord, text: string, at: number): number {
    if (!this.program.consoles.includes(text)) return this.stray(word, text, at);
    const before = this.words.slice(0, at).find((one) => one.text?.startsWith('-') === true);
    if (before !== undefined) {
      const message = `${before.text} is before ${text}: the node takes flags behind it alone and does not start`;
      this.record.report('stray-word', message, before, []);
    }
    return at + 1;
  }

  private stray(word: CommandWord, text: string, at: number): number {
    if (at !== this.afterStray) {
      const message = `the node does not expect the word ${text} and does not start`;
      this.record.report('stray-word', message, word, []);
    }
    this.afterStray = at + 1;
    return at + 1;
  }
}

function isSwitch({ type }: Flag): boolean {
  return type === 'bool' || type === 'count';
}

/** Whether it is a word that can be a value or a command. */
function isPlain(text: string): boolean {
  return text.length < 2 || !text.startsWith('-');
}
