/** Clients of an isolated machine that are no judged kind of node: named with what they open, and sent nothing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { canIsolate, type Isolation, runIsolated } from '../peers/isolated.js';
import { expectValid } from '../peers/report.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-unjudged-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Listens where its words L=host@port say, and writes the file that it is given when anybody connects. */
const listening = `
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
const own = process.argv.filter((word) => word.startsWith('L=')).map((word) => word.slice(2).split('@'));
for (const [host, port] of own)
  await new Promise((done) => createServer(() => writeFileSync(process.env.MARK, '')).listen(Number(port), host, done));
process.stdout.write('ready\\n');
setInterval(() => {}, 1 << 30);
`;

describe.skipIf(!canIsolate)('alone on a machine (skipped where root may not make namespaces)', () => {
  const run = (
    words: readonly string[],
    more: Isolation & { ini?: string } = {},
    verb = ['node', 'audit'],
  ) => {
    const script = join(folder, 'listening.mjs');
    writeFileSync(script, listening);
    if (more.ini !== undefined) writeFileSync(join(folder, 'kaiactl.ini'), more.ini);
    return runIsolated(verb, {
      peers: words.length === 0 ? [] : [{ script, words }],
      cwd: folder,
      env: { MARK: join(folder, 'connected') },
      ...more,
    });
  };
  const json = ['node', 'audit', '--format', 'json'];
  const ethrex = ['ethrex', 'L=0.0.0.0@8545', 'L=127.0.0.1@8551'];
  const open = (text: string) =>
    (expectValid(text) as Report).targets.flatMap(({ name, undetermined }) =>
      undetermined.map(({ rule, subject, reason }) => ({ name, rule, subject, reason })),
    );

  const unjudged = 'kaiactl: no node of this machine was judged\n';

  test('a wide interface is one open question, exit 2 without a node, and nothing is sent', () => {
    const { stdout, stderr, status } = run(ethrex, {}, json);
    expect([status, stderr.startsWith(`0 nodes on this machine\n${unjudged}`)]).toEqual([2, true]);
    expect(open(stdout)).toMatchObject([{ name: 'ethrex', rule: 'unjudged-node', subject: 'ethrex@any' }]);
    expect(existsSync(join(folder, 'connected'))).toBe(false);
  });

  test('an acknowledgement in kaiactl.ini covers it, unless its reach is narrower, and replaces no node', () => {
    const ini = (subject: string) => ({ ini: `[node]\nacknowledge = unjudged-node(${subject})\n` });
    const acknowledged = (subject: string) => {
      const { stdout, status } = run(ethrex, ini(subject), json);
      return [status, (expectValid(stdout) as Report).targets.map(({ verdict }) => verdict)];
    };
    expect(acknowledged('ethrex@any')).toEqual([2, ['suppressed']]);
    expect(acknowledged('ethrex')).toEqual([2, ['undetermined']]);
  });

  test('a client on loopback is a note, and does not hide that no node was judged: exit 2', () => {
    const { stderr, status } = run(['anvil', 'L=127.0.0.1@8545']);
    const note = 'kaiactl: anvil runs here, on loopback only · not judged\n';
    expect([status, stderr.startsWith(note + unjudged)]).toEqual([2, true]);
  });

  test('no process of a node is an error', () => {
    const { stderr, status } = run([]);
    expect(status).toBe(2);
    expect(stderr).toContain('no node was found on this machine');
  });

  const hidden =
    'mount -t proc -o hidepid=2 proc /proc && setpriv --reuid 65534 --regid 65534 --clear-groups';
  const hiding = { through: hidden, cwd: '/' };
  const hides =
    canIsolate &&
    spawnSync('unshare', [
      '-p',
      '-f',
      '-m',
      '--mount-proc',
      'bash',
      '--norc',
      '-c',
      `${hidden} test -e /proc/1; exit $?`,
    ]).status === 1;

  test.skipIf(!hides)(
    'hidden processes are not seen, and judge no node: exit 2 (skipped where hidepid hides none)',
    () => {
      const { stdout, stderr, status } = run(ethrex, hiding, json);
      expect(status).toBe(2);
      const found = '0 nodes on this machine, as far as its processes can be seen\n';
      expect(stderr.startsWith(found + unjudged)).toBe(true);
      expect(open(stdout)).toMatchObject([
        { name: 'this machine', rule: 'gather', reason: expect.stringContaining('(hidepid): run as root') },
      ]);
    },
  );

  test.skipIf(!hides)('a watch reports hidden processes too (skipped where hidepid hides none)', () => {
    const first = `coproc watch { "$@"; }; grep -m1 -A1 'this machine' <&"\${watch[0]}"; kill -INT $watch_PID`;
    const through = `${hidden} bash --norc -c '${first.replaceAll("'", '"')}' bash`;
    const { stdout } = run([], { through, cwd: '/' }, ['node', 'watch']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('(hidepid): run as root');
  });
});
