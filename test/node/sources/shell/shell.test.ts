/** What the shell's reader does that bash does not: it gives up, assumes, and is told what surrounds the text. */
import { describe, expect, test } from 'vitest';
import { readShell } from '../../../../src/node/sources/shell/shell.js';
import type { Fields, Shell, Surroundings } from '../../../../src/node/sources/shell/state.js';
import type { SimpleCommand } from '../../../../src/node/sources/shell/syntax/tree.js';
import type { Range } from '../../../../src/node/sources/text/line-index.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';

const nothing = { variables: {}, exported: [] };
const given = (surroundings: Partial<Surroundings>): Surroundings => ({ ...nothing, ...surroundings });

/** What a variable holds in the end: a text, undefined when it is unset, or a reason in braces. */
function held(
  text: string,
  name: string,
  surroundings: Surroundings = nothing,
  optional: Range | null = null,
) {
  const value = readShell(text, surroundings, optional).shell.look(name);
  return typeof value === 'object' ? `{${value.unknown}}` : value;
}

/** The commands called `ken` that are seen, by what stands behind it. */
function followed(text: string): string[] {
  const seen: string[] = [];
  const command = (_shell: Shell, _command: SimpleCommand, { values: [name, word] }: Fields) => {
    if (name === 'ken') seen.push(String(word));
  };
  readShell(text, given({ observer: { command }, decide: () => false }));
  return seen;
}

test('a command that may not run, and that ends the launcher or the file, leaves the next line to read', () => {
  expect(held('X=$(y)\nA=$((X)) B=${C:?gone}\nD=1\n', 'D')).toBe('1');
  expect(held('X=$(y)\n: $((X)); return\nD=1\n', 'D')).toBe('{bash may have stopped reading the file}');
});

describe('a reader that reaches a limit reports it', () => {
  const long = (lines: number) => `A=${'x'.repeat(60_000)}\n${'B=$A\n'.repeat(lines)}C=1\n`;

  test('after a hundred thousand steps', () => {
    expect(held(long(20), 'C')).toBe('1');
    const { shell, ends } = readShell(long(30), nothing);
    expect(ends).toBeNull();
    expect(shell.look('C')).toEqual({ unknown: 'the file takes too many steps to follow' });
    const [issue, ...more] = shell.journal.syntaxIssues;
    expect(more).toEqual([]);
    expect(issue).toMatchObject({ kind: 'unsupported-syntax', variable: null, likelyMistake: false });
    expect(shell.text.slice(0, issue?.at.start)).toMatch(/B=\$A\n$/);
    expect(issue?.at.end).toBe(issue?.at.start);
  });

  test('in an expression of a hundred thousand tokens', () => {
    const sum = (count: number) => `X=${'1+'.repeat(15_000)}1\nA=$((${'X+'.repeat(count)}0))\n`;
    expect(held(sum(2), 'A')).toBe('30002');
    expect(held(sum(4), 'A')).toBe('{the file takes too many steps to follow}');
  });

  test('twenty functions deep, and after a thousand calls', () => {
    const chain = Array.from({ length: 30 }, (_, at) => `f${at}() { ken ${at}; f${at + 1}; }\n`).join('');
    expect(followed(`${chain}f0\nf0\n`)).toHaveLength(40);
    expect(followed(`f() { ken a; }\n${'f\n'.repeat(1_010)}ken b\n`)).toHaveLength(1_001);
  });
});

describe('the environment of a script', () => {
  test('only the part that a template may leave out is uncertain', () => {
    const text = 'A=1\nB=1\nC=1\n';
    const middle = { start: 4, end: 8 };
    const values = ['A', 'B', 'C'].map((name) => held(text, name, nothing, middle));
    expect(values).toEqual(['1', '{a template may leave the line out}', '1']);
  });

  test('given variables are set; others may be unknown', () => {
    const surroundings = given({
      variables: { A: 'a' },
      exported: ['A'],
      rest: { unknown: 'of the caller' },
    });
    expect(held('X=$A', 'X', surroundings)).toBe('a');
    expect(held('X=$B', 'X', surroundings)).toBe('{of the caller}');
    expect(held('unset B\nX=$B', 'X', surroundings)).toBe('');
    expect(held('x && unset B\nX=$B', 'X', surroundings)).toBe('{of the caller}');
    expect(held('X=$B', 'X')).toBe('');
  });

  test.each([
    [null, '{it depends on a condition that cannot be known (line 1)}'],
    [true, '1'],
    [false, ''],
  ])('an unknown condition taken for %s', (holds, value) => {
    const surroundings = given({ decide: () => holds });
    expect(held('x && X=1', 'X', surroundings) ?? '').toBe(value);
    expect(held('if x; then X=1; fi', 'X', surroundings) ?? '').toBe(value);
  });

  test('a variable that may be exported counts as exported', () => {
    const exported = (text: string) => readShell(text, nothing).shell.memory.of('X').exported;
    for (const text of ['x && export X\nX=1', 'x && set -a\nX=1', 'set -a\nx && set +a\nX=1'])
      expect([text, exported(text)]).toEqual([text, true]);
    expect(exported('x && y=1\nX=1')).toBe(false);
  });
});

test.each([
  ['it holds bytes that are not UTF-8', 'X=a\uFFFD'],
  ['it is a placeholder', `X=a${unfilled}`],
  ['it is the home folder of the user who starts the node', 'HOME=\nX=~'],
  ['the length depends on the locale', 'X=é\nX=${#X}'],
  ['it is longer than 64 KiB', `X=${'a'.repeat(40_000)}\nX=$X$X`],
  ['it is the output of a command', 'X=1\n((X=$(x)))'],
  ['an expansion in a here-document may set it', 'cat <<E\n${X:=1}\nE'],
])('why a value is not known: %s', (reason, text) => expect(held(text, 'X')).toBe(`{${reason}}`));

test.each([
  ['HOME', 'HOMEX'],
  ['PATH', 'XPATH'],
  ['LC_ALL', 'XLC_ALL'],
  ['SSH_TTY', 'SSH_'],
  ['LISTEN_FDS', 'LISTEN'],
  ['SUDO_USER', 'SUDO_'],
  ['XDG_DATA_HOME', 'XDG_'],
  ['prog', 'program'],
])('$%s comes from the caller, $%s does not', (name, other) => {
  expect(held('', name)).toBe(`{$${name} comes from the caller's environment}`);
  expect(held('', other)).toBeUndefined();
});

test('tests of a script’s own variables are decided, since bash resets IFS', () => {
  const caller = given({ rest: { unknown: 'of the caller' } });
  expect(held('A=1\n[ "$A" = 1 ] && X=2', 'X', caller)).toBe('2');
  expect(held('A=1\neval x\nA=1\n[ "$A" = 1 ] && X=2', 'X', caller)).toMatch(/^\{/);
});
