/** The same words in the places where a node runs: who reaches it there decides how severe a finding is. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../../src/node/facts/report.js';
import { run } from '../../offline.js';

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-places-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
  return folder;
}

/** `severity rule` of the findings of a folder. */
async function judged(cwd: string): Promise<string[]> {
  const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd });
  const { targets }: Report = JSON.parse(out);
  return targets.flatMap(({ findings }) => findings.map(({ severity, rule }) => `${severity} ${rule}`));
}

const words = "--http --http.addr 0.0.0.0 --http.api eth,personal --http.corsdomain '*' --http.vhosts '*'";
const compose = (ports: string): Files => ({
  'compose.yaml': `services:\n  geth:\n    image: ethereum/client-go:v1.10.8\n    command: ${words}\n${ports}`,
});
const pod = `apiVersion: v1
kind: Pod
metadata: {name: geth, labels: {app: geth}}
spec:
  containers:
    - name: geth
      image: ethereum/client-go:v1.10.8
      args: [--http, --http.addr=0.0.0.0, "--http.api=eth,personal", "--http.corsdomain=*", "--http.vhosts=*"]
      ports: [{containerPort: 8545}]
---
apiVersion: v1
kind: Service
metadata: {name: geth}
spec:
  type: TYPE
  selector: {app: geth}
  ports: [{port: 8545}]
`;
const service = (type: string): Files => ({ 'geth.yaml': pod.replace('TYPE', type) });

test.each<[string, string, Files]>([
  ['a published port of compose', 'critical', compose('    ports: ["8545:8545"]\n')],
  ['no published port of compose', 'high', compose('')],
  ['a port of compose on loopback', 'critical', compose('    ports: ["127.0.0.1:8545:8545"]\n')],
  ['a Service inside the cluster', 'high', service('ClusterIP')],
  ['a Service of a load balancer', 'critical', service('LoadBalancer')],
])('personal is %s with %s', async (_place, severity, files) => {
  expect(await judged(folderOf(files))).toContain(`${severity} privileged-module`);
});

test.each<[string, Files]>([
  ['in a network of compose', compose('')],
  ['in a cluster', service('ClusterIP')],
])('%s no browser runs: access rules are low', async (_place, files) => {
  const found = await judged(folderOf(files));
  expect(found).toEqual(expect.arrayContaining(['low wildcard-cors', 'low wildcard-vhosts']));
});

test('loose modes count on a machine, not in a checkout, whose umask decides them', async () => {
  const files = { 'kend.conf': 'NETWORK="mainnet"\nDATA_DIR=/srv/kend\nRPC_ENABLE=0\n' };
  expect(await judged(folderOf(files, 0o666))).toEqual(['high loose-permissions']);
  expect(await judged(folderOf({ ...files, '.git/HEAD': 'ref: refs/heads/main\n' }, 0o666))).toEqual([]);
});

test('a project of nine causes in three files is at most 80 lines, with every place', async () => {
  const conf = `NETWORK=mainnet
RPC_ENABLE=1
RPC_ADDR=0.0.0.0
RPC_API="klay,eth,net,web3,personal,debug"
RPC_CORSDOMAIN="*"
RPC_VHOSTS="*"
WS_ENABLE=1
WS_ADDR=0.0.0.0
WS_API="klay,eth,admin"
WS_ORIGINS="*"
DATA_DIR=/var/kend/data
ADDITIONAL="--unlock 0xabc --password /etc/pw --pprof --pprofaddr 0.0.0.0"
`;
  const script = '#!/bin/sh\ngeth --http --http.addr 0.0.0.0 --http.api eth,debug --http.corsdomain "*"\n';
  const more = `    ports: ["8545:8545", "6060:6060"]\n`;
  const cwd = folderOf({
    ...compose(more),
    'kend.conf': conf,
    'start.sh': script,
  });
  const yaml = join(cwd, 'compose.yaml');
  writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('--http ', '--http --rpc.gascap 0 --ws '));
  const { out } = await run(['node', 'lint', '.'], { cwd });
  expect(new Set(await judged(cwd)).size).toBeGreaterThanOrEqual(9);
  expect(out.split('\n').length).toBeLessThanOrEqual(80);
  const { out: whole } = await run(['node', 'lint', '.', '--format', 'json'], { cwd });
  const { targets }: Report = JSON.parse(whole);
  for (const { at } of targets.flatMap(({ findings }) => findings))
    if (!('endpoint' in at)) expect(out).toContain(`${at.line}:${at.column}`);
});
