import { expect, test } from 'vitest';
import { escapeForRegExp } from '../../src/util/escape-for-reg-exp.js';

test('an escaped text matches itself alone, within an expression too', () => {
  const text = '^a.b*c+d?e(f)[g]{1}|$/h\\i-j';
  expect(new RegExp(`^${escapeForRegExp(text)}$`).test(text)).toBe(true);
  expect(new RegExp(`^(?:x|${escapeForRegExp('(old.yml')})$`).test('(old.yml')).toBe(true);
  expect(new RegExp(`^${escapeForRegExp('a.b')}$`).test('a-b')).toBe(false);
});
