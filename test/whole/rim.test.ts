/** The program at its edges: closed pipes, full disks, signals, exit codes. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../cli/run.js';
import { installed } from '../node/report/tools.js';

const bin = new URL('../../bin/kaiactl.js', import.meta.url).pathname;
const main = new URL('../../dist/main.cjs', import.meta.url).pathname;
const full = '/dev/full';
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-rim-'));
// A target of two files, which --verbose names when they are read.
mkdirSync(join(folder, 'two'));
writeFileSync(
  join(folder, 'two', 'compose.yml'),
  'services:\n  n:\n    image: ethereum/client-go\n    env_file: n.env\n',
);
writeFileSync(join(folder, 'two', 'n.env'), 'GETH_HTTP=1\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(process.platform === 'linux').each([
  ['a result', ['node', 'explain']],
  ['help', ['node', '--help']],
  ['a report', ['node', 'lint', 'fixtures/demo/kend.conf', '--format', 'json']],
  ['the version', ['--version']],
])('%s on a full disk ends with a message and an exit code, not a stack trace', (_what, words) => {
  const { status, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: new URL('../..', import.meta.url).pathname,
    stdio: ['ignore', openSync(full, 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, 'kaiactl: cannot write the output: no space is left there\n']);
});

describe.runIf(process.platform === 'linux')('a signal', () => {
  test('ends the wait for stdin', async () => {
    const child = spawn(process.execPath, [bin, 'node', 'lint', '-', '--format', 'json'], { stdio: 'pipe' });
    // More than a pipe holds, less than a conf may: once it is written the reader waits.
    child.stdin.write('# a line\n'.repeat(95_000), () => child.kill('SIGINT'));
    child.stdin.on('error', () => {});
    expect(await ended(child)).toEqual([null, 'SIGINT', '']);
  });

  test.each([
    ['lint', ['-v', 'two', '-'], 'SIGTERM'],
    ['lint', ['-v', 'two', '-'], 'SIGINT'],
    ['audit', ['-', '--stdin-filename', 'start.sh', '--plan'], 'SIGHUP'],
    ['settings', ['-', '--stdin-filename', 'start.sh'], 'SIGTERM'],
  ] as const)('ends node %s %j while it reads a long script: %s', async (verb, words, signal) => {
    const child = spawn(process.execPath, [bin, 'node', verb, ...words], { cwd: folder, stdio: 'pipe' });
    child.stdin.on('error', () => {});
    const isRead = once(child.stderr, 'data');
    child.stdin.end(longScript);
    // lint has read the first path by then; the others have taken all but the last piece of the script.
    await (verb === 'lint' ? isRead : once(child.stdin, 'finish'));
    child.kill(signal);
    expect(await ended(child)).toEqual([null, signal, '']);
  });

  test('waits for work that has to be finished, and ends the process after it', () => {
    const script = `
      const { nodeHost } = require(${JSON.stringify(main)});
      const host = nodeHost();
      const release = host.catchSignals();
      process.kill(process.pid, 'SIGTERM');
      release().then(() => {
        process.stdout.write(String(host.signal.reason));
        process.kill(process.pid, 'SIGTERM');
        setInterval(() => {}, 1000);
      });`;
    const { stdout, signal } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect([stdout, signal]).toEqual(['SIGTERM', 'SIGTERM']);
  });

  const inContainer = ['-p', '-f', '--kill-child', '--mount-proc'];
  test.skipIf(spawnSync('unshare', [...inContainer, 'true']).status !== 0)(
    'ends the first process of a container (skipped where unshare -p is not allowed)',
    async () => {
      const words = [process.execPath, bin, 'node', 'lint', '-v', 'two', '-'];
      const outer = spawn('unshare', [...inContainer, ...words], { cwd: folder, stdio: 'pipe' });
      outer.stdin.on('error', () => {});
      outer.stdin.end(longScript);
      await once(outer.stderr, 'data');
      const first = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
      process.kill(Number(first), 'SIGTERM');
      expect(await ended(outer)).toEqual([143, null, '']);
    },
  );
});

/** Starts more nodes than are followed. */
const longScript = Array.from({ length: 60_000 }, (_, at) => `geth --http --http.port ${at + 1}\n`).join('');

/** Exit code, signal and output of a process. */
async function ended(child: ChildProcessWithoutNullStreams): Promise<unknown[]> {
  const out: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  return [...(await once(child, 'close')), Buffer.concat(out).toString()];
}

test.each([
  [['config', 'show'], 'kaiactl config show [options] <command...>'],
  [['node', 'settings'], 'kaiactl node settings [options] <conf>'],
  [['node', 'policy'], 'One of: list, make, check.'],
  [['completion'], 'One of: bash, zsh, fish.'],
])('%j without its argument says how it is written', async (words, next) => {
  const { code, out, err } = await run(words);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^kaiactl: missing required argument /);
  expect(err).toContain(next);
  expect(err).toContain(`kaiactl ${words.join(' ')} --help has examples.`);
});

test('a missing file is reported with the nearest name beside it', async () => {
  const cwd = new URL('../../fixtures/demo', import.meta.url).pathname;
  const { err } = await run(['node', 'lint', 'kned.conf'], { cwd });
  // In a checkout, names begin at its root.
  expect(err.replaceAll('fixtures/demo/', '')).toBe(
    'kaiactl: cannot read kned.conf: there is no such file; did you mean kend.conf?\n',
  );
  for (const words of [
    ['--baseline', 'none'],
    ['--policy', './none'],
    ['--config', 'none'],
  ]) {
    const said = await run(['node', 'lint', 'kend.conf', ...words], { cwd });
    expect([said.code, said.err]).toEqual([2, expect.stringMatching(/none: there is no such file$/m)]);
  }
});

test('help is printed for each verb', async () => {
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

// The script of util-linux runs a command on a terminal of its own; that of macOS has other options.
const hasTerminal = process.platform === 'linux' && installed('script', 'a dumb terminal');

test.skipIf(!hasTerminal)('a dumb terminal gets no escape sequence, another one gets colour', () => {
  const shown = (term: string) =>
    spawnSync(
      'script',
      ['-qec', `${process.execPath} bin/kaiactl.js node lint fixtures/demo/kend.conf`, '/dev/null'],
      {
        cwd: new URL('../..', import.meta.url).pathname,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, TERM: term },
      },
    ).stdout;
  const dumb = shown('dumb');
  expect(dumb).toContain('critical unsafe-debug');
  expect(dumb).not.toContain('\u001b');
  expect(shown('xterm')).toContain('\u001b[');
});
