import { expect, test } from 'vitest';
import { matchesGlob, type Pattern, wildcard } from '../../src/util/wildcard.js';

const patternOf = (text: string): Pattern => [...text].map((char) => ({ char, wild: '*?'.includes(char) }));

function match(pattern: string, text: string): { matches: boolean; steps: number } {
  let steps = 0;
  const matches = wildcard(patternOf(pattern), text, (more) => {
    steps += more;
  });
  return { matches, steps };
}

test.each([
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['?', '', false],
  ['?', '\u{1f600}', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b-', false],
  ['*ab', 'aab', true],
  ['*a?c*', 'xxabcxx', true],
  ['a**b', 'ab', true],
  ['abc', 'abcd', false],
])('%s against %s: %s', (pattern, text, expected) => {
  expect(match(pattern, text).matches).toBe(expected);
});

test('a quoted star is a star', () => {
  const quoted: Pattern = [{ char: '*', wild: false }];
  expect(wildcard(quoted, '*', () => {})).toBe(true);
  expect(wildcard(quoted, 'a', () => {})).toBe(false);
});

test.each(['*a*a*b', '*a'.repeat(40), `${'*a'.repeat(40)}b`, '*aaaaaaaaab', '*?*?*?*b', '*'.repeat(50)])(
  'the steps for %s grow with text times pattern, never faster',
  (pattern) => {
    const text = 'a'.repeat(4000);
    expect(match(pattern, text).steps).toBeLessThanOrEqual((text.length + 1) * (pattern.length + 1));
    expect(match('*a*a*b', text).steps).toBeLessThanOrEqual(4 * text.length);
  },
);

test('a step counter can end the match', () => {
  const tired = (): never => {
    throw new Error('enough');
  };
  expect(() => wildcard(patternOf('*b'), 'a'.repeat(5000), tired)).toThrow('enough');
});

test('a glob matches a whole name, and other characters match themselves', () => {
  const names = ['compose.yaml', 'compose.yml', 'compose(old.yml', 'xcompose.yml'];
  expect(names.filter((name) => matchesGlob('compose*.y*ml', name))).toEqual(names.slice(0, 3));
  expect(names.filter((name) => matchesGlob('compose?yml', name))).toEqual(['compose.yml']);
  expect(names.filter((name) => matchesGlob('compose(*', name))).toEqual(['compose(old.yml']);
});
