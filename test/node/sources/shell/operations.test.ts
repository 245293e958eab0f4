/** Operators of expansions, as bash itself applies them. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { operated } from '../../../../src/node/sources/shell/operations.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';

const values = ['', 'a', 'abc', 'abcabc', 'a.b.c', '--http=HOSTIP:8545', 'path/to/file.tar.gz', 'x\ny'];
const patterns = ['', 'a', 'b', '*', '?', 'a*', '*c', '*.', '.*', '*/', 'HOSTIP', 'a?c', '(', '--'];
const operators = ['/', '//', '/#', '/%', '#', '##', '%', '%%'];
const cases = operators.flatMap((operator) =>
  values.flatMap((value) => patterns.map((pattern) => [operator, value, pattern] as const)),
);

test('every operator has the result that bash gives', () => {
  const script = cases
    .map(([operator, value, pattern]) => {
      const to = operator.startsWith('/') ? '/new' : '';
      const text = `${operator}${pattern.replaceAll(/[/(]/g, '\\$&')}${to}`;
      return `X='${value}'; printf '%s\\0' "\${X${text}}"`;
    })
    .join('\n');
  const expected = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  const own = cases.map(([operator, value, pattern]) =>
    operated(value, operator, pattern, operator.startsWith('/') ? 'new' : ''),
  );
  const different = cases.filter((_, at) => own[at] !== expected[at]);
  expect(different).toEqual([]);
});

test('what is not known changes only the values that hold the pattern', () => {
  const unknown = { unknown: 'why' };
  expect(operated('--http', '/', 'HOSTIP', unknown)).toBe('--http');
  expect(operated('a HOSTIP b', '/', 'HOSTIP', unknown)).toEqual({
    unknown: 'why',
    partly: `a ${unfilled} b`,
  });
  expect(operated(unknown, '/', 'a', 'b')).toEqual(unknown);
  expect(operated('a', '/', unknown, 'b')).toEqual(unknown);
  expect(operated('a', '/', '[a]', 'b')).toMatchObject({
    unknown: expect.stringContaining('does not evaluate'),
  });
});
