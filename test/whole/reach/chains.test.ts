/**
 * Predicted reach of chains of proxies against what callers get: up to three of nginx, HAProxy and Caddy, over ports and
 * socket files, with lists, logins and other Host names, before the http interface or the IPC socket of a node.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../../cli/run.js';
import { installed } from '../../node/report/tools.js';
import { Random } from '../../node/sources/random.js';
import { seed } from '../../seed.js';
import { type Chain, chain, folder as data, ipc } from './chains.js';
import { password, user } from './draft.js';
import { canMakeNetworks, farther, Network, places, type Where } from './network.js';
import type { Truth } from './truth.js';

const count = Number(process.env.KAIACTL_TEST_REACH);
const first = Number(process.env.KAIACTL_TEST_REACH_FROM ?? 0);
const what = 'predicted reach of chains of proxies';
const programs = ['nginx', 'caddy', 'haproxy'].map((name) => installed(name, what));
if (!canMakeNetworks) process.stderr.write(`SKIPPED: ${what}: it needs root and network namespaces\n`);
const canTry = count > 0 && canMakeNetworks && programs.every((is) => is);

const commands = {
  nginx: { words: ['nginx', '-g', 'daemon off;'], ready: null },
  caddy: {
    words: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    ready: 'serving initial configuration',
  },
  haproxy: { words: ['haproxy', '-W', '-f', '/etc/haproxy/haproxy.cfg'], ready: 'Loading success' },
} as const;

/** What lint says; null: left open. */
async function predicted(folder: string, target: Chain['target']): Promise<Truth | null> {
  const { out } = await run(['node', 'lint', folder, '--format', 'json']);
  const rows = (JSON.parse(out) as Report).targets.flatMap(({ interfaces }) => interfaces);
  const row = rows.find(({ transport }) => transport === target);
  if (row?.reach === undefined) return null;
  // Who opens a socket file is on its machine.
  const open = row.reach === 'ipc' ? 'loopback' : row.reach;
  const logins = (row.reachVia ?? []).map(
    (way) => (/: (any|private|loopback), with a login$/.exec(way)?.[1] ?? null) as Where | null,
  );
  return { open, login: logins.reduce(farther, open) };
}

describe.skipIf(!canTry)('in namespaces (skipped where they may not be made)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-chains-'));
  const [etc, read] = [join(folder, 'etc'), join(folder, 'read')];
  let network: Network;
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    for (const name of Object.keys(commands)) mkdirSync(join(etc, name), { recursive: true });
    network = await Network.open(etc);
    await network.machine.shell([`mkdir ${data}`]);
  });
  afterAll(async () => {
    await network?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function reached({ target, programs: all, ports }: Chain): Promise<Truth> {
    const { machine } = network;
    try {
      const sockets = [
        { name: 'http', host: '127.0.0.1', port: 8551 },
        { name: 'ipc', path: ipc },
      ];
      await machine.do({ do: 'serve', sockets });
      for (const program of all) await machine.do({ do: 'start', ...commands[program] });
      let [open, login]: [Where, Where] = ['loopback', 'loopback'];
      for (const where of places) {
        const { inside, waysTo } = network.callerAt(where);
        const ways = await inside.connect(ports.flatMap(waysTo));
        const asked = ways.map((way) => ({
          ...way,
          tls: false,
          name: null,
          path: '/',
          method: 'POST' as const,
        }));
        const isServed = async (as: Parameters<typeof inside.ask>[1]) =>
          (await inside.ask(asked, as)).some((one) => one?.body.includes(`"result":"${target}"`));
        if (await isServed(null)) open = where;
        if (await isServed({ basic: `${user}:${password}` } as never)) login = where;
      }
      return { open, login: farther(open, login) };
    } finally {
      await machine.do({ do: 'stop' });
      await machine.shell([`rm -f ${data}/*`]);
    }
  }

  test(
    `who is told to reach a node through ${count} chains reaches it`,
    async () => {
      const narrower: string[] = [];
      const wrong: string[] = [];
      let open = 0;
      for (let at = first; at < first + count; at += 1) {
        const made = chain(new Random(seed * 1_000_003 + at));
        rmSync(read, { recursive: true, force: true });
        for (const name of Object.keys(commands))
          for (const one of readdirSync(join(etc, name))) rmSync(join(etc, name, one), { recursive: true });
        for (const [path, text] of Object.entries(made.files))
          for (const top of [read, folder]) {
            mkdirSync(dirname(join(top, path)), { recursive: true });
            writeFileSync(join(top, path), text);
          }
        writeFileSync(join(etc, 'nginx/htpasswd'), `${user}:{PLAIN}${password}\n`);
        const truth = await reached(made);
        const told = await predicted(read, made.target);
        if (told === null) open += 1;
        else if (told.open !== truth.open || told.login !== truth.login) {
          const files = Object.entries(made.files).map(([path, text]) => `--- ${path}\n${text}`);
          const shown = `KAIACTL_TEST_SEED=${seed} KAIACTL_TEST_REACH_FROM=${at}: ${made.told}\ntold ${JSON.stringify(told)}, reached ${JSON.stringify(truth)}\n${files.join('')}`;
          wrong.push(shown);
          if (farther(told.open, truth.open) !== told.open || farther(told.login, truth.login) !== told.login)
            narrower.push(shown);
        }
      }
      process.stderr.write(
        `${count} chains of seed ${seed}: ${open} left open, ${count - open - wrong.length} as callers get it, ${wrong.length} not, ${narrower.length} of them narrower\n`,
      );
      expect(narrower.join('\n')).toBe('');
      expect(wrong.length <= (count - open) / 100, wrong.join('\n\n')).toBe(true);
    },
    count * 60_000,
  );
});
