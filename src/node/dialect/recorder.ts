/** Records the uses of flags, and why the node would not start, while a command line is parsed. */
import { groupBy } from '../../util/group-by.js';
import { type StartProblem, spanOf } from '../facts/settings.js';
import type { Dialect, Program } from './dialect.js';
import type { Flag } from './flag.js';
import { firstReading, type Occurrence, type ParsedWords, valueOnceStarted } from './occurrence.js';
import { type CommandWord, originOf, unknownOf } from './word.js';

export class Recorder {
  occurrences: Occurrence[] = [];
  readonly maybe: ParsedWords['maybe'][number][] = [];
  readonly values = new Set<CommandWord>();
  readonly problems: StartProblem[] = [];
  /** The index of the word being parsed. */
  at = 0;
  /** Whether the word being parsed belongs to the first reading, and why other readings lack it. */
  reading: Pick<Occurrence, 'isFirst' | 'doubts'> = { isFirst: true, doubts: [] };
  private readonly program: Program;
  private readonly parse: Dialect['value'];

  constructor(program: Program, parse: Dialect['value']) {
    this.program = program;
    this.parse = parse;
  }

  /** A word that may be any of some flags. */
  unknownWord(word: CommandWord): void {
    const reason = word.indeterminate ?? 'it cannot be known';
    if (!this.reading.isFirst) return;
    const { at } = this;
    this.maybe.push({ flags: word.maybe, reason, name: unknownOf(word), at, origin: originOf(word, '') });
  }

  /**
   * A flag with the text of its value, from the word `source`; null if `partly` of it is known. False where the node refuses
   * the value.
   */
  take(
    word: CommandWord,
    flag: Flag,
    written: string,
    text: string | null,
    source: CommandWord,
    doubt: string | null = null,
    partly = source.partly,
  ): boolean {
    const origin = originOf(source, written);
    const at = source === word ? this.at : this.at + 1;
    const parsed = text === null ? null : this.parse(flag.type, text);
    const isRefused = parsed !== null && 'refused' in parsed;
    // A tool fills the file in before anything starts.
    const isTemplate = isRefused && /\{\{[^{}]*\}\}/.test(text ?? '');
    if (parsed === null || isTemplate) {
      const indeterminate =
        source.indeterminate ?? (isTemplate ? `${text} is not known` : 'it cannot be known');
      const unknown = { written: this.writtenOf(flag, partly), name: unknownOf(source) };
      this.values.add(source);
      this.push({ flag, written, value: null, indeterminate, unknown, at, origin, literal: false });
      return true;
    }
    if ('refused' in parsed) {
      const message = `--${written} gets “${text}”, but ${parsed.refused}: the node does not start`;
      const by = source.at === null ? word : source;
      this.report('bad-value', message, by, [flag.name]);
      this.refuse(by, flag, written, `the node refuses “${text}”`);
      return false;
    }
    const literal = source === word && written === flag.name && word.text?.includes('=') === false;
    this.push({ flag, written, value: parsed.value, indeterminate: null, at, origin, literal }, doubt);
    return true;
  }

  /** A flag whose value the node refuses. */
  refuse(word: CommandWord, flag: Flag, written: string, why: string): void {
    const use = { flag, written, at: this.at, origin: originOf(word, written), literal: false };
    this.push({ ...use, ...valueOnceStarted(this.program.rules, flag, why) }, `--${written} is taken out`);
  }

  /** The items of a list that are known. */
  private writtenOf({ name }: Flag, partly = ''): string | null {
    const { rules, isKnown } = this.program;
    const part = rules.decides(name);
    if (name !== rules.unlock && (part === null || part === 'addr')) return null;
    return (
      partly
        .split(',')
        .filter((item) => item.trim() !== '' && isKnown(item))
        .join(',') || null
    );
  }

  private push(use: Omit<Occurrence, 'isFirst' | 'doubts'>, doubt: string | null = null): void {
    const { isFirst, doubts } = this.reading;
    this.occurrences.push({ ...use, isFirst, doubts: doubt === null ? doubts : [doubt, ...doubts] });
  }

  /** Why the node does not start. `variable`: what asks for it, where the word does not say; `release`: how certain it is. */
  report(
    kind: StartProblem['kind'],
    message: string,
    word: CommandWord,
    flags: readonly string[],
    more: {
      readonly variable?: string | null;
      readonly release?: StartProblem['release'];
    } = {},
  ): void {
    if (!this.reading.isFirst) return;
    const { variable = word.variable ?? word.cause, release } = more;
    const problem = { kind, fatal: true, message, at: word.at ?? word.causeAt, variable, flags };
    this.problems.push(release === undefined ? problem : { ...problem, release });
  }

  /** A flag that is given twice is an error, but a list or one that counts. Either use may be kept. */
  refuseRepeats(): void {
    const repeated = new Set<Occurrence>();
    for (const [{ name, type }, [first, ...more]] of groupBy(
      firstReading(this.occurrences),
      ({ flag }) => flag,
    )) {
      const last = more.at(-1);
      if (first === undefined || last === undefined || type === 'list' || type === 'count') continue;
      const message = `--${name} is given ${more.length + 1} times: the node takes it once and does not start`;
      const at = spanOf(last.origin);
      this.problems.push({
        kind: 'conflicting-flags',
        fatal: true,
        message,
        at,
        variable: null,
        flags: [name],
      });
      for (const use of more) repeated.add(use);
    }
    this.occurrences = this.occurrences.map((one) =>
      repeated.has(one)
        ? { ...one, doubts: [...one.doubts, `the repeated --${one.flag.name} is taken out`] }
        : one,
    );
  }

  /** A flag under two of its names is an error, however often one name is repeated. Either name may be kept. */
  refuseTwoForms(): void {
    if (new Set(this.occurrences.map(({ flag }) => flag)).size === this.occurrences.length) return;
    const names = groupBy(firstReading(this.occurrences), ({ flag }) => flag);
    for (const [flag, uses] of names) {
      if (uses.length < 2) continue;
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
