/** The declaration builtins: export, readonly, declare, typeset and local. */
import { elementsOf } from './arrays.js';
import { elementSet, listOf, recordAssignment } from './assign.js';
import { bracedWords } from './braces.js';
import { expandValue, literalWord } from './expand.js';
import { bracedInside, expandFields } from './fields.js';
import type { Shell } from './state.js';
import type { Part, SimpleCommand, Word } from './syntax/tree.js';
import { cut } from './syntax/word.js';
import { arrayOf, isArray, isUnknown, type Value } from './value.js';

/** An argument NAME or NAME=value. */
interface Declared {
  readonly name: string;
  readonly append: boolean;
  /** null without a value. */
  readonly value: Value | null;
  /** The index of an element; absent if the variable is meant. */
  readonly subscript?: Word | undefined;
  /** The elements of a list, which is the value. */
  readonly items?: readonly Word[];
  readonly word: Word;
  /** The value as it is written; the whole word where an expansion gives the name. */
  readonly written: Word;
}

/** Runs a declaration. Bash does not split assignments among its arguments, so they are expanded here, word by word. */
export function declare(shell: Shell, name: string, command: SimpleCommand, exact: boolean): void {
  const words = command.words.slice(1).flatMap((word) => bracedWords(word, shell.steps) ?? [word]);
  if (words.some(({ start, end }) => bracedInside(shell.text.slice(start, end)))) {
    lose(shell, name, 'braces inside an expansion', words);
    return;
  }
  const first = command.words[0];
  const literal = first?.parts.every((part) => part.type === 'text' && !part.quoted) === true;
  const parsed = literal ? words.flatMap((word) => declarationsIn(shell, word)) : null;
  if (parsed === null || parsed.some((one) => one === 'unknown') || (!exact && parsed.includes(null))) {
    lose(shell, name, 'words that cannot be known', words);
    return;
  }
  const { options, named } = splitOptions(name, parsed as readonly (Declared | string | null)[]);
  const letters = options.map((option) => option.slice(1)).join('');
  const isInvalid = [...letters].some((letter) => !lettersOf(name).includes(letter));
  if (name === 'local' && shell.locals === null) shell.memory.status = 1;
  else if (isInvalid && named.some((one) => one?.items !== undefined)) lose(shell, name, 'a list', words);
  else if (isInvalid) shell.memory.status = 2;
  else if (/[fF]/.test(letters) || (letters.includes('p') && lettersOf(name) === declareLetters))
    shell.memory.status = null;
  else if (letters.includes('n') && name !== 'export') {
    const reason = 'declare -n makes a name refer to another variable';
    shell.taint(reason);
    shell.doubt.file ??= reason;
  } else {
    shell.memory.status = 0;
    for (const one of named) {
      if (one === null) shell.memory.status = 1;
      else {
        const isOfFunction = lettersOf(name) === declareLetters && !letters.includes('g');
        if (isOfFunction && shell.locals?.has(one.name) === false) {
          shell.keep(one.name);
          if (!shell.memory.of(one.name).readOnly) shell.remove(one.name);
        }
        declareOne(shell, name, options, letters, one);
      }
    }
  }
}

const declareLetters = 'aAcfFgiIlnprtux';

/** The options of a declaration; with any other it has no effect. */
function lettersOf(name: string): string {
  return name === 'export' || name === 'readonly' ? 'aAfnp' : declareLetters;
}

/** Splits options from names at -- or the first name. Later options, and export +x, are invalid names (null). */
function splitOptions(name: string, parsed: readonly (Declared | string | null)[]) {
  const option = (one: Declared | string | null): one is string =>
    typeof one === 'string' && one !== '--' && (one.startsWith('-') || lettersOf(name) === declareLetters);
  const end = parsed.findIndex((one) => !option(one));
  const behind = end < 0 ? [] : parsed.slice(parsed[end] === '--' ? end + 1 : end);
  return {
    options: parsed.slice(0, end < 0 ? parsed.length : end).filter(option),
    named: behind.map((one) => (typeof one === 'string' ? null : one)),
  };
}

/** Makes every variable unknown. Except export, a declaration may also change the effect of later assignments. */
function lose(shell: Shell, name: string, what: string, words: readonly Word[]): void {
  const mayExport =
    name === 'export' || words.some(({ start, end }) => /^[-+]\w*x/.test(shell.text.slice(start, end)));
  const reason = `${name} with ${what}`;
  if (mayExport) shell.taintExports(reason);
  else shell.taint(reason);
  const { here } = shell;
  if (/\$\{\w+:?\?/.test(shell.text.slice(here.start, here.end))) {
    shell.journal.addExit({ reason: 'an expansion with ? ends it when the name is unset', at: here });
  }
  if (name !== 'export') shell.doubt.file ??= `${name} with ${what} may change what later assignments do`;
}

/** Of each field: an option as text, a name, null for an invalid name, 'unknown' when it cannot be known. */
function declarationsIn(shell: Shell, word: Word): (Declared | string | null)[] {
  const [first] = word.parts;
  if (first?.type === 'text' && !first.quoted) {
    const match = /^([A-Za-z_]\w*)(?:(\+?=)|$)/.exec(first.text);
    if (match !== null && (match[2] !== undefined || word.parts.length === 1)) {
      return [assignmentOf(word, first, match, shell)];
    }
  }
  const { values, exact } = expandFields(shell, [word]);
  return exact
    ? values.map((value) => (isUnknown(value) ? 'unknown' : declarationOf(value, word)))
    : ['unknown'];
}

function declarationOf(text: string, word: Word): Declared | string | null {
  if (/^[-+]./s.test(text)) return text;
  const match = /^([A-Za-z_]\w*)(?:\[([^\]]+)\])?(?:(\+?=)(.*))?$/s.exec(text);
  if (match === null) return null;
  const [, name = '', index, equals, value = null] = match;
  const subscript = index === undefined ? undefined : literalWord(index, word);
  return { name, append: equals === '+=', value, subscript, word, written: { ...word, parts: [] } };
}

function assignmentOf(word: Word, first: Part & { type: 'text' }, match: RegExpExecArray, shell: Shell) {
  const head = match[0].length;
  const name = match[1] as string;
  const append = match[2] === '+=';
  const start = match[2] === undefined ? word.end : Math.min(word.start + head, word.end);
  const parts = [...(first.text.length === head ? [] : [cut(first, head)]), ...word.parts.slice(1)];
  const written = { parts, start, end: word.end };
  if (match[2] === undefined) return { name, append, value: null, word, written };
  const [list] = parts;
  const items = list?.type === 'other' ? list.items : undefined;
  if (items !== undefined) return { name, append, value: arrayOf(null), items, word, written };
  return { name, append, value: expandValue(shell, written), word, written };
}

function declareOne(
  shell: Shell,
  command: string,
  options: readonly string[],
  letters: string,
  one: Declared,
): void {
  const { memory } = shell;
  if (memory.of(one.name).readOnly && one.value !== null) {
    memory.status = 1;
    if (command === 'export' && letters === '') memory.change(one.name, { exported: true });
    return;
  }
  const { subscript, items, written } = one;
  if (subscript !== undefined && lettersOf(command) !== declareLetters) {
    memory.status = 1;
    return;
  }
  const off = options.some((option) => option.startsWith('+'));
  const kind = /[iulc]/.exec(letters)?.[0];
  const { value: before } = memory.of(one.name);
  if (/[aA]/.test(letters) && !off && !(isUnknown(before) && before.unknown === isArray))
    memory.change(one.name, { value: arrayOf(elementsOf(shell, one.name), letters.includes('A')) });
  if (kind === 'i')
    shell.doubt.file ??= 'declare -i evaluates assigned values, and an error in them ends the file';
  if (kind !== undefined)
    memory.change(one.name, { transformed: `declare -${kind} changes assigned values` });
  if (one.value !== null) {
    const append = one.append && subscript === undefined;
    const value =
      subscript !== undefined
        ? elementSet(shell, { ...one, subscript, word: written }, one.value)
        : items === undefined
          ? one.value
          : listOf(shell, one.name, items);
    const { start, end } = one.word;
    recordAssignment(shell, { name: one.name, append, start, end, value: written }, value);
  } else if (kind !== undefined && shell.look(one.name) !== undefined) {
    shell.set(one.name, { unknown: `declare -${kind} changes assigned values` });
  }
  mark(shell, command, letters, off, one.name);
}

function mark(shell: Shell, command: string, letters: string, off: boolean, name: string): void {
  const { memory } = shell;
  if (command === 'export') memory.change(name, { exported: !letters.includes('n') });
  else if (letters.includes('x')) memory.change(name, { exported: !off });
  if ((command === 'readonly' || (letters.includes('r') && !off)) && shell.doubt.file === null)
    memory.change(name, { readOnly: true });
}
