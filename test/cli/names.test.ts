/** Unknown variables, options and commands get a suggestion. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, expect, test, vi } from 'vitest';
import { run } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['KAIACTL_FIAL_ON', /sets no option\n {2}Did you mean KAIACTL_FAIL_ON\?/],
  ['KAIACTL_MANAGERKEY', /Did you mean KAIACTL_MANAGER_KEY\?/],
  ['KAIACTL_', /sets no option/],
  ['KAIACTL_NO_COLOR', /sets no option/],
])('the environment variable %s is rejected', async (name, said) => {
  const { code, err } = await run(['node', 'explain'], { env: { [name]: 'x' } });
  expect(code).toBe(2);
  expect(err).toMatch(said);
});

/** Every variable that the source or a help text names. */
function variables(): string[] {
  const src = new URL('../../src/', import.meta.url).pathname;
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const names = files.flatMap(
    (name) => readFileSync(src + name, 'utf8').match(/\bKAIACTL_[A-Z]+(?:_[A-Z]+)*\b/g) ?? [],
  );
  return [...new Set(names)].sort();
}

test('every variable that the program names can be set', async () => {
  const env = Object.fromEntries(variables().map((name) => [name, 'high']));
  expect(Object.keys(env)).toContain('KAIACTL_OPERATOR_SECRET');
  const { code, err } = await run(['node', 'explain', 'wildcard-cors'], { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test.each(['KAIACTL_FAIL_ON', 'KAIACTL_API_URL', 'KAIACTL_WAIT', 'KAIACTL_PRIVATE_KEY', 'KAIACTL_TEST_SEED'])(
  '%s is known, whichever verb runs',
  async (name) => {
    expect((await run(['node', 'explain', 'wildcard-cors'], { env: { [name]: 'high' } })).code).toBe(0);
  },
);

test.each([
  ['[node]\nfial-on = high\n', /\[node\] sets fial-on, which is not an option\n {2}Did you mean fail-on\?/],
  ['[node]\napi-url = http://x\n', /sets api-url, which is not an option/],
  ['[node]\nno-color = 1\n', /sets no-color/],
  ['[nodes]\nfail-on = high\n', /unknown section \[nodes\]\n {2}Did you mean \[node\]\?/],
  ['fail-on = high\n[node]\n', /fail-on is outside a section/],
  ['[node fleet]\ntimeuot = 3s\n', null],
])('a settings file with %j is rejected', async (text, said) => {
  writeFileSync(join(folder, 'config.ini'), text);
  const { code, err } = await run(['node', 'explain', '--config', 'config.ini'], { cwd: folder });
  expect(code).toBe(said === null ? 0 : 2);
  expect(err).toMatch(said ?? /^$/);
});

test('a key of another verb of the group is accepted, also in a named section', async () => {
  writeFileSync(
    join(folder, 'config.ini'),
    '[node]\nfail-on = low\n[node fleet]\nconcurrency = 4\nheader[] = a: b\n[survey]\napi-url = x\n',
  );
  const { code, err } = await run(['node', 'explain', '--config', 'config.ini', '--profile', 'fleet'], {
    cwd: folder,
  });
  expect([code, err]).toEqual([0, '']);
});

test.each([
  [['lint'], 'kaiactl node lint'],
  [['lint', '--help'], 'kaiactl node lint'],
  [['help', 'lint'], 'kaiactl node lint'],
  [['members', '0x1'], 'kaiactl survey members'],
  [['convrt'], 'kaiactl report convert'],
  [['node', 'lnit'], 'kaiactl node lint'],
  [['help', 'node', 'lnit'], 'kaiactl node lint'],
  [['nod'], 'kaiactl node'],
])('the unknown command %j is answered with the nearest command', async (argv, meant) => {
  const { code, out, err } = await run(argv);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^kaiactl: unknown command '[a-z ]+'\n/);
  expect(err).toContain(`  Did you mean ${meant}?\n`);
});

test('an unknown command without a near match is answered without a suggestion', async () => {
  const { code, err } = await run(['xyzzy\u001b[2J']);
  expect(code).toBe(2);
  expect(err).toMatch(/^kaiactl: unknown command 'xyzzy.*'\n {2}kaiactl --help lists the commands\.\n$/);
  expect(err).not.toContain('\u001b');
});

test('help of the program, of a group and of a command is printed, and -V prints the version', async () => {
  expect((await run(['help'])).out).toBe((await run(['--help'])).out);
  expect(await run(['help', 'help'])).toEqual(await run(['--help']));
  expect((await run(['help', 'node'])).out).toBe((await run(['node', '--help'])).out);
  expect((await run(['help', 'node', 'lint'])).out).toBe((await run(['node', 'lint', '--help'])).out);
  expect((await run(['-V'])).out).toBe((await run(['--version'])).out);
  expect((await run(['-V', '-v'])).out).toContain('Kaia node: ');
});

test('help lists options under headings', async () => {
  const { out } = await run(['node', 'audit', '--help']);
  expect(out.match(/^[A-Z].*:$/gm)).toEqual([
    'What is looked at:',
    'How it is asked:',
    'Findings and exit code:',
    'Output:',
    'Options:',
    'Examples:',
  ]);
});

test.each([
  [['node', 'explain', 'wildcard-cors'], 0, ['explain', 'node']],
  [['config', 'show', 'node', 'explain'], 0, ['show', 'config']],
  [['help', 'report', 'diff'], 0, ['diff', 'report']],
])('%j declares the command that is asked for, and no other', async (words, code, names) => {
  const added = vi.spyOn(Command.prototype, 'addCommand');
  expect(await run(words)).toMatchObject({ code });
  expect(added.mock.calls.map(([one]) => one.name())).toEqual(names);
  added.mockRestore();
});

test.each([[['--help']], [['node', 'explian']], [['node', '--help']], [['completion', 'bash']]])(
  '%j declares every group, and the pages',
  async (words) => {
    const added = vi.spyOn(Command.prototype, 'addCommand');
    await run(words);
    const names = added.mock.calls.map(([one]) => one.name());
    expect(names).toEqual(
      expect.arrayContaining(['node', 'survey', 'report', 'config', 'completion', 'man']),
    );
    added.mockRestore();
  },
);
