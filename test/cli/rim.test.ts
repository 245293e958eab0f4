import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './run.js';

const bin = new URL('../../bin/kaiactl.js', import.meta.url).pathname;
const full = '/dev/full';

test.runIf(process.platform === 'linux').each([
  ['a result', ['node', 'explain']],
  ['help', ['node', '--help']],
  ['a report', ['node', 'lint', 'fixtures/demo/kend.conf', '--format', 'json']],
  ['the version', ['--version']],
])('%s on a full disk is a message and a code, not a stack', (_what, words) => {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: new URL('../..', import.meta.url).pathname,
    stdio: ['ignore', openSync(full, 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, 'kaiactl: cannot write the output: no space is left there\n']);
});

test.runIf(process.platform !== 'win32')('the first Ctrl-C ends the wait for stdin', async () => {
  const child = spawn(process.execPath, [bin, 'node', 'lint', '-', '--format', 'json'], { stdio: 'pipe' });
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  // More than a pipe holds, less than a conf may: once it is written the reader waits, its handler in place.
  child.stdin.write('# a line\n'.repeat(95_000), () => child.kill('SIGINT'));
  child.stdin.on('error', () => {});
  const [code] = await once(child, 'close');
  expect(code).toBe(130);
  expect(JSON.parse(Buffer.concat(out).toString())).toMatchObject({ exitCode: 130 });
});

test.each([
  [['config', 'show'], 'kaiactl config show [options] <command...>'],
  [['node', 'settings'], 'kaiactl node settings [options] <conf>'],
  [['node', 'policy'], 'One of: make, check.'],
  [['completion'], 'One of: bash, zsh, fish.'],
])('%j without its argument says how it is written', async (words, next) => {
  const { code, out, err } = await run(words);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^kaiactl: missing required argument /);
  expect(err).toContain(next);
  expect(err).toContain(`kaiactl ${words.join(' ')} --help has examples.`);
});

test('a name that is nearly that of a file beside it, and files that are not there', async () => {
  const cwd = new URL('../../fixtures/demo', import.meta.url).pathname;
  const { err } = await run(['node', 'lint', 'kned.conf'], { cwd });
  expect(err).toBe('kaiactl: cannot read kned.conf: there is no such file\n  Did you mean kend.conf?\n');
  for (const words of [
    ['--baseline', 'none'],
    ['--policy', './none'],
    ['--config', 'none'],
  ]) {
    const said = await run(['node', 'lint', 'kend.conf', ...words], { cwd });
    expect([said.code, said.err]).toEqual([2, expect.stringMatching(/none: there is no such file$/m)]);
  }
});

test('help goes down to the verb', async () => {
  const [long, short] = [await run(['node', 'lint', '--help']), await run(['help', 'node', 'lint'])];
  expect(short).toEqual(long);
  expect(short.out).toContain('--fail-on <severity>');
  expect((await run(['help', 'node'])).out).toContain('Usage: kaiactl node ');
});

test('the plan as JSON is one document', async () => {
  const words = [
    'node',
    'audit',
    'http://127.0.0.1:8551',
    'http://127.0.0.1:8553',
    '--plan',
    '--format',
    'json',
  ];
  const { code, out } = await run(words);
  const { plan } = JSON.parse(out) as {
    plan: { target: string; endpoints: { messages: { message: string }[] }[] }[];
  };
  expect([code, plan.map(({ target }) => target)]).toEqual([
    0,
    ['http://127.0.0.1:8551', 'http://127.0.0.1:8553'],
  ]);
  expect(plan[0]?.endpoints[0]?.messages[0]).toEqual({
    message: 'rpc_modules []',
    when: null,
    afterRefusal: false,
  });
});
