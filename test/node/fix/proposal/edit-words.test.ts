/** Edits of words in files that are no conf: what the lines are afterwards, and where nothing is touched. */
import { describe, expect, test } from 'vitest';
import type { Settings, SourceKind, Word } from '../../../../src/node/facts/settings.js';
import { apply } from '../../../../src/node/fix/edits.js';
import type { Edits } from '../../../../src/node/fix/proposal/edit-conf.js';
import {
  addFlagInWords,
  assignInWords,
  removeFlagInWords,
  replaceAt,
} from '../../../../src/node/fix/proposal/edit-words.js';
import { quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { span } from '../../judge/facts.js';

/** A source of these lines; the words between « and » are those of the command line. */
function sourceOf(kind: SourceKind, ...marked: string[]): Settings {
  const start: Word[] = [];
  const lines = marked.map((text, line) => {
    let plain = '';
    for (const part of text.split(/(«[^»]*»)/)) {
      const word = /^«(.*)»$/.exec(part)?.[1];
      if (word !== undefined)
        start.push({
          text: word,
          variable: null,
          at: span(line + 1, plain.length + 1, plain.length + word.length + 1),
        });
      plain += word ?? part;
    }
    return plain;
  });
  const source = { ...quietSettings.source, kind, path: 'kend.conf', lines };
  return { ...quietSettings, source, start, values: {}, keys: {} };
}

function edited({ source }: Settings, edits: Edits): string[] | null {
  const flat = edits?.map(({ at, text }) => ({ ...at, text }));
  const text = `${source.lines.join('\n')}\n`;
  return flat === undefined ? null : (apply(text, flat)?.slice(0, -1).split('\n') ?? null);
}
const place = (settings: Settings, flag = '--x') => ({
  at: settings.start?.find(({ text }) => text?.startsWith(flag))?.at ?? null,
});

describe('a flag is removed', () => {
  test.each<[SourceKind, string[], string[] | null]>([
    ['compose', ['  - «--a»', '  - «--x»', '  - «1»', '  - «--b»'], ['  - --a', '  - --b']],
    ['compose', ['  - "«--x=1»" # why', '  - «--b»'], ['  - --b']],
    ['compose', ['[«--a», «--x», «1», «--b»]'], ['[--a, --b]']],
    ['compose', ['["«--x»", "«1»"]'], ['[]']],
    ['compose', ['["«--a»", "«--x»"]'], ['["--a"]']],
    ['dockerfile', ['CMD ["«--x»", "«--b»"]'], ['CMD ["--b"]']],
    ['kubernetes', ['[', '  "«--x»",', '  "«1»",', '  "«--b»"', ']'], ['[', '  "--b"', ']']],
    ['kubernetes', ['[', '  "«--x»", "«1»",', '  "«--b»"', ']'], ['[', '  "--b"', ']']],
    ['kubernetes', ['["«--x»",', '  "«1»"]'], null],
    ['systemd', ['ExecStart=ken «--a» «--x» «1» «--b»'], ['ExecStart=ken --a --b']],
    ['systemd', ['ExecStart=ken «--x»'], ['ExecStart=ken']],
    ['systemd', ['ken \\', '  «--x» «1» \\', '  «--b»'], ['ken \\', '  --b']],
    ['systemd', ['ken \\', '  «--x»'], ['ken \\', ' ']],
    ['systemd', ['ken «--x» \\', '  «1»'], null],
    ['script', ["A='«--x» «--b»'"], ["A='--b'"]],
    ['script', ['a;«--x»;b'], null],
    ['systemd', ['[«--x»]'], null],
  ])('of %s: %j', (kind, lines, expected) => {
    const settings = sourceOf(kind, ...lines);
    expect(edited(settings, removeFlagInWords(settings, place(settings)))).toEqual(expected);
  });

  test('except where no word is written', () => {
    expect(removeFlagInWords(sourceOf('compose', 'x'), { at: null })).toBeNull();
  });
});

test.each<[SourceKind, string[], string[] | null]>([
  ['compose', ['  - «--a»', '  - "«--b»"'], ['  - --a', '  - "--b"', '  - "--y"']],
  ['compose', ['  - «--a» # why', 'x: 1'], ['  - --a # why', '  - --y', 'x: 1']],
  ['compose', ['["«--a»"]'], ['["--a", "--y"]']],
  ['dockerfile', ["CMD ['«--a»', x]"], ["CMD ['--a', '--y', x]"]],
  ['systemd', ['ExecStart=ken «--a»'], ['ExecStart=ken --a --y']],
  ['systemd', ['ExecStart=ken "«--a»"'], ['ExecStart=ken "--a" --y']],
  ['systemd', ['ken;«--a»;'], null],
  ['systemd', ['ken'], null],
])('a flag is added behind the last word of %s: %j', (kind, lines, expected) => {
  const settings = sourceOf(kind, ...lines);
  expect(edited(settings, addFlagInWords(settings, 'y'))).toEqual(expected);
  expect(addFlagInWords({ ...settings, start: null }, 'y')).toBeNull();
});

describe('another text at a place', () => {
  const at = (line: string, word: string) =>
    span(1, line.indexOf(word) + 1, line.indexOf(word) + word.length + 1);
  test.each<[string, string, string, string | null]>([
    ['a: old', 'old', 'new', 'a: new'],
    ['a: "old"', '"old"', 'new', 'a: "new"'],
    ["a: 'old'", "'old'", '', "a: ''"],
    ['a: "old"', 'old', '', 'a: ""'],
    ['a=old b', 'old', '', 'a= b'],
    ['a=old', 'old', '', 'a='],
    ['a=old;b', 'old', '', null],
    ['a: old', 'old', '', null],
    ['a: old', 'old', 'n w', null],
    ['a: old', 'old', 'n$w', null],
    ['a: o$d', 'o$d', 'new', null],
    ['a: "o`d"', '"o`d"', 'new', null],
    ['a: x"old', 'x"old', 'new', null],
  ])('%s: %s becomes %j', (line, word, value, expected) => {
    const settings = sourceOf('compose', line);
    const edits = replaceAt(settings, at(line, word), value);
    expect(edited(settings, edits)).toEqual(expected === null ? null : [expected]);
  });

  test('is not written in another file or over two lines', () => {
    const settings = sourceOf('compose', 'a: old');
    const there = at('a: old', 'old');
    expect(replaceAt(settings, { ...there, file: 'other' }, 'x')).toBeNull();
    expect(replaceAt(settings, { ...there, endLine: 2 }, 'x')).toBeNull();
  });
});

test.each<[string, string[], string[] | null]>([
  ['behind its flag', ['[«--x», «old»]'], ['[--x, new]']],
  ['behind its =', ['["«--x=old»"]'], ['["--x=new"]']],
  ['beside', ['[«--near»]'], ['[--near, --x=new]']],
  ['nowhere', ['[«--other»]'], null],
  ['of a switch', ['[«--x», «--other»]'], null],
])('a flag gets a value %s', (_, lines, expected) => {
  const settings = sourceOf('compose', ...lines);
  const from = (flag: string) => {
    const { at } = place(settings, `--${flag}`);
    const origin = { kind: 'flag', flag: `--${flag}`, at } as const;
    return at === null ? {} : { [flag]: { value: 'old', origin, shadowed: [], indeterminate: null } };
  };
  const whole = { ...settings, values: { ...from('x'), ...from('near') } };
  expect(edited(whole, assignInWords(whole, 'x', 'new', 'near'))).toEqual(expected);
});
