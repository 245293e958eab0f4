/**
 * What the other files of a folder make of the files that a target is read from: commands that write them or hand them on
 * with another text, diffs, and programs that write files.
 */
import { basename, posix } from 'node:path';
import { escapeForRegExp } from '../../util/escape-for-reg-exp.js';
import { once } from '../../util/once.js';
import { oncePerKey } from '../../util/once-per.js';
import { visible } from '../../util/visible.js';
import { endsWithGlob } from '../../util/wildcard.js';
import type { OpenSign } from '../facts/sign.js';
import type { Span } from '../facts/span.js';
import { changesOf, placesOf } from '../sources/calls/calls.js';
import type { Files } from '../sources/launch/files.js';
import { editors, inPlaceEditors } from '../sources/script/file-step.js';
import { filledBy, fillers } from '../sources/script/filled.js';
import { LineIndex } from '../sources/text/line-index.js';
import { Placed } from '../sources/text/placed.js';
import { assignmentsIn } from './ledger/assignments.js';
import { blockAt, lineEnd, lineStart, statementAt } from './ledger/blocks.js';
import { familyOf } from './ledger/family.js';
import { questionAt } from './ledger/question.js';
import { matchesIn } from './ledger/search/sign.js';
import type { Asked } from './load-options.js';

/** A file with another text. */
interface Changed {
  readonly path: string;
  /** Null if it cannot be known. */
  readonly text: string | null;
  readonly sign: OpenSign;
}

interface Folder {
  /** The files that may change others. */
  readonly changing: readonly string[];
  readonly files: Files;
  textOf(path: string): LineIndex | null;
  /** Whether the file starts nodes, which are read with what it changes. */
  isStart(path: string): boolean;
}

type Command = ReturnType<typeof changesOf>[number];

/** Readings of one target with other texts. */
const maxReadings = 12;

const interpreters = 'python[\\d.]*|perl|ruby|node|php|bun|deno';
const interpreter = new RegExp(`^(?:${interpreters})$`);
/**
 * Commands that change the files they name; those that are followed are left out, but where another program runs them. Gaps
 * are bounded, here and below, so that a search takes time in proportion to the text.
 */
const commands = new RegExp(
  `(?<![\\w./-])(?:(?:${inPlaceEditors}|(?:xargs|-exec)\\b[^\\n]{0,80}[ \\t]sed)[ \\t][^\\n|;]{0,200}?(?<!-)-[a-zA-Z0-9-]{0,30}i|dd\\b[^\\n|;]{0,200}\\bof=|\\b(?<dest>dest(?:ination)?|path|filename)["']?[ \\t]*[:=][ \\t]*["']?(?=[^\\s"',}])|(?:${editors}|git[ \\t]+(?:checkout|restore)|rpl|sd|augtool|${interpreters})(?=[ \\t])|(?<fills>${fillers})(?=[ \\t]))`,
  'g',
);
/** What programs write files with. */
export const writing =
  /\bopen\w*\([^)\n]{0,400},[^),\n]{0,40}["'](?:[wax]b?\+?|r\+b?)["']|\.write_(?:text|bytes)\(|\b(?:write|append|copy)File|\bcreateWriteStream\b|\bFile\.(?:write|open\([^)\n]{0,400}["'][wa])|\bfile_put_contents\b|\bopen\b[^;\n]{0,80},\s{0,8}["']\s{0,8}\+?>|\bshutil\.(?:copy|move)|\binplace\s{0,8}=\s{0,8}True/;
/** Keys of a task that changes the file of its `path`, and of one whose text cannot be read. */
const edits = /\b(?:regexp?|replace|line|block|option|insert(?:after|before)|encoding)["']?[ \t]*[:=]/;
const encoded = /\bencoding["']?[ \t]*[:=]/;
const diff =
  /^\+\+\+ (?:[ab]\/)?(\S+)(?!\S)[^\n]*\n((?:(?!--- [^\n]*\n\+\+\+ )[ @+\\-][^\n]*(?:\n|$)|\n(?=[ @+-]))+)/gm;
const maxCommand = 1_000;
const oneCommand = /^(?:\\\n|(?!\d?>)[^;&|>\n])*/;
/** Matches the path of a diff. */
export const isDiff = /\.(?:patch|diff)$/;

/** Whether a file may change another one. */
export function mayChange(text: string): boolean {
  return writing.test(text) || text.search(commands) >= 0 || /^\+\+\+ /m.test(text);
}

export class Changes {
  readonly #folder: Folder;
  readonly #commands: () => readonly Command[];

  /** @param used - the paths of the files that targets are read from */
  constructor(folder: Folder, used: () => readonly string[]) {
    this.#folder = folder;
    this.#commands = once(() => {
      const names = used().map((path) => escapeForRegExp(basename(path)));
      return names.length === 0
        ? []
        : changesOf(folder.files, new RegExp(`${names.join('|')}|\\bkustomize|\\bhelm\\b|compose\\b`));
    });
  }

  /**
   * The texts that other files make of those that a target is read from. A file that it would be read from asks too, but where
   * the text that fills it assigns a name of the target, or is the command of a start.
   */
  of(
    used: readonly string[],
    { names, heard, sought }: Asked,
    isPart: (file: LineIndex) => boolean,
  ): Changed[] {
    const files = used.flatMap((path) => this.#folder.textOf(path) ?? []);
    const absent = [...sought].filter((path) => this.#folder.textOf(path) === null);
    const all = [...files, ...absent.map((path) => new LineIndex(path, ''))];
    const texts = this.#folder.changing
      .flatMap((path) => this.#folder.textOf(path) ?? [])
      .filter((one) => all.some((file) => mayName(one, file)) && isPart(one));
    const assigns = oncePerKey((by: LineIndex) => assignmentsIn(by, new Set(names.keys())).length > 0);
    const isAnswered = (by: LineIndex) =>
      !isDiff.test(by.file) && ((heard.has(by.file) && !writing.test(by.text)) || assigns(by));
    const found = all.flatMap((file) => [
      ...(files.includes(file) ? this.#commands().flatMap((one, at) => this.#byCommand(file, one, at)) : []),
      ...texts
        .filter((one) => mayName(one, file) && (files.includes(file) || !isAnswered(one)))
        .flatMap((one) => this.#byText(file, one, assigns)),
    ]);
    return found.slice(0, maxReadings);
  }

  #byCommand(file: LineIndex, command: Command, at: number): Changed[] {
    const { to, from, change } = command;
    const written = to === null ? [] : [to, ...from.map((path) => posix.join(to, basename(path)))];
    const isTarget = written.some((path) => this.#leadsTo(path, file, command));
    const isCopied = to === null || posix.extname(to) === posix.extname(file.file);
    if (!isTarget && !(isCopied && from.some((path) => this.#leadsTo(path, file, command, true)))) return [];
    const text = isTarget ? this.#written(at) : change(Placed.at(file));
    const by = this.#folder.textOf(command.at.span().file);
    return by === null ? [] : changedTo(file, by, command.at.span(), text?.text ?? null);
  }

  /** What the command at an index writes: files as the commands before it leave them, changed. */
  readonly #written = oncePerKey((end: number): Placed | null => {
    const { from, change, text, by, folder } = this.#commands()[end] as Command;
    if (text !== undefined) return text;
    const texts = from.map((path) => {
      const at = this.#commands().findLastIndex((one, at) => at < end && one.by === by && one.to === path);
      const file = at < 0 ? this.#fileAt(path, { by, folder }) : null;
      const before = at < 0 ? file && Placed.at(file) : this.#written(at);
      return before && change(before);
    });
    return texts.includes(null) ? null : Placed.join(texts.filter((one) => one !== null));
  });

  #fileAt(path: string, command: Pick<Command, 'by' | 'folder'>): LineIndex | null {
    for (const place of placesOf(command, path)) {
      const file = this.#folder.textOf(place.path);
      if (file !== null) return file;
    }
    return null;
  }

  /** Whether a path of a command is that of the file, or of a folder above it. */
  #leadsTo(path: string, { file }: LineIndex, command: Command, orFolder = false): boolean {
    const own = this.#fileAt(path, command);
    if (own !== null) return own.file === file;
    return (
      orFolder && placesOf(command, path).some((one) => one.path === '.' || file.startsWith(`${one.path}/`))
    );
  }

  /** What a diff, a command or a program in a text makes of a file. */
  #byText(file: LineIndex, by: LineIndex, assigns: (by: LineIndex) => boolean): Changed[] {
    const { text } = by;
    const changedAt = (start: number, to: string | null) =>
      changedTo(file, by, by.span({ start, end: lineEnd(text, start) }), to);
    const asPatched = [...text.matchAll(diff)].flatMap(({ index, 1: path = '', 2: hunks = '' }) =>
      isNamed(file.file, path) ? changedAt(index, patched(file.text, hunks)) : [],
    );
    if (isDiff.test(by.file)) return asPatched;
    const name = basename(file.file);
    const literal = new RegExp(
      `["'\x60][<>+ ]{0,4}(?:[^"'\x60\n]{0,400}/)?${escapeForRegExp(name)}["'\x60]`,
      'g',
    );
    // A program may name a file that is not there for other reasons.
    const isWritten = ({ index }: RegExpExecArray) =>
      file.text !== '' ||
      /=[ \t]*[^=\n]{0,80}$/.test(text.slice(Math.max(0, index - 100), index)) ||
      writing.test(text.slice(lineStart(text, index), lineEnd(text, index)));
    const at = writing.test(text) ? ([...text.matchAll(literal)].find(isWritten)?.index ?? -1) : -1;
    if (familyOf(by.file) === 'code') return at < 0 ? [] : changedAt(at, null);
    const fromHere = posix.relative(posix.dirname(by.file), file.file);
    // The first folders of an absolute path are those of the machine.
    const isOurs = (word: string) =>
      isNamed(file.file, word) || (word.startsWith('/') && word.endsWith(`/${fromHere}`));
    const statementOf = oncePerKey((statement: string) => {
      const words = statement.split(/[\s"'=;()]+/);
      return {
        // The first file that an interpreter names is what it runs.
        run: words.findIndex((word) => familyOf(word) === 'code'),
        named: words.flatMap((word, at) => (isNamed(file.file, word) ? [at] : [])),
        mayWrite: once(() => this.#mayWrite(words, by)),
      };
    });
    const commanded = [...matchesIn(text, commands)].flatMap(({ 0: command, index, groups }) => {
      if (groups?.dest !== undefined) {
        const [word = ''] = /^[^\n"',]+/.exec(text.slice(index + command.length, index + maxCommand)) ?? [];
        if (basename(word.replace(/[\s})]+$/, '')) !== name || this.#folder.isStart(by.file)) return [];
        const task = blockAt(text, index);
        return this.#isGiven(text.slice(task.start, task.end), groups.dest, by, assigns)
          ? []
          : changedAt(index, null);
      }
      if (groups?.fills !== undefined) {
        const own = oneCommand.exec(text.slice(index, index + maxCommand))?.[0] ?? '';
        if (!own.includes(name) && !own.includes('*')) return [];
        const words = own.match(/[^\s"'()[\],\\]+/g) ?? [];
        return filledBy(words).some(isOurs) ? changedAt(index, null) : [];
      }
      const { start, end } = statementAt(text, index);
      const { run, named, mayWrite } = statementOf(text.slice(start, end));
      const isProgram = interpreter.test(command);
      const isNamedHere = named.some((one) => !isProgram || one !== run);
      const isChanged = (at >= 0 && isProgram) || (isNamedHere && (!isProgram || mayWrite()));
      return isChanged ? changedAt(index, null) : [];
    });
    return [...asPatched, ...commanded];
  }

  /** Whether a task says what it writes: a value of a name, or a file of the folder; a `path` may be read. */
  #isGiven(task: string, key: string, { file }: LineIndex, assigns: (by: LineIndex) => boolean): boolean {
    const [, from = ''] = /\b(?:src|source)["']?[ \t]*[:=][ \t]*["']?([^\s"',}]+)/.exec(task) ?? [];
    const isHere = new RegExp(`(?:^|/)${escapeForRegExp(basename(from))}$`);
    return (
      (key === 'path' && !edits.test(task)) ||
      (from !== '' && this.#folder.files.named(isHere).length > 0) ||
      (!encoded.test(task) && assigns(new LineIndex(file, task)))
    );
  }

  /** Whether the program that an interpreter runs may write files, or is not among the files. */
  #mayWrite(words: readonly string[], { file }: LineIndex): boolean {
    const own = words.filter((word) => familyOf(word) === 'code');
    const programs = own.flatMap((word) => this.#folder.textOf(posix.join(posix.dirname(file), word)) ?? []);
    return programs.length < own.length || programs.some(({ text }) => writing.test(text));
  }
}

/** Whether the text of another file may name the file, by its name or by a pattern. */
function mayName({ file: by, text }: LineIndex, { file }: LineIndex): boolean {
  return by !== file && (text.includes(basename(file)) || /[*?]/.test(text));
}

/** Whether a word of a command, which may be a pattern, names the file from its folder or from one above. */
function isNamed(file: string, word: string): boolean {
  const path = posix.normalize(word.replace(/^(?:\.{1,2}\/|~\/|\/|\$\{?\w+\}?\/)+/, ''));
  return /\w/.test(path) && (`/${file}`.endsWith(`/${path}`) || endsWithGlob(file, path));
}

/** The text after a diff; the same where it was applied before, null where a part of it is not found. */
function patched(text: string, hunks: string): string | null {
  let result = text;
  for (const hunk of hunks.split(/^@@[^\n]*\n/m).slice(1)) {
    const lines = hunk
      .replace(/\n$/, '')
      .split('\n')
      .filter((line) => !line.startsWith('\\'));
    const side = (left: string) =>
      lines
        .flatMap((line) => (line === '' || line[0] === ' ' || line[0] === left ? [line.slice(1)] : []))
        .join('\n');
    const [before, after] = [side('-'), side('+')];
    if (result.includes(before)) result = result.replace(before, () => after);
    else if (!result.includes(after)) return null;
  }
  return result;
}

function changedTo({ file, text: own }: LineIndex, by: LineIndex, at: Span, text: string | null): Changed[] {
  if (text === own) return [];
  const question = questionAt(by, at, 'unfollowed-start', file, '');
  const how = text === null ? ' in a way that is not followed' : ', which is judged as it is written';
  const place = `${visible(at.file)}:${at.line}`;
  const reason = `${place} changes ${visible(file)}${how}: pass the files as they are after it`;
  return [{ path: file, text, sign: { ...question, reason } }];
}
