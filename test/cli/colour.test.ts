import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Output } from '../../src/host.js';
import { wantsColor } from '../../src/terminal/capabilities.js';
import { installed } from '../node/report/tools.js';

const terminal = { isTTY: true } as Output;
const pipe = { isTTY: false } as Output;

test.each<[string, boolean, Record<string, string>, Output, boolean]>([
  ['a terminal', true, {}, terminal, true],
  ['a pipe', true, {}, pipe, false],
  ['--no-color', false, { FORCE_COLOR: '1' }, terminal, false],
  ['NO_COLOR', true, { NO_COLOR: '1' }, terminal, false],
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, terminal, true],
  ['FORCE_COLOR into a pipe', true, { FORCE_COLOR: '1' }, pipe, true],
  ['an empty FORCE_COLOR into a pipe', true, { FORCE_COLOR: '' }, pipe, false],
  ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, terminal, false],
  ['NO_COLOR outranks FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, pipe, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, terminal, false],
])('%s', (_name, color, env, stream, wanted) => {
  expect(wantsColor({ color }, { env }, stream)).toBe(wanted);
});

// The script of util-linux runs a command on a terminal of its own; that of macOS has other options.
const hasTerminal = process.platform === 'linux' && installed('script', 'a dumb terminal');

test.skipIf(!hasTerminal)('a dumb terminal gets no escape sequence, another one gets colour', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const shown = (term: string) =>
    spawnSync(
      'script',
      ['-qec', `${process.execPath} bin/kaiactl.js node lint fixtures/demo/kend.conf`, '/dev/null'],
      { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, TERM: term } },
    ).stdout;
  const dumb = shown('dumb');
  expect(dumb).toContain('critical unsafe-debug');
  expect(dumb).not.toContain('\u001b');
  expect(shown('xterm')).toContain('\u001b[');
});
