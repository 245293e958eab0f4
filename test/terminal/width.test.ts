/** Widths, tables and wrapped text. */
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { lineWidthOf, widthOf } from '../../src/terminal/capabilities.js';
import { table } from '../../src/terminal/table.js';
import { columns } from '../../src/terminal/wrap.js';
import { run } from '../cli/run.js';

test('a terminal has its width; a pipe has 80, or what COLUMNS says', () => {
  const pipe = new PassThrough();
  expect(widthOf(pipe, { env: {} })).toBe(80);
  expect(widthOf(pipe, { env: { COLUMNS: '132' } })).toBe(132);
  expect(widthOf(pipe, { env: { COLUMNS: 'wide' } })).toBe(80);
  // As docker run -t and ssh -tt say it from cron.
  const sizeless = Object.assign(new PassThrough(), { columns: 0, isTTY: true });
  expect([widthOf(sizeless, { env: {} }), lineWidthOf(sizeless, { env: {} })]).toEqual([80, 80]);
  expect(lineWidthOf(pipe, { env: {} })).toBe(Number.POSITIVE_INFINITY);
  expect(widthOf(pipe, { env: { COLUMNS: '0' } })).toBe(80);
  expect(widthOf(Object.assign(pipe, { columns: 100 }), { env: { COLUMNS: '132' } })).toBe(100);
});

describe('table', () => {
  const heads = ['drift', 'conf says', 'node says', ''];
  const long = 'x'.repeat(90);

  test.each([
    [30, [['RPC_API', 'eth,kaia', 'debug,eth,kaia', 'restart pending']]],
    [40, [['RPC_API', long, 'debug', '']]],
    [80, [['RPC_API', long, long, 'restart pending']]],
    [80, [['a', 'b', 'c', '']]],
  ])('within %i columns, nothing cut and nothing run together', (width, rows) => {
    const shown = table(heads, rows, width);
    expect(Math.max(...shown.split('\n').map(columns))).toBeLessThanOrEqual(width);
    const squeezed = shown.replaceAll(/\s/g, '');
    for (const letter of ['x', 'debug']) {
      const count = (text: string) => text.split(letter).length;
      expect(count(squeezed)).toBe(count(rows.flat().join('')));
    }
    expect(shown).not.toMatch(/xRPC|xdebug|xrestart|x{91}/);
  });
});

const conf = `RPC_ENABLE=1\nRPC_API="klay,eth,personal"\nRPC_ADDR="0.0.0.0"\nRPC_CORSDOMAIN="*"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n`;
const stdin = ['-', '--stdin-filename', 'kend.conf'];

/** What is there to be pasted stays on its line: settings, command lines, long names. */
const pasted = /^\s*(?:bad|good|\$)\s|^\s+\S+$|https?:/;

test.each([
  ['lint', ['node', 'lint', ...stdin]],
  ['a plan', ['node', 'audit', 'http://127.0.0.1:8551', '--plan']],
  ['settings', ['node', 'settings', ...stdin]],
  ['explain', ['node', 'explain']],
  ['a rule', ['node', 'explain', 'wildcard-cors']],
  ['help', ['--help']],
  ['help of lint', ['node', 'lint', '--help']],
  ['help of join', ['survey', 'join', '--help']],
])('%s fits into 40 columns', async (_what, words) => {
  const { out } = await run(words, { stdin: conf, env: { COLUMNS: '40' }, columns: undefined });
  const wide = out.split('\n').filter((line) => columns(line) > 40 && !pasted.test(line));
  expect(wide).toEqual([]);
});
