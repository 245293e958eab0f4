/** The expressions of grep, beside grep itself. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { posixPattern } from '../../../../src/node/sources/text/posix-pattern.js';

const lines = [
  'A=b',
  '# c',
  '  # d',
  '',
  '  ',
  'a+b',
  'aab',
  'x(y|z)',
  'a^b$c',
  'A-1_z',
  'a\\tb',
  'a\tb',
  ']x',
  'ab',
];

const patterns = [
  '^#',
  '^$',
  '^\\s*#',
  '^[[:space:]]*$',
  '(^#|^$)',
  '\\(^#\\|^$\\)',
  '^[^#]',
  '^[A-Z_]*=',
  '[]x]',
  'a+b',
  'a\\+b',
  'a.b',
  'a\\.b',
  'x(y|z)',
  'a^b$c',
  '=b$',
  '^a*b',
  '^(A|a)',
  '-1',
  '[[:upper:]][=-]',
];

test.each(patterns.flatMap((one) => [[one, false] as const, [one, true] as const]))(
  '%s matches what grep matches (extended: %s)',
  (text, extended) => {
    const pattern = posixPattern(text, extended);
    const grep = spawnSync('grep', [extended ? '-E' : '-G', '-e', text], { input: `${lines.join('\n')}\n` });
    const found = grep.stdout.toString();
    if (pattern !== null)
      expect(
        lines
          .filter((line) => line.search(pattern) >= 0)
          .map((line) => `${line}\n`)
          .join(''),
      ).toBe(found);
  },
);

test.each(['^#', '^\\s*#', '(^#|^$)', '^[[:space:]]*$', '\\s*#.*', '^[A-Z_]+='])('%s is read', (text) => {
  expect(posixPattern(text, true)).not.toBeNull();
});

test.each(['(a+)+b', '.*.*x', 'a*b*c*d', '(a|aa)*', 'a{1,50}', '\\1', '[a', 'a**'])(
  '%s may take long, or is not an expression: it is not read',
  (text) => {
    expect(posixPattern(text, true)).toBeNull();
  },
);
