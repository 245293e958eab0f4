/** What a settings file gives: a section, overlaid by a named one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSections } from '../../src/cli/profile.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-profile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'settings.ini');

function on(env: Record<string, string>, cwd = '/', platform: NodeJS.Platform = 'linux') {
  return { env, cwd, platform };
}

/** The profile of a settings file with this text. */
function read(text: string, name?: string, group = 'node') {
  writeFileSync(file, text);
  return readSections(group, { file: 'settings.ini', name }, on({}, folder));
}
const text = `[node]
fail-on = low
timeout = 3s
header[] = a: 1
header[] = b: 2
[node fleet]
fail-on = high
header[] = c: 3
[survey]
api-url = http://127.0.0.1
`;

test('without a name only the section of the group is read', async () => {
  const values = { 'fail-on': 'low', timeout: '3s', header: ['a: 1', 'b: 2'] };
  expect(await read(text)).toMatchObject([{ where: `${file} [node]`, named: false, values }]);
  expect(await read(text, undefined, 'survey')).toMatchObject([
    { values: { 'api-url': 'http://127.0.0.1' } },
  ]);
  expect(await read(text, undefined, 'report')).toEqual([]);
});

test('a named section comes before the section of the group', async () => {
  expect(await read(text, 'fleet')).toMatchObject([
    { where: `${file} [node fleet]`, named: true, values: { 'fail-on': 'high', header: ['c: 3'] } },
    { where: `${file} [node]`, named: false },
  ]);
  expect(await read('[node fleet]\nfail-on = high\n', 'fleet')).toMatchObject([
    { values: { 'fail-on': 'high' } },
  ]);
});

test.each([
  [text, 'flet', 'has no section [node flet]', 'It has: node fleet.'],
  ['[node]\n', 'fleet', 'has no section [node fleet]', 'Add one.'],
  ['[survey fleet]\n', 'fleet', 'has no section [node fleet]', 'Add one.'],
])('a profile name without a section is rejected: %j', async (content, name, message, hint) => {
  await expect(read(content, name)).rejects.toMatchObject({
    message: `${file} ${message}`,
    hint,
  });
});

test('without --config the user’s own file is read if it exists', async () => {
  const home = join(folder, 'home');
  mkdirSync(join(home, '.config/kaiactl'), { recursive: true });
  const none = readSections('node', {}, on({ HOME: folder }));
  expect(await none).toEqual([]);
  await expect(readSections('node', { name: 'x' }, on({ HOME: folder }))).rejects.toMatchObject({
    message: expect.stringContaining('profile x: there is no settings file at'),
  });
  writeFileSync(join(home, '.config/kaiactl/config.ini'), '[node]\ntimeout = 3s\n');
  const values = { timeout: '3s' };
  expect(await readSections('node', {}, on({ HOME: home }))).toMatchObject([{ values }]);
  const elsewhere = { HOME: folder, XDG_CONFIG_HOME: join(home, '.config') };
  expect(await readSections('node', {}, on(elsewhere))).toMatchObject([{ values }]);
  expect(await readSections('node', {}, on({ HOME: home, XDG_CONFIG_HOME: '' }))).toMatchObject([{ values }]);
  await expect(readSections('node', { file: 'none.ini' }, on({ HOME: home }, folder))).rejects.toThrow(
    'none.ini',
  );
});

test.each([
  ['win32', { APPDATA: 'roaming', USERPROFILE: 'user' }, 'roaming'],
  ['win32', { APPDATA: '', USERPROFILE: 'user', HOME: 'home' }, 'user/AppData/Roaming'],
  ['win32', { APPDATA: 'roaming', XDG_CONFIG_HOME: 'xdg' }, 'xdg'],
  ['darwin', { HOME: 'home', APPDATA: 'roaming' }, 'home/.config'],
] as const)('on %s with %j the user’s file is in %s', async (platform, env, below) => {
  await expect(readSections('node', { name: 'x' }, on(env, '/', platform))).rejects.toMatchObject({
    message: `profile x: there is no settings file at ${join(below, 'kaiactl', 'config.ini')}`,
  });
});
