import { expect, test } from 'vitest';
import { endsWithGlob, type Pattern, wildcard } from '../../src/util/wildcard.js';

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

test.each([
  ['a.env', '*.env', true],
  ['x/a.env', '*.env', true],
  ['x/a.env', 'x/?.env', true],
  ['y/x/a.env', 'x/*', true],
  ['x/a.env', 'x*env', false],
  ['x/a.env', 'a*', true],
  ['a.env', 'x/a.env', false],
  ['b.env', '[a-c].env', true],
  ['b.env', '[!a-c].env', false],
  ['d.env', '[^a-c].env', true],
  ['-.env', '[a-].env', true],
  [']', '[]]', true],
  ['b', '[z-a]', false],
  ['a[', 'a*[', true],
  ['a+(b).env', 'a+(?).env', true],
  ['axb', 'a.b', false],
])('%s ends with what %s matches: %s', (path, glob, expected) => {
  expect(endsWithGlob(path, glob)).toBe(expected);
});
