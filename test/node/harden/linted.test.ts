/** A deployment with the files that `node harden` prints: lint reads them, and its findings get no worse. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closedBy } from '../../../src/node/deployment/firewalls/in-force.js';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../offline.js';
import { nftWorks } from './programs.js';

const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-hardened-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(scratch, 'd-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function lint(files: Readonly<Record<string, string>>) {
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json', '--min-severity', 'info'], {
    cwd: folderOf(files),
  });
  const { targets }: Report = JSON.parse(stdout);
  const [target, ...others] = targets;
  expect(others).toEqual([]);
  const findings = (target?.findings ?? []).map(
    ({ rule, subject, severity }) => `${rule} ${subject} ${severity}`,
  );
  const via = (target?.interfaces ?? []).flatMap(({ transport, reach, reachVia = [] }) =>
    reachVia.map((one) => `${transport} ${reach}, ${one}`),
  );
  return { findings, files: target?.files, undetermined: target?.undetermined, via };
}

async function harden(
  product: string,
  name: string,
  text: string,
  options: readonly string[] = [],
): Promise<string> {
  const { stdout, code } = await kaiactl(['node', 'harden', '--for', product, name, ...options], {
    cwd: folderOf({ [name]: text }),
  });
  expect(code).toBe(0);
  return stdout;
}

test('compose: the published ports are those of this machine', async () => {
  const compose = [
    'services:',
    '  en:',
    '    image: kaiachain/kaia:v2.2.1',
    '    command: ken --datadir /data --rpc --rpcaddr 0.0.0.0 --rpcvhosts rpc.example --rpcapi eth,admin',
    '    ports: ["8551:8551", "32323:32323"]',
    '',
  ].join('\n');
  const before = await lint({ 'compose.yaml': compose });
  expect(before.findings).toEqual([
    'privileged-module http admin critical',
    'public-bind http 0.0.0.0 medium',
  ]);
  const override = await harden('compose', 'compose.yaml', compose);
  expect(await lint({ 'compose.yaml': compose, 'compose.override.yaml': override })).toEqual({
    findings: ['privileged-module http admin medium'],
    files: ['compose.yaml', 'compose.override.yaml'],
    undetermined: [],
    via: [],
  });
});

test('systemd: only the ports of the settings at the time can be opened', async () => {
  const unit = (flags: string) =>
    `[Service]\nExecStart=/usr/bin/ken --datadir /d --rpc --rpcaddr 0.0.0.0 --rpcapi eth --rpcvhosts a ${flags}\n`;
  const later = unit('--ws --wsaddr 0.0.0.0 --wsapi eth,admin');
  const dropIn = await harden('systemd', 'ken.service', unit(''));
  const before = await lint({ 'ken.service': unit('') });
  expect(await lint({ 'ken.service': unit(''), 'ken.service.d/harden.conf': dropIn })).toEqual({
    ...before,
    files: ['ken.service', 'ken.service.d/harden.conf'],
  });
  expect((await lint({ 'ken.service': later })).findings).toContain('privileged-module ws admin critical');
  expect((await lint({ 'ken.service': later, 'ken.service.d/harden.conf': dropIn })).findings).toEqual([
    ...before.findings,
    'privileged-module ws admin medium',
  ]);
});

test.skipIf(!nftWorks())(
  'nftables (skipped without it): the ports are open to this machine, and metrics to the monitoring subnet',
  async () => {
    const conf = [
      'NETWORK=mainnet',
      'RPC_ENABLE=1',
      'RPC_API="eth,admin"',
      'RPC_PORT=8551',
      'RPC_ADDR=0.0.0.0',
      'RPC_VHOSTS=rpc.example',
      'METRICS=1',
      'PROMETHEUS=1',
      'DATA_DIR=/var/kend/data',
      '',
    ].join('\n');
    const closed = (text: string) =>
      closedBy({ isMachine: true, dumps: [{ program: 'nft', text: listed(text) }] });
    const rows = (text: string) =>
      closed(text).map(({ ports, ipv4, ipv6 }) => `${ports.join('-')} ${ipv4} ${ipv6}`);
    expect(rows(await harden('nftables', 'kend.conf', conf))).toEqual([
      '8551-8551 loopback loopback',
      '61001-61001 loopback loopback',
    ]);
    expect(rows(await harden('nftables', 'kend.conf', conf, ['--monitoring', '10.20.0.0/16']))).toEqual([
      '8551-8551 loopback loopback',
      '61001-61001 private loopback',
    ]);
  },
);

/** The rules of a file as nft lists them once they are loaded, in a network namespace of their own. */
function listed(text: string): string {
  const path = join(mkdtempSync(join(scratch, 'nft-')), 'kaia.nft');
  writeFileSync(path, text);
  return execFileSync('unshare', ['-rn', 'sh', '-c', 'nft -f "$0" && nft list ruleset', path], {
    encoding: 'utf8',
  });
}

const proxied = [
  'NETWORK=mainnet',
  'RPC_ENABLE=1',
  'RPC_API="eth,klay,admin"',
  'RPC_PORT=8551',
  'RPC_ADDR=127.0.0.1',
  'RPC_VHOSTS=rpc.example.com',
  'WS_ENABLE=1',
  'WS_API="eth"',
  'WS_PORT=8552',
  'WS_ADDR=127.0.0.1',
  'METRICS=1',
  'DATA_DIR=/var/kend/data',
  '',
].join('\n');

/** The findings and the ways in a folder with the conf and these files, and the open questions. */
async function behind(files: Readonly<Record<string, string>>) {
  const { findings, via, undetermined = [] } = await lint({ 'kend.conf': proxied, ...files });
  return {
    findings,
    via: via.map((one) => one.replace(/:\d+:/, ':')),
    open: undetermined.map(({ reason }) => reason.replace(/^\S+:\d+: /, '')),
  };
}

const filtered = (file: string) => [
  `http loopback, ${file}: any, filtered by method`,
  `ws any, ${file}: any`,
];

test('nginx: the script filters the methods that it forwards', async () => {
  const { findings } = await behind({});
  const conf = await harden('nginx', 'kend.conf', proxied);
  const script = await harden('njs', 'kend.conf', proxied);
  const files = { 'nginx.conf': conf, 'kaia-rpc.js': script };
  expect(await behind(files)).toEqual({ findings, via: filtered('nginx.conf'), open: [] });
  const inTree = { 'etc/nginx/conf.d/n.conf': conf, 'etc/nginx/kaia-rpc.js': script };
  expect((await behind(inTree)).open).toEqual([]);
  const twice = { ...inTree, 'b/etc/nginx/kaia-rpc.js': script };
  expect((await behind(twice)).open).toHaveLength(1);
  const unjudged =
    'nginx forwards to http, listening on 80: it filters requests: not judged, so who reaches http is not known';
  expect((await behind({ 'nginx.conf': conf })).open).toEqual([unjudged]);
  for (const [from, to] of [
    ["'admin'];", "'eth'];"],
    ["['eth'", "['admin', 'eth'"],
    ['return match !== null &&', 'return'],
  ] as const) {
    const changed = script.replace(from, to);
    const { open } = await behind({ ...files, 'kaia-rpc.js': changed });
    expect([from, changed === script || open.some((one) => one.includes('not judged'))]).toEqual([
      from,
      true,
    ]);
  }
});

test('Caddy: the expression filters the methods that it forwards', async () => {
  const { findings } = await behind({});
  const conf = await harden('caddy', 'kend.conf', proxied);
  // No call is a preflight, whose body is empty.
  expect(await behind({ Caddyfile: conf })).toEqual({ findings, via: filtered('Caddyfile'), open: [] });
  for (const [from, to] of [
    ['(?:eth', '(?:admin|eth'],
    ['\t\tnot header Content-Encoding *\n', ''],
    ['&& !{http', '|| {http'],
  ] as const) {
    const { open } = await behind({ Caddyfile: conf.replace(from, to) });
    expect([from, open]).toEqual([from, [expect.stringContaining('caddy forwards to http')]]);
  }
});
