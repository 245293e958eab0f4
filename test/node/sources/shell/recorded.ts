/** What the reader makes of a text, in the words of the recordings in fixtures/shell. */
import { readdirSync, readFileSync } from 'node:fs';
import { isKnownVariable } from '../../../../src/node/kinds/kaia/variables.js';
import { readShell } from '../../../../src/node/sources/shell/shell.js';
import type { Fields, Shell } from '../../../../src/node/sources/shell/state.js';
import type { SimpleCommand } from '../../../../src/node/sources/shell/syntax/tree.js';
import { isUnknown, type Value } from '../../../../src/node/sources/shell/value.js';
import type { Range } from '../../../../src/node/sources/text/line-index.js';
import { names } from '../generator.js';
import type { Outcome } from '../oracle.js';

/** The reader's answer in the terms of bash's, null for what it does not know, and all else it says. */
export interface Read {
  /** null: the shell ends while it reads the text. */
  readonly values: Readonly<Record<string, string | null>> | null;
  readonly says: string;
}

/** A text beside what the reader is to make of it, which is what bash makes of it. */
export type Recorded = Read & { readonly text: string };

const folder = new URL('../../../../fixtures/shell/', import.meta.url);

/** The recordings, by the name of their file. */
export function recordings(): (readonly [file: URL, name: string, cases: readonly Recorded[]])[] {
  return readdirSync(folder).map((name) => {
    const file = new URL(name, folder);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return [file, name.replace('.jsonl', ''), lines.map((line) => JSON.parse(line) as Recorded)];
  });
}

/** Where an answer is not bash's; what the reader says it does not know is none. */
export function differences({ values, says }: Read, bash: Outcome): string[] {
  if (says.includes('guessed')) return [];
  if (bash === null)
    return values === null || /may end|unsupported-syntax|any may differ/.test(says) ? [] : ['bash ended'];
  if (values === null) return ['bash did not end'];
  const open = says.includes('any may differ');
  return [...new Set([...Object.keys(values), ...Object.keys(bash)])]
    .filter((name) => values[name] !== null && values[name] !== bash[name])
    .filter((name) => !(open && values[name] === undefined))
    .filter((name) => !(name === 'ken' && /[?…]/.test(values.ken ?? '')))
    .map((name) => `${name}: bash ${JSON.stringify(bash[name])}, kaiactl ${JSON.stringify(values[name])}`);
}

const home = { variables: { HOME: '/home/op' }, exported: ['HOME'], isSetting: isKnownVariable };

/** Reads a text as a conf, or (when it calls `ken`) as a script that is followed. */
export function read(text: string): Read {
  const calls: string[] = [];
  const says: string[] = [];
  const observer = {
    command(shell: Shell, command: SimpleCommand, fields: Fields) {
      const [name, ...words] = fields.values.map((value) => known(value) ?? '?');
      if (name !== 'ken') return;
      calls.push(`${words.map((word) => `<${word}>`).join('')}${fields.exact ? '' : '…'}`);
      const to = shell.outputs.flat().map(({ operator }) => ` ${operator}`);
      const from = fields.from.map(({ start }) => ` ${start}`);
      says.push(`ken${place(command)}${from.join('')}${to.join('')}${shell.piped ? ' piped' : ''}`);
    },
  };
  let guessed = false;
  const decide = () => {
    guessed = true;
    return false;
  };
  const script = /\bken\b/.test(text);
  const { shell, ends } = readShell(text, script ? { ...home, observer, decide } : home);
  const variables = [...shell.memory.all()];
  const others = variables
    .filter(([name, { value }]) => (value ?? null) !== null && !expected.has(name))
    .map(([name]) => name);
  const removed = variables.filter(([, { value }]) => value === null).map(([name]) => name);
  return {
    values: ends === null ? { ...valuesOf(shell), ...(calls.length > 0 && { ken: calls.join(' ') }) } : null,
    says: [
      ...says,
      ...shell.journal.assignments.map(assigned),
      ...shell.journal.syntaxIssues.map(
        ({ kind, variable, likelyMistake, at }) =>
          `${likelyMistake ? '!' : ''}${kind} ${variable ?? ''}${place(at)}`,
      ),
      ...shell.journal.indeterminate.map(
        ({ variable, at, reason }) => `unknown ${variable ?? ''}${place(at)}${why(reason)}`,
      ),
      ...shell.journal.mayExit.map(({ at, reason }) => `may end${place(at)}${why(reason)}`),
      ...(ends === null ? [] : [`ends${place(ends)}`]),
      ...(shell.memory.rest === null ? [] : [['any may differ', ...removed].join(' but ')]),
      ...(others.length > 0 ? [`sets ${others}`] : []),
      ...(guessed ? ['guessed'] : []),
    ].join('; '),
  };
}

function assigned(one: Shell['journal']['assignments'][number]): string {
  const { variable, value, indeterminate, kind, at, valueAt, effective, conditional } = one;
  const what = value === null ? `?${why(indeterminate)}` : value.length > 200 ? `(${value.length})` : value;
  const name = kind === 'unset' ? `unset ${variable}` : `${variable}${kind === 'append' ? '+' : ''}`;
  const when = `${effective ? '' : ' once'}${conditional ? ' maybe' : ''}`;
  return `${name}=${what}${place(at)}${place(valueAt)}${when}`;
}

const expected = new Set<string>([...names, 'HOME']);
const place = ({ start, end }: Range) => ` ${start}:${end}`;
const known = (value: Value) => (isUnknown(value) ? null : value);
/** Nothing is unknown for no reason. */
const why = (reason: string | null) => (reason ? '' : ' for no reason');

const unread = new Set(['syntax-error', 'unclosed-quote', 'unsupported-syntax']);

function valuesOf(shell: Shell): Record<string, string | null> {
  const { memory, journal, doubt } = shell;
  // Nobody asks for the status of a file that was not read to its end.
  const left = doubt.file !== null || journal.syntaxIssues.some(({ kind }) => unread.has(kind));
  const status = left || memory.status === null ? null : String(memory.status);
  const values: Record<string, string | null> = { '?': status };
  for (const name of names) {
    const held = memory.valueOf(name);
    const value = isUnknown(held) && held.list !== undefined ? shell.look(name) : held;
    if (value === undefined) continue;
    values[name] = known(value);
    if (memory.of(name).exported) values[`${name}!`] = '';
  }
  return values;
}
