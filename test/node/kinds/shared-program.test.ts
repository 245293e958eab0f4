/** Forks run geth's own program: the answers tell which of them a process is. */
import { expect, onTestFinished, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import type { ProcessFacts } from '../../../src/node/facts/live.js';
import type { TargetReport } from '../../../src/node/facts/report.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import { gather } from '../../../src/node/gather.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { kindAnswering } from '../../../src/node/kinds/node.js';
import { serve } from '../../survey/fake.js';
import { judgeTarget } from '../pipeline.js';

/** A node on loopback that answers what bsc v1.7.8 does. */
async function node(modules: readonly string[], chain: string): Promise<number> {
  const answers: Readonly<Record<string, unknown>> = {
    rpc_modules: Object.fromEntries(modules.map((name) => [name, '1.0'])),
    web3_clientVersion: 'Geth/v1.7.8/linux-amd64/go1.25.0',
    net_version: chain,
  };
  const server = await serve(({ body }) => {
    if (body === '') return {};
    const { id, method } = JSON.parse(body);
    const result = answers[method];
    const error = { code: -32601, message: `the method ${method} does not exist/is not available` };
    return {
      body: JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }),
    };
  });
  onTestFinished(() => server.close());
  return Number(new URL(server.url).port);
}

/** Audits a process of geth's program with http at this port. */
async function audit(http: number): Promise<TargetReport> {
  const sockets = seen([{ address: '127.0.0.1', port: http }]);
  const process: ProcessFacts = {
    pid: 7,
    argv: `/usr/bin/geth --ipcdisable --http --http.port ${http} --http.api eth,net,parlia,admin`.split(' '),
    startedAt: null,
    environment: seen({}),
    folder: seen('/'),
    settings: null,
    sockets,
    network: 'same',
    root: '',
    container: null,
    build: seen({ path: 'github.com/ethereum/go-ethereum/cmd/geth', module: null, version: null, tag: null }),
  };
  const facts = await gather(
    { name: 'pid:7', role: null, conf: null, process, endpoints: [], metrics: [] },
    {
      connection: plainAddress,
      timeoutMs: 10_000,
      depth: 'safe',
      signal: new AbortController().signal,
      machine: {
        processes: () => seen([process]),
        sockets: async () => sockets,
        beside: () => ({ neighbours: [], routesLoopback: null }),
      } as never,
      now: () => 0,
    },
  );
  return judgeTarget(facts, { failOn: 'high' });
}

test.each([
  ['by a module of its own', ['admin', 'eth', 'net', 'parlia', 'web3'], '1', 'bsc'],
  ['by its chain', ['admin', 'eth', 'net', 'web3'], '56', 'bsc'],
  ['by neither', ['admin', 'eth', 'net', 'web3'], '1', 'geth'],
])('the process is known %s, and judged once', async (_, modules, chain, kind) => {
  const report = await audit(await node(modules, chain));
  expect(report.kind).toBe(kind);
  const found = report.findings.map(({ rule, subject }) => `${rule} ${subject}`);
  expect(found).toEqual([...new Set(found)]);
  expect(found).toContain('privileged-module http admin');
  expect(found.filter((one) => one.startsWith('foreign-node'))).toEqual([]);
  expect(
    report.findings.some(({ message }) => /^http answers .* which no settings open .*admin/.test(message)),
  ).toBe(false);
  expect(report.undetermined.filter(({ code }) => code === 'defect')).toEqual([]);
});

test('a chain does not make another client a fork of geth', () => {
  const of = (client: string) =>
    kindAnswering(kinds, { client: seen(client), chain: seen('56'), modules: notSeen('refused', '') });
  expect([of('Geth/v1.7.8/linux-amd64'), of('erigon/3.0.0')]).toEqual(['bsc', 'erigon']);
});
