import { expect, test } from 'vitest';
import type { Output } from '../../src/host.js';
import { wantsColor } from '../../src/terminal/capabilities.js';

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
