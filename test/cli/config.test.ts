/** `config show`, and the order in which the places of an option's value count. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-config-'));
const home = join(folder, 'home');
const repository = join(folder, 'repository');
const user = join(home, '.config/kaiactl/config.ini');
const conf = 'RPC_ENABLE=1\nNETWORK=mainnet\nDATA_DIR=/srv/kend\nRPC_ADDR=0.0.0.0\n';

beforeAll(() => {
  mkdirSync(join(home, '.config/kaiactl'), { recursive: true });
  mkdirSync(join(repository, 'confs'), { recursive: true });
  writeFileSync(join(repository, 'confs/kend.conf'), conf);
  writeFileSync(user, '[node]\nfail-on = low\ntimeout = 9s\n[node strict]\nfail-on = medium\n');
  writeFileSync(join(repository, 'kaiactl.ini'), '[node]\nfail-on = critical\nexclude = examples/, *.old\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kaiactl = (argv: readonly string[], env: Record<string, string> = {}, cwd = repository) =>
  run(argv, { cwd, env: { HOME: home, ...env } });

async function shown(option: string, argv: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await kaiactl(['config', 'show', '--format', 'json', ...argv], env);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { options } = JSON.parse(out) as { options: { option: string; value: unknown; from: string }[] };
  const { value, from } = options.find((one) => one.option === option) ?? {};
  return [value, from?.replace(folder, '')];
}

const profile = ['--profile', 'strict'];
const variable = { KAIACTL_FAIL_ON: 'high' };

test.each<[string, string[], Record<string, string>, string, string, number]>([
  ['the command line', [...profile, '--fail-on', 'none'], variable, 'none', 'command line', 0],
  ['the environment', profile, variable, 'high', 'the environment variable KAIACTL_FAIL_ON', 0],
  ['the named profile', profile, {}, 'medium', '/home/.config/kaiactl/config.ini [node strict]', 1],
  ['the repository’s kaiactl.ini', [], {}, 'critical', '/repository/kaiactl.ini [node]', 0],
])('%s sets --fail-on, and lint ends accordingly', async (_, words, env, value, from, code) => {
  expect(await shown('--fail-on', ['node', 'lint', ...words, 'confs'], env)).toEqual([value, from]);
  expect((await kaiactl(['node', 'lint', ...words, 'confs'], env)).code).toBe(code);
});

test('without a kaiactl.ini the section in the user’s own file counts, and without that the default', async () => {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'kend.conf'), conf);
  const argv = ['node', 'lint', join(elsewhere, 'kend.conf')];
  const from = '/home/.config/kaiactl/config.ini [node]';
  expect(await shown('--fail-on', argv)).toEqual(['low', from]);
  expect((await kaiactl(argv, {}, elsewhere)).code).toBe(1);
  expect(await shown('--fail-on', argv, { HOME: '/nowhere' })).toEqual(['high', 'default']);
  expect((await kaiactl(argv, { HOME: '/nowhere' }, elsewhere)).code).toBe(0);
});

test('options that kaiactl.ini does not have keep the value of the user’s section', async () => {
  const from = '/home/.config/kaiactl/config.ini [node]';
  expect(await shown('--timeout', ['node', 'audit'])).toEqual(['9s', from]);
});

test('what kaiactl.ini excludes is added to what options exclude', async () => {
  expect(await shown('--exclude', ['node', 'lint'])).toEqual([
    ['examples/', '*.old'],
    '/repository/kaiactl.ini [node]',
  ]);
  const [both] = await shown('--exclude', ['node', 'lint', '--exclude', '*.bak']);
  expect(both).toEqual(['*.bak', 'examples/', '*.old']);
});

test('config show prints switches, lists and unset options, and masks secrets', async () => {
  const argv = ['node', 'audit', '--header', 'Authorization: Bearer abcdef', '--no-color', '--plan'];
  expect(await shown('--header', argv)).toEqual([['Authorization: (hidden)'], 'command line']);
  expect(await shown('--color', argv)).toEqual(['never', 'command line']);
  expect(await shown('--color', ['node', 'audit'])).toEqual(['auto', 'default']);
  expect(await shown('--plan', argv)).toEqual([true, 'command line']);
  expect(await shown('--policy', argv)).toEqual([null, 'default']);
  expect(await shown('--api-url', ['survey', 'join', '0x1'])).toEqual([null, 'default']);
  expect(await shown('--keep-going', ['survey', 'join', '--batch', 'b'])).toEqual([true, 'default']);
  const url = ['--api-url', 'https://user:hunter2@api.example'];
  expect(await shown('--api-url', ['survey', 'join', ...url, '0x1'])).toEqual([
    'https://************@api.example',
    'command line',
  ]);
});

test('a typo in the group’s own section is refused with a profile too', async () => {
  const config = join(folder, 'typo.ini');
  writeFileSync(config, '[node]\nfial-on = low\n[node strict]\nfail-on = medium\n');
  const { code, err } = await kaiactl(['node', 'lint', '--config', config, ...profile, 'confs']);
  expect(code).toBe(2);
  expect(err).toContain('fial-on');
});

test('the text format is a table', async () => {
  const { out } = await kaiactl(['config', 'show', 'node', 'lint', '--fix']);
  expect(out).toMatch(/^kaiactl node lint\n\noption +value +from\n/);
  expect(out).toMatch(/^--fix +yes +command line$/m);
  expect(out).toMatch(/^--launcher +– +default$/m);
});

test.each([
  [['node', 'lnit'], "there is no command 'node lnit'\n  Did you mean node lint?"],
  [['nod', 'lint'], "there is no command 'nod lint'"],
  [['node'], "there is no command 'node'"],
  [['config', 'show'], "there is no command 'config show'"],
  [['node', 'lint', '--fixx'], "unknown option '--fixx'"],
  [['node', 'lint', '--fail-on', 'worst'], "argument 'worst' is invalid"],
])('the command line %j is rejected', async (argv, said) => {
  const { code, out, err } = await kaiactl(['config', 'show', ...argv]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(said);
});

test('config show rejects an invalid kaiactl.ini as lint does', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'kaiactl.ini'), '[node]\nonly = public-bnd\n');
  const { code, err } = await kaiactl(['config', 'show', 'node', 'lint'], {}, other);
  expect(code).toBe(2);
  expect(err).toContain('there is no rule public-bnd\n  Did you mean public-bind?');
});
