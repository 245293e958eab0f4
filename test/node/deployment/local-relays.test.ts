/** What programs beside a running node, their files and the rules in force say of who reaches it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { relaysBeside } from '../../../src/node/deployment/local-relays.js';
import type { Neighbour } from '../../../src/node/facts/live.js';
import { readConf } from '../../../src/node/read-conf.js';
import { reportOf } from './lint-folder.js';

const { settings } = readConf(
  'kend.conf',
  Buffer.from('NETWORK=mainnet\nDATA_DIR=/d\nRPC_ENABLE=1\nRPC_ADDR=127.0.0.1\nRPC_PORT=8551\nRPC_API=eth\n'),
);

function rootWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'kaiactl-beside-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const neighbour = (command: string, more: Partial<Neighbour> = {}): Neighbour => {
  const words = command.split(' ');
  const [program = ''] = words;
  return { pid: 7, program, words, isWorker: false, root: '', listens: [], connected: [], ...more };
};

function told(
  neighbours: readonly Neighbour[],
  rules: readonly string[] = [],
  routesLoopback = false,
): string[] {
  const dumps = rules.map((text) => ({ program: 'nft', text }));
  const { hops, signs } = relaysBeside(settings, { neighbours, rules: dumps, closed: [], routesLoopback });
  return [
    ...hops.map(({ at, access }) => `${at.file}:${at.line} ${access.open}`),
    ...signs.map(({ subject }) => `? ${subject}`),
  ];
}

const server = (listens: string) =>
  `server { listen ${listens}; location / { proxy_pass http://127.0.0.1:8551; } }\n`;
const chain = (rule: string) =>
  `table ip own {\n\tchain prerouting {\n\t\ttype nat hook prerouting priority dstnat; policy accept;\n\t\t${rule}\n\t}\n}\n`;
const own = {
  listens: [{ address: '0.0.0.0', port: 9000 }],
  connected: [{ address: '127.0.0.1', port: 8551 }],
};

test('a proxy is followed by the files that it was started with, and those that they include', () => {
  const root = rootWith({
    'etc/nginx/nginx.conf': 'events {}\nhttp { include /etc/nginx/conf.d/*.conf; }\n',
    'etc/nginx/conf.d/rpc.conf': server('80'),
    'srv/other.conf': `events {}\nhttp { ${server('10.0.0.5:80')} }\n`,
  });
  expect(told([neighbour('nginx', { root })])).toEqual(['/etc/nginx/conf.d/rpc.conf:1 any']);
  expect(told([neighbour('nginx -c /srv/other.conf', { root })])).toEqual(['/srv/other.conf:2 private']);
  expect(told([neighbour('nginx', { root, isWorker: true })])).toEqual([]);
  expect(told([neighbour('nginx', { root, ...own })])).toEqual(['/etc/nginx/conf.d/rpc.conf:1 any']);
});

test.each([
  ['socat TCP-LISTEN:9000,fork TCP:127.0.0.1:8551', ['process 7:1 any']],
  ['socat TCP-LISTEN:9000,bind=127.0.0.1 TCP:127.0.0.1:8551', []],
  ['socat TCP-LISTEN:9000,fork TCP:127.0.0.1:3000', []],
  ['ssh -N -R 80:127.0.0.1:8551 gate', ['? ssh:8551']],
])('the command %s', (command, expected) => {
  expect(told([neighbour(command)])).toEqual(expected);
});

test('a program that listens and is connected to the node is named, unless something says how it forwards', () => {
  expect(told([neighbour('node app', own)])).toEqual(['? node:8551']);
  expect(told([neighbour('node app', { ...own, listens: [] })])).toEqual([]);
  expect(told([neighbour('socat TCP-LISTEN:9000,fork TCP:127.0.0.1:8551', own)])).toEqual([
    'process 7:1 any',
  ]);
});

test.each([
  ['to loopback', 'tcp dport 80 dnat to 127.0.0.1:8551', false, []],
  [
    'to loopback, which the kernel routes',
    'tcp dport 80 dnat to 127.0.0.1:8551',
    true,
    ['nft (rules in force):4 any'],
  ],
  ['to another port', 'tcp dport 80 dnat to 127.0.0.1:3000', true, []],
  ['of some clients', 'ip saddr 10.0.0.0/8 tcp dport 80 dnat to 127.0.0.1:8551', true, ['? nftables:8551']],
])('a translation %s', (_, rule, routesLoopback, expected) => {
  expect(told([], [chain(rule)], routesLoopback)).toEqual(expected);
});

test('findings on a node that any page reaches name a relay that any address reaches', async () => {
  const { targets } = await reportOf({
    'start.sh': "#!/bin/bash\ngeth --http --http.api eth,admin --http.corsdomain '*'\n",
    'proxy.conf': 'server {\n  listen 8080;\n  location / { proxy_pass http://127.0.0.1:8545; }\n}\n',
  });
  const told = targets.flatMap(({ findings }) =>
    findings.map(({ rule, severity, message }) => [rule, severity, message]),
  );
  const relay = 'any address reaches it: nginx forwards to it (proxy.conf:3), listening on 8080.';
  expect(told).toContainEqual(['privileged-module', 'critical', expect.stringMatching(/^http offers admin/)]);
  expect(told).toContainEqual(['wildcard-cors', 'low', expect.stringContaining('it adds little')]);
  expect(told.slice(0, 2).map(([, , message]) => message?.endsWith(relay))).toEqual([true, true]);
});
