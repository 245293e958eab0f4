/** What forwards to a running node on its machine widens its reach as far as its callers see. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../../src/node/facts/report.js';
import { installed } from '../../node/report/tools.js';
import { childNode, closeChildren } from '../../peers/child-node.js';
import { expectValid } from '../../peers/report.js';
import { canMakeNetworks, farther, Network, places, type Where } from './network.js';

const what = 'forwarders beside a running node';
if (!canMakeNetworks) process.stderr.write(`SKIPPED: ${what}: it needs root and network namespaces\n`);
const programs = ['nft', 'nginx', 'haproxy', 'caddy', 'tc', 'ip', 'nsenter'].map((one) =>
  installed(one, what),
);
const canTry = canMakeNetworks && programs.every((is) => is);

const program = fileURLToPath(new URL('../../../bin/kaiactl.js', import.meta.url));
const port = 8551;
const other = 9000;

const translate = (to: string) => [
  "nft -f - <<'END'",
  'table ip own {',
  'chain prerouting {',
  'type nat hook prerouting priority dstnat; policy accept;',
  `tcp dport ${other} dnat to ${to}`,
  '}',
  '}',
  'END',
];
const route = (is: 0 | 1) => `echo ${is} > /proc/sys/net/ipv4/conf/all/route_localnet`;
const site = (listens: string, more = '') =>
  `events {}\nhttp {\n  server {\n    listen ${listens};\n    ${more}\n    location / { proxy_pass http://127.0.0.1:${port}; }\n  }\n}\n`;

const proxies = {
  nginx: { file: 'nginx/nginx.conf', words: ['nginx', '-g', 'daemon off;'], ready: null },
  haproxy: {
    file: 'haproxy/haproxy.cfg',
    words: ['haproxy', '-W', '-f', '/etc/haproxy/haproxy.cfg'],
    ready: 'Loading success',
  },
  caddy: {
    file: 'caddy/Caddyfile',
    words: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    ready: 'serving initial configuration',
  },
} as const;

const haproxy = (listens: string, more = '') =>
  `defaults\n mode http\n timeout connect 9s\n timeout client 9s\n timeout server 9s\nfrontend a\n bind ${listens}\n ${more}\n default_backend n\nbackend n\n server n 127.0.0.1:${port}\n`;
const caddy = (more: string, at = 80) =>
  `{\n admin off\n auto_https off\n}\nhttp://:${at} {\n ${more}\n reverse_proxy 127.0.0.1:${port}\n}\n`;

describe.skipIf(!canTry)('in namespaces (skipped where they may not be made)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-beside-'));
  let network: Network;
  beforeAll(async () => {
    network = await Network.open(folder);
  });
  afterEach(async () => {
    await closeChildren();
    await network.machine.do({ do: 'stop' });
    await network.machine.shell(['nft flush ruleset', route(0)]);
  });
  afterAll(async () => {
    await network?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param before - is done once the node runs */
  async function audited(host: string, before = async () => {}): Promise<TargetReport> {
    const { pid } = await childNode([`${host}:${port}`], ['--rpc', '--rpcaddr', host], {
      modules: 'kaia,admin',
      within: network.machine.pid ?? 0,
    });
    await before();
    const command = [process.execPath, program, 'node', 'audit', `pid:${pid}`, '--format', 'json'];
    const enter = ['-t', `${pid}`, '-n', 'unshare', '-m', 'sh', '-c'];
    const words = [...enter, `mount --bind /proc/${pid} /proc/1; exec "$@"`, 'sh', ...command];
    return await new Promise((resolve, reject) => {
      execFile('nsenter', words, (_error, stdout, stderr) => {
        const [target] = stdout === '' ? [] : (expectValid(stdout) as Report).targets;
        if (target === undefined) reject(new Error(stderr));
        else resolve(target);
      });
    });
  }

  const httpOf = ({ interfaces }: TargetReport) => interfaces.find(({ transport }) => transport === 'http');

  /** The farthest place from which a connection to the port ends at the node. */
  async function seen(at: number): Promise<Where | null> {
    const found = await Promise.all(
      places.map(async (where): Promise<Where | null> => {
        const { inside, waysTo } = network.callerAt(where);
        const asked = (await inside.connect(waysTo(at))).map((way) => ({
          ...way,
          tls: false,
          name: null,
          path: '/',
          method: 'POST' as const,
        }));
        const answers = await inside.ask(asked, null);
        return answers.some((one) => one?.body.includes('jsonrpc')) ? where : null;
      }),
    );
    return found.reduce(farther);
  }

  test.each<[name: string, host: string, rules: readonly string[], reach: Where]>([
    [
      'a translation to loopback that the kernel routes',
      '127.0.0.1',
      [route(1), ...translate(`127.0.0.1:${port}`)],
      'any',
    ],
    ['a translation to loopback', '127.0.0.1', translate(`127.0.0.1:${port}`), 'loopback'],
    ['a translation to a private address', '10.77.0.1', translate(`10.77.0.1:${port}`), 'any'],
  ])('%s', async (_, host, rules, reach) => {
    await network.machine.shell(rules);
    expect(httpOf(await audited(host))?.reach).toBe(reach);
    // Packets that the kernel drops get no answer.
    const isDropped = reach === 'loopback';
    expect(farther(await seen(port), isDropped ? null : await seen(other))).toBe(reach);
  });

  test.each<[name: string, program: keyof typeof proxies, text: string, at: number, reach: Where]>([
    ['an nginx', 'nginx', site('80'), 80, 'any'],
    [
      'an nginx for a private network',
      'nginx',
      site('80', 'allow 127.0.0.0/8; allow 10.0.0.0/8; deny all;'),
      80,
      'private',
    ],
    ['an nginx on loopback', 'nginx', site('127.0.0.1:80'), 80, 'loopback'],
    ['an HAProxy', 'haproxy', haproxy('*:80'), 80, 'any'],
    [
      'an HAProxy for a private network',
      'haproxy',
      haproxy('*:80', 'http-request deny unless { src 127.0.0.0/8 10.0.0.0/8 }'),
      80,
      'private',
    ],
    ['an HAProxy on loopback', 'haproxy', haproxy('127.0.0.1:80'), 80, 'loopback'],
    ['a Caddy', 'caddy', caddy(''), 80, 'any'],
    [
      'a Caddy for a private network',
      'caddy',
      caddy('@others not remote_ip 127.0.0.0/8 10.0.0.0/8\n respond @others 403'),
      80,
      'private',
    ],
    ['a Caddy on loopback', 'caddy', caddy('bind 127.0.0.1'), 80, 'loopback'],
  ])('%s is followed by its process and its files', async (_, program, text, at, reach) => {
    const { file, ...start } = proxies[program];
    writeFileSync(join(folder, file), text);
    await network.machine.do({ do: 'start', ...start });
    expect(httpOf(await audited('127.0.0.1'))?.reach).toBe(reach);
    expect(await seen(at)).toBe(reach);
  });

  test('a command that forwards is followed', async () => {
    const words = ['caddy', 'reverse-proxy', '--from', `http://:${other}`, '--to', `127.0.0.1:${port}`];
    await network.machine.do({ do: 'start', words, ready: 'server running' });
    expect(httpOf(await audited('127.0.0.1'))?.reach).toBe('any');
    expect(await seen(other)).toBe('any');
  });

  test('a program that is not known by name is named by its connection to the node', async () => {
    const forwards = [{ host: '::', port: other, to: { host: '127.0.0.1', port } }];
    await network.machine.do({ do: 'forward', forwards });
    const { undetermined } = await audited('127.0.0.1', async () => {
      await network.machine.do({ do: 'hold', ways: [{ host: '127.0.0.1', port: other }] });
    });
    const named = undetermined.filter(({ rule }) => rule === 'relayed-interface');
    expect(named.map(({ reason }) => reason.replace(/\d+(?=: )/, 'N'))).toEqual([
      `process N: node is connected to http and listens on [::]:${other}: it may forward to it, so who reaches http is not known`,
    ]);
  });
});
