/** When output is coloured: --color, NO_COLOR, terminals. */
import { expect, test } from 'vitest';
import type { Output } from '../../src/host.js';
import { showsLinks, wantsColor } from '../../src/terminal/capabilities.js';
import { run } from '../node/offline.js';

const terminal = { isTTY: true } as Output;
const pipe = { isTTY: false } as Output;

test.each<[string, 'auto' | 'always' | 'never', Record<string, string>, Output, boolean]>([
  ['a terminal', 'auto', {}, terminal, true],
  ['a pipe', 'auto', {}, pipe, false],
  ['--color never', 'never', { FORCE_COLOR: '1' }, terminal, false],
  ['NO_COLOR', 'auto', { NO_COLOR: '1' }, terminal, false],
  ['an empty NO_COLOR', 'auto', { NO_COLOR: '' }, terminal, true],
  ['FORCE_COLOR into a pipe', 'auto', { FORCE_COLOR: '1' }, pipe, true],
  ['an empty FORCE_COLOR into a pipe', 'auto', { FORCE_COLOR: '' }, pipe, false],
  ['FORCE_COLOR=0', 'auto', { FORCE_COLOR: '0' }, terminal, false],
  ['NO_COLOR outranks FORCE_COLOR', 'auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, pipe, false],
  ['--color always into a pipe', 'always', { NO_COLOR: '1', TERM: 'dumb' }, pipe, true],
  ['a dumb terminal', 'auto', { TERM: 'dumb' }, terminal, false],
])('%s', (_name, color, env, stream, wanted) => {
  expect(wantsColor({ color }, { env }, stream)).toBe(wanted);
});

test.each<[Record<string, string>, Output, boolean]>([
  [{}, terminal, false],
  [{ VTE_VERSION: '7006' }, terminal, true],
  [{ VTE_VERSION: '7006' }, pipe, false],
  [{ VTE_VERSION: '4600' }, terminal, false],
  [{ TERM: 'xterm-kitty' }, terminal, true],
  [{ TERM: 'dumb', WT_SESSION: 'x' }, terminal, false],
  [{ TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, terminal, false],
  [{ FORCE_HYPERLINK: '1' }, pipe, true],
])('links with %j', (env, stream, shown) => {
  expect(showsLinks(stream, { env })).toBe(shown);
});

test.each<[string[], Record<string, string>, boolean]>([
  [['--color', 'always'], {}, true],
  [['--color', 'auto'], {}, false],
  [[], { KAIACTL_COLOR: 'always' }, true],
  [['--no-color'], { KAIACTL_COLOR: 'always' }, false],
  [['--color', 'always'], { KAIACTL_COLOR: 'false' }, true],
  [[], { KAIACTL_COLOR: 'false', FORCE_COLOR: '1' }, false],
  [[], { KAIACTL_COLOR: 'true', FORCE_COLOR: '1' }, true],
])('%j with %j: colour %s', async (words, env, wanted) => {
  const stdin = 'RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=klay,personal\n';
  const { out } = await run(['node', 'lint', '-', '--stdin-filename', 'kend.conf', ...words], { stdin, env });
  expect(out.includes('\u001b[')).toBe(wanted);
});

test('--color takes auto, always and never only', async () => {
  expect((await run(['node', 'lint', '--color', 'often'])).err).toContain(
    'Allowed choices are auto, always, never',
  );
});
