/** An audit of many nodes against a bare loop that sends the same requests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fetch from 'node-fetch';
import pLimit from 'p-limit';
import { simulateShape } from '../../src/node/simulator/node.js';
import { quietShape } from '../peers/shape.js';
import type { Bench } from './bench.js';
import { compared, nodes as nodesAtHand } from './processes.js';
import { apart } from './program.js';

const nodes = 500;
const concurrency = 32;

/** What a quiet node is sent over http, in order; `host` is the one foreign request. */
const messages = [
  { method: 'rpc_modules', params: [] },
  { method: 'web3_clientVersion', params: [] },
  { method: 'net_version', params: [] },
  { method: 'kaia_accounts', params: [] },
  { method: 'kaiactl_0123456789abcdef', params: {} },
  { method: 'rpc_modules', params: {}, host: 'kaiactl.invalid' },
  { method: 'rpc_modules', params: {} },
  { method: 'debug_getBlockRlp', params: {} },
  { method: 'admin_nodeInfo', params: {} },
  { method: 'chaindatafetcher_status', params: {} },
  { method: 'governance_getStakingInfo', params: {} },
  { method: 'istanbul_getValidatorsAtHash', params: {} },
  { method: 'personal_ecRecover', params: {} },
  { method: 'subbridge_getBridgeInformation', params: {} },
  { method: 'txpool_status', params: {} },
];

/** Serves nodes in a separate process: prints its addresses, ends with stdin. */
export const auditPeers: Bench = {
  name: 'audit-peers',
  async run() {
    const shape = { ...quietShape, ws: null, ipc: null };
    const running = await pLimit(16).map(Array.from({ length: nodes }), () =>
      simulateShape(shape, { freePorts: true }),
    );
    for (const { http } of running) process.stdout.write(`${http}\n`);
    await new Promise((resolve) => process.stdin.resume().on('end', resolve));
    await pLimit(16).map(running, (node) => node.close());
  },
};

/** Sends the requests of an audit to the addresses in a file, and judges nothing. */
export const auditBare: Bench = {
  name: 'audit-bare',
  run: () =>
    bareLoop(
      readFileSync(process.env.KAIACTL_TEST_URLS ?? '', 'utf8')
        .trim()
        .split('\n'),
    ),
};

export const audit: Bench = {
  name: 'audit',
  async run(tell) {
    await withPeers(async (urls, folder) => {
      const [bench = ''] = process.argv.slice(1);
      process.env.KAIACTL_TEST_URLS = join(folder, 'urls');
      writeFileSync(process.env.KAIACTL_TEST_URLS, `${urls.join('\n')}\n`);
      const auditFor = (size: number) => ['bin/kaiactl.js', ...auditOf(inventory(folder, urls, size))];
      for (const { name, program } of nodesAtHand) {
        const took = await compared(3, folder, {
          audit: [program, ...auditFor(nodes)],
          half: [program, ...auditFor(nodes / 2)],
          bare: [program, bench, 'audit-bare'],
        });
        const requests = nodes * (messages.length + 1);
        const rate = (ms: number): string => `${Math.round((requests / ms) * 1000)} requests`;
        tell({
          what: `\`kaiactl node audit\` of ${nodes} nodes of this machine, ${concurrency} at once, ${requests} requests each way, ${name}`,
          value: `${rate(took.audit)} per second of processor`,
          instead: `a loop of node-fetch that judges nothing: ${rate(took.bare)}`,
          ratio: `${(took.bare / took.audit).toFixed(2)} × the rate`,
        });
        const each = (ms: number, size: number) => `${(ms / size).toFixed(2)} ms of processor each`;
        tell({
          what: `the same for each node, ${name}`,
          value: each(took.audit, nodes),
          instead: `of ${nodes / 2} nodes: ${each(took.half, nodes / 2)}`,
          ratio: `${(took.audit / 2 / took.half).toFixed(2)} × the time`,
        });
      }
      const few = await apart(folder, auditOf(inventory(folder, urls, nodes)));
      const many = await apart(folder, auditOf(inventory(folder, urls, nodes * 10)));
      tell({
        what: 'its peak memory',
        value: `${few.mb} MB for ${nodes} nodes, ${many.mb} MB for ${nodes * 10}`,
      });
    });
  },
};

/** Calls `use` with the addresses of 500 nodes in another process and an empty folder. */
export async function withPeers(
  use: (urls: readonly string[], folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bench-'));
  const peers = spawn(process.execPath, [process.argv[1] ?? '', 'audit-peers'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await use(await addresses(peers), folder);
  } finally {
    peers.stdin?.end();
    peers.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addresses(peers: ChildProcess): Promise<string[]> {
  const urls: string[] = [];
  if (peers.stdout === null) return urls;
  for await (const line of createInterface({ input: peers.stdout })) {
    const url = /http:\S+/.exec(line)?.[0];
    if (url !== undefined) urls.push(url);
    if (urls.length === nodes) break;
  }
  return urls;
}

/** A fleet of `size` nodes; beyond the peers there are, they are asked more than once. */
export function inventory(folder: string, urls: readonly string[], size: number): string {
  const file = join(folder, `fleet-${size}.ini`);
  const sections = Array.from({ length: size }, (_, at) => `[en-${at}]\nrpc = ${urls[at % urls.length]}\n`);
  writeFileSync(file, sections.join(''));
  return file;
}

function auditOf(fleet: string): string[] {
  // Of a node that is late on a busy machine everything would be undetermined.
  const patience = ['--timeout', '2m', '--concurrency', String(concurrency)];
  return ['node', 'audit', '--inventory', fleet, ...patience, '--format', 'json', '--quiet'];
}

async function bareLoop(urls: readonly string[]): Promise<void> {
  await pLimit(concurrency).map(urls, async (url) => {
    const agent = new Agent({ keepAlive: true });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'User-Agent': 'bare' };
    for (const [id, { host, ...message }] of messages.entries()) {
      const body = JSON.stringify({ jsonrpc: '2.0', id, ...message });
      const own = host === undefined ? headers : { ...headers, Host: host };
      const response = await fetch(url, { method: 'POST', headers: own, body, agent });
      const text = await response.text();
      if (response.status === 200) JSON.parse(text);
    }
    const asks = {
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    };
    await (
      await fetch(url, { method: 'OPTIONS', headers: { Origin: 'https://kaiactl.invalid', ...asks }, agent })
    ).text();
    agent.destroy();
  });
}
