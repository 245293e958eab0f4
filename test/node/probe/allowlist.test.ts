/** A watchman in the node's place: whatever is not on the list of what may be sent fails the test. */
import type { IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { deadline } from '../../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts } from '../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { namespaceOf } from '../../../src/node/kinds/request.js';
import { probePort } from '../../../src/node/probe/ports.js';
import { probesOf } from '../../../src/node/probe/probes/index.js';
import { budgetOf, emptyFacts, probeEndpoint } from '../../../src/node/probe/run.js';
import { closePeers, wires } from '../../peers/scripted.js';
import { confMetricsWatch, watchman } from '../../peers/watchman.js';
import { namespaceMethods } from '../kaia-methods.js';

afterEach(closePeers);

async function visit(address: string): Promise<{ requests: number; bytes: number }> {
  const end = deadline(10_000);
  try {
    const at = {
      address: parseEndpoint(address),
      source: 'argument',
      options: plainAddress,
      depth: 'safe',
      probes: probesOf(kinds),
    } as const;
    return (await probeEndpoint({ ...at, signal: end.signal })).sent;
  } finally {
    end.clear();
  }
}

test.each(wires)('an audit over %s sends no other request', async (wire) => {
  const watch = await watchman(wire);
  const sent = await visit(watch.peer.address);
  expect(watch.violations).toEqual([]);
  expect(watch.requests).toBe(sent.requests);
  expect(sent.requests).toBeGreaterThanOrEqual(3);
});

test.each([true, false])(
  'a node with everything on costs at most 20 requests and 8 KiB (hosts open: %s)',
  async (open) => {
    const watch = await watchman('http', { foreignHosts: open });
    const sent = await visit(watch.peer.address);
    expect(watch.violations).toEqual([]);
    expect(watch.methods).toEqual(
      expect.arrayContaining(['debug_setGCPercent', 'debug_getBlockRlp', 'kaia_accounts', 'OPTIONS']),
    );
    expect(watch.requests).toBeLessThanOrEqual(20);
    expect(watch.bytes()).toBeLessThanOrEqual(8192);
    expect(Math.abs(watch.bytes() - sent.bytes)).toBeLessThan(500);
  },
);

/** What decides which questions are put: the modules listed, and whether debug answers though it is not listed. */
function facts(listed: readonly string[], debugAnswers: boolean): EndpointFacts {
  const address = parseEndpoint('http://127.0.0.1:8551');
  return {
    ...emptyFacts(address, 'argument'),
    modules: seen(Object.fromEntries(listed.map((name) => [name, '1.0']))),
    calibrated: seen(true),
    methods: debugAnswers ? { debug_getBlockRlp: seen('present') } : {},
  };
}

test.each(wires)('the probes stay within their budget over %s, for any modules a node lists', (wire) => {
  const names = ['web3', 'net', 'kaia', ...namespaceMethods.map(namespaceOf), 'debug'];
  const over = probesOf(kinds).filter((probe) => probe.over.includes(wire));
  let most = 0;
  for (let chosen = 0; chosen < 1 << names.length; chosen++) {
    const listed = names.filter((_, at) => (chosen >> at) & 1);
    for (const answers of [true, false]) {
      const seenFacts = facts(listed, answers);
      const put = over.filter((probe) => (probe.unless?.(seenFacts) ?? null) === null);
      most = Math.max(most, put.flatMap(({ plan }) => plan).length);
    }
  }
  const unlisted = { ...facts([], true), modules: notSeen('rpc-error', 'rpc_modules answered error') };
  const put = over.filter((probe) => (probe.unless?.(unlisted) ?? null) === null);
  expect(Math.max(most, put.flatMap(({ plan }) => plan).length)).toBeLessThanOrEqual(budgetOf(over));
  expect(most).toBeGreaterThan(wire === 'ipc' ? 0 : 15);
});

test('a metrics port gets two GETs, of which the first bytes are read', async () => {
  const asked: string[] = [];
  const peer = await confMetricsWatch((request: IncomingMessage) =>
    asked.push(`${request.method} ${request.url}`),
  );
  const end = deadline(5000);
  const facts = await probePort(
    { kind: 'metrics', url: peer.address, source: 'conf' },
    plainAddress,
    end.signal,
  );
  end.clear();
  expect(asked).toEqual(['GET /metrics', 'GET /debug/pprof/']);
  expect(facts).toMatchObject({
    metrics: { state: 'seen', value: 'open' },
    profiler: { state: 'seen', value: 'open' },
  });
});

test('the watchman rejects wrong requests', async () => {
  const watch = await watchman('http');
  const post = (body: string) =>
    fetch(watch.peer.address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await post('{"jsonrpc":"2.0","id":1,"method":"debug_setGCPercent","params":[]}');
  await post('[]');
  await post('{"jsonrpc":"2.0","method":"rpc_modules","params":[]}');
  expect(watch.violations).toHaveLength(3);
});
