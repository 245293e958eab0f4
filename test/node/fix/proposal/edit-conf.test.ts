/** Edits of a conf: what the text is afterwards, and where nothing can be said. */
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../../src/node/facts/settings.js';
import { apply } from '../../../../src/node/fix/edits.js';
import {
  addFlagInConf,
  assignInConf,
  type Edits,
  removeFlagInConf,
  removeLinesInConf,
} from '../../../../src/node/fix/proposal/edit-conf.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { readConf } from '../../editables.js';
import { span } from '../../judge/facts.js';

const settingsOf = (...lines: string[]): Settings =>
  readConf('kend.conf', Buffer.from(lines.join('\n')), { launcher: 'kend', package: 'tar' }).settings;

/** The lines once the edits are made; null: nobody can say. */
function edited({ source }: Settings, edits: Edits): string[] | null {
  const flat = edits?.map(({ at, text }) => ({ ...at, text }));
  return flat === undefined ? null : (apply(source.lines.join('\n'), flat)?.split('\n') ?? null);
}

describe('a flag is removed', () => {
  const placeOf = (settings: Settings, flag: string) => {
    const found = (settings.start ?? []).find(({ text }) => text?.startsWith(`--${flag}`));
    return { at: found?.at ?? null };
  };
  test.each([
    ['between others', 'ADDITIONAL="--b 1 --x --c"', 'ADDITIONAL="--b 1 --c"'],
    ['as the first', 'ADDITIONAL="--x --c"', 'ADDITIONAL="--c"'],
    ['as the last', 'ADDITIONAL="--b --x"', 'ADDITIONAL="--b"'],
    ['alone', 'ADDITIONAL="--x"', 'ADDITIONAL=""'],
    ['with its value', 'ADDITIONAL="--b --x 1 --c"', 'ADDITIONAL="--b --c"'],
    ['with its value behind =', 'ADDITIONAL="--x=1 2"', 'ADDITIONAL="2"'],
    ['without quotes', 'ADDITIONAL=--x', 'ADDITIONAL='],
  ])('%s', (_, line, expected) => {
    const settings = settingsOf(line);
    expect(edited(settings, removeFlagInConf(settings, placeOf(settings, 'x')))).toEqual([expected]);
  });

  test.each([
    ['from a variable', ['X=--x', 'ADDITIONAL="$X"']],
    ['with a value from a variable', ['V=1', 'ADDITIONAL="--x $V"']],
    ['over two lines', ['ADDITIONAL="--b --x', '1"']],
    ['over two lines by a backslash', ['ADDITIONAL="--b --x \\', '1"']],
  ])('except %s', (_, lines) => {
    const settings = settingsOf(...lines);
    expect(removeFlagInConf(settings, placeOf(settings, 'x'))).toBeNull();
  });

  test('except where no word is written and in other files', () => {
    const settings = settingsOf('ADDITIONAL="--x"');
    const { at } = placeOf(settings, 'x');
    expect(removeFlagInConf(settings, { at: null })).toBeNull();
    expect(removeFlagInConf(settings, { at: span(9, 1, 2) })).toBeNull();
    expect(removeFlagInConf({ ...settings, start: null }, { at })).toBeNull();
    const elsewhere = { ...settings, source: { ...settings.source, path: 'other.conf' } };
    expect(removeFlagInConf(elsewhere, { at })).toBeNull();
  });
});

describe('a setting gets another value', () => {
  const set = (value: string, ...lines: string[]) => {
    const settings = settingsOf(...lines);
    return edited(settings, assignInConf(settings, 'rpcaddr', value, 'rpc'));
  };
  test.each([
    ['where it is set', ['RPC_ADDR=0.0.0.0 # x'], ['RPC_ADDR="127.0.0.1" # x']],
    ['behind what it belongs to', ['RPC_ENABLE=1', 'X=2'], ['RPC_ENABLE=1', 'RPC_ADDR="127.0.0.1"', 'X=2']],
    ['as the word behind its flag', ['ADDITIONAL="--rpcaddr ::"'], ['ADDITIONAL="--rpcaddr 127.0.0.1"']],
    ['behind the = of its flag', ['ADDITIONAL="--rpcaddr=::"'], ['ADDITIONAL="--rpcaddr=127.0.0.1"']],
    ['not where two lines make it', ['RPC_ADDR=10', 'RPC_ADDR+=.0.0.1'], null],
    ['not where nothing stands beside', ['X=1'], null],
    ['not behind a line that goes on', ['RPC_ENABLE=1 \\', '  ; X=1'], null],
    ['not for a flag from a variable', ['A=::', 'ADDITIONAL="--rpcaddr $A"'], null],
  ])('%s', (_, lines, expected) => expect(set('127.0.0.1', ...lines)).toEqual(expected));

  test.each(['a b', '*', '$x', 'a;b', ''])('the value %j is rejected for a flag', (value) => {
    expect(set(value, 'ADDITIONAL="--rpcaddr ::"')).toBeNull();
    expect(set(value, 'RPC_ADDR=::')).not.toBeNull();
  });

  test('a value that bash cannot quote is not written', () => {
    expect(set('a\nb', 'RPC_ADDR=::')).toBeNull();
    expect(set('8551', 'RPC_ADDR=::')).toEqual(['RPC_ADDR=8551']);
  });
});

test.each([
  ['behind the last word', ['ADDITIONAL="--b" # x'], ['ADDITIONAL="--b --x" # x']],
  [
    'behind the last of two',
    ['ADDITIONAL="--b"', "ADDITIONAL='--c'"],
    ['ADDITIONAL="--b"', "ADDITIONAL='--c --x'"],
  ],
  ['in the empty one', ['ADDITIONAL=""  # a note', 'X=1'], ['ADDITIONAL="--x"  # a note', 'X=1']],
  ['not in another’s empty one', ['XADDITIONAL=""'], ['XADDITIONAL=""', 'ADDITIONAL="$ADDITIONAL --x"']],
  ['not in one that goes on', ['ADDITIONAL=""y'], ['ADDITIONAL=""y', 'ADDITIONAL="$ADDITIONAL --x"']],
  ['on a line of its own', ['RPC_API="eth"'], ['RPC_API="eth"', 'ADDITIONAL="$ADDITIONAL --x"']],
])('a flag is added %s', (_, lines, expected) => {
  const settings = withKind(kinds, settingsOf(...lines));
  expect(edited(settings, addFlagInConf(settings, 'x'))).toEqual(expected);
});

test('no flag is added to a source without lines', () => {
  const settings = withKind(kinds, settingsOf('X=1'));
  expect(addFlagInConf({ ...settings, source: { ...settings.source, lines: [] } }, 'x')).toBeNull();
});

describe('lines are removed', () => {
  const lines = ['A=1', 'B=2', '# c', 'D="$A-4"', "export E='5'"];
  const out = (...numbers: number[]) => {
    const settings = settingsOf(...lines);
    return edited(
      settings,
      removeLinesInConf(
        settings,
        numbers.map((line) => span(line, 1, 2)),
      ),
    );
  };
  test.each([
    [[1], [2, 3, 4, 5]],
    [[2], [1, 3, 4, 5]],
    [[5], [1, 2, 3, 4]],
    [
      [4, 5],
      [1, 2, 3],
    ],
    [
      [2, 4],
      [1, 3, 5],
    ],
    [
      [1, 2, 3],
      [4, 5],
    ],
  ])('%j leave %j', (gone, left) => {
    expect(out(...gone)).toEqual(left.map((line) => lines[line - 1]));
  });

  test('removing the only line leaves an empty file', () => {
    const [edit] = removeLinesInConf(settingsOf('A=1', ''), [span(1, 1, 4)]) ?? [];
    expect(edit).toMatchObject({ at: { line: 1, column: 1, endLine: 2, endColumn: 1 }, text: '' });
  });

  test.each([
    ['a command', 'rm -rf x', {}],
    ['a command behind it', 'A=1; B=2', {}],
    ['what a command says', 'A=$(date)', {}],
    ['more than one line', 'A=1', { endLine: 2 }],
    ['another file', 'A=1', { file: 'other.conf' }],
    ['no line', 'A=1', { line: 9, endLine: 9 }],
  ])('except %s', (_, line, over) => {
    expect(removeLinesInConf(settingsOf(line), [{ ...span(1, 1, 2), ...over }])).toBeNull();
  });
});
