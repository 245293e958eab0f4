/** Which interfaces of a target are dialled, and what is said of those that are not. */
import { afterEach, expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts, ProcessFacts, Socket } from '../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../src/node/facts/seen.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { type GatherOptions, gatherLive, type Local, noProcess } from '../../../src/node/probe/gather.js';
import type { Depth } from '../../../src/node/probe/probes/probe.js';
import type { Target } from '../../../src/node/probe/target.js';
import { jsonrpseeNode } from '../../peers/jsonrpsee.js';
import { closePeers } from '../../peers/scripted.js';
import { serve } from '../../survey/fake.js';
import { saturn } from '../kinds/saturn.js';

afterEach(closePeers);

type Source = EndpointFacts['source'];

/** A target whose http, metrics and gRPC ports are all this one, named there. */
function target(port: number, source: Source, change: Partial<Target> = {}): Target {
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'en',
    role: null,
    conf: null,
    endpoints: [{ address: parseEndpoint(url), source }],
    metrics: [{ kind: 'metrics', url, source }],
    ...change,
  };
}

/** Its process, with these sockets, in our network or one of its own. */
function local(
  port: number,
  source: Source,
  sockets: Seen<readonly Socket[]>,
  network: ProcessFacts['network'] = 'same',
  unknown: string | null = null,
): Local {
  const process = { pid: 7, argv: ['ken'], sockets, network } as unknown as ProcessFacts;
  return {
    process: seen(process),
    expected: [],
    engine: [],
    grpc: [{ url: `http://127.0.0.1:${port}`, source, unknown }],
  };
}

function look(what: Target, found: Local, depth: Depth = 'safe', machine: readonly Socket[] = []) {
  const options: GatherOptions = {
    kinds: [...kinds, saturn],
    connection: plainAddress,
    timeoutMs: 10_000,
    depth,
    signal: new AbortController().signal,
    machine: { processes: () => seen([]), sockets: async () => seen(machine) } as never,
  };
  return gatherLive(what, options, found);
}

const at = (port: number, address = '127.0.0.1') => ({ address, port });
const elsewhere = { state: 'not-seen', code: 'other-namespace' };

test('a node in another network namespace is not dialled at ports that only its settings name', async () => {
  const facts = await look(target(1, 'conf'), local(1, 'conf', seen([at(1), at(2)]), 'other'), 'safe', [
    at(1),
  ]);
  expect(facts.endpoints).toMatchObject([
    { modules: elsewhere, sent: { requests: 0 }, bind: seen(['127.0.0.1']) },
  ]);
  expect(facts.metrics).toMatchObject([
    { metrics: elsewhere, profiler: elsewhere, bind: seen(['127.0.0.1']) },
  ]);
  expect(facts.grpc).toMatchObject([{ listening: elsewhere, bind: seen(['127.0.0.1']) }]);
  const silent = await look(target(1, 'conf'), local(1, 'conf', seen([at(2)]), 'other'), 'safe', [at(1)]);
  expect(silent.endpoints[0]?.bind).toMatchObject(elsewhere);
});

test('a named port is connected to, and its bind comes from this machine', async () => {
  const facts = await look(
    target(1, 'argument'),
    local(1, 'inventory', seen([at(1, '::1')]), 'other'),
    'safe',
    [at(1)],
  );
  expect(facts.endpoints).toMatchObject([
    { modules: { code: 'refused' }, sent: { requests: 1 }, bind: seen(['127.0.0.1']) },
  ]);
  expect(facts.metrics).toMatchObject([{ metrics: { code: 'refused' }, bind: seen(['127.0.0.1']) }]);
  expect(facts.grpc?.[0]?.listening).not.toMatchObject(elsewhere);
});

test('a port that the node’s process does not listen on may be another’s: it is not dialled', async () => {
  const refused = { state: 'not-seen', code: 'refused', detail: 'process 7 does not listen at 127.0.0.1:1' };
  const facts = await look(target(1, 'conf'), local(1, 'conf', seen([at(2)])));
  expect(facts.endpoints).toMatchObject([{ modules: refused, sent: { requests: 0 } }]);
  expect(facts.metrics).toMatchObject([{ metrics: refused, profiler: refused }]);
  expect(facts.grpc).toMatchObject([{ listening: refused }]);
  const unseen = notSeen('not-permitted', 'permission denied');
  const asked = await look(target(1, 'conf'), local(1, 'conf', unseen));
  expect(asked.endpoints).toMatchObject([{ modules: { code: 'refused' }, sent: { requests: 1 } }]);
});

test.each<[name: string, source: Source, sockets: Seen<readonly Socket[]>, probed: boolean]>([
  ['its settings name, and the process listens there', 'conf', seen([at(0)]), true],
  ['its sockets name', 'process', seen([at(0)]), true],
  ['its settings name, and whose sockets are not known', 'conf', notSeen('not-permitted', 'no'), false],
  ['somebody names', 'argument', seen([at(0)]), false],
])('a client without a name gets existence probes at a port that %s: %#', async (_, source, own, probed) => {
  const node = await serve(({ body }) => {
    const { id, method, params } = JSON.parse(body === '' ? '{}' : body);
    const isRead = method === 'rpc_modules' && Array.isArray(params);
    const code = String(method).startsWith('kaiactl_') ? -32601 : -32602;
    const answer = isRead ? { result: { net: '1.0' } } : { error: { code, message: 'no' } };
    return { body: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) };
  });
  try {
    const port = Number(new URL(node.url).port);
    const sockets = own.state === 'seen' ? seen([at(port)]) : own;
    const [endpoint] = (await look(target(port, source), local(port, source, sockets))).endpoints;
    expect(endpoint?.calibrated.state).toBe(probed ? 'seen' : 'not-seen');
    expect(Object.keys(endpoint?.methods ?? {}).includes('personal_ecRecover')).toBe(probed);
  } finally {
    await node.close();
  }
});

const kaiaName = 'Klaytn/v2.2.1/linux-amd64/go1.25.3';
const gethName = 'Geth/v1.17.8-stable-1a2b3c4d/linux-amd64/go1.24.2';
const saturnName = 'saturn/v1.0.0';

test.each<[siblings: readonly (string | null)[], params: '{}' | null]>([
  [[kaiaName], '{}'],
  [[kaiaName, kaiaName], '{}'],
  [[kaiaName, null], '{}'],
  [[kaiaName, gethName], null],
  [[kaiaName, 'Foo/v1'], null],
  [['Foo/v1'], null],
  [['Nethermind/v1.35.2'], null],
  [[null], null],
  // Its kind would run a method that gets {}, and [] goes to clients that name themselves.
  [[saturnName], null],
])('an interface that names nothing beside %j is asked for modules with %s', async (siblings, params) => {
  const nodes = await Promise.all(
    [null, ...siblings].map((client) =>
      jsonrpseeNode('http', { client, modules: ['debug', 'eth', 'rpc', 'web3'] }),
    ),
  );
  const endpoints = nodes.map(({ peer }) => ({
    address: parseEndpoint(peer.address),
    source: 'inventory' as const,
  }));
  const facts = await look({ ...target(1, 'argument'), endpoints, metrics: [] }, noProcess, 'safe', []);
  const [unnamed] = facts.endpoints;
  const sent = nodes[0]?.withObject.map((text) => (JSON.parse(text) as { method: string }).method);
  // This one runs it, so that nothing more is asked.
  expect(sent).toEqual(params === null ? [] : ['rpc_modules']);
  expect(unnamed?.calibrated.state === 'not-seen' && unnamed.calibrated.code).toBe(
    params === null ? 'not-asked' : 'unreadable',
  );
  expect(Object.values(unnamed?.methods ?? {}).filter(({ state }) => state === 'seen')).toEqual([]);
  const preflights = 1;
  expect(unnamed?.sent.requests).toBe((nodes[0]?.asked.length ?? 0) + preflights);
  expect(nodes[0]?.ran.filter((method) => !/^(?:rpc_modules|eth_accounts)$/.test(method))).toEqual([]);
});

test('the node’s own port is dialled, and its bind is where the process listens', async () => {
  const node = await serve(() => ({ status: 404 }));
  const port = Number(new URL(node.url).port);
  try {
    const own = local(port, 'conf', seen([at(port, '0.0.0.0')]));
    const facts = await look(target(port, 'conf'), own, 'safe', [at(port)]);
    expect(facts.endpoints).toMatchObject([{ bind: seen(['0.0.0.0']) }]);
    expect(facts.metrics[0]?.bind).toEqual(seen(['0.0.0.0']));
    expect(node.asked.length).toBeGreaterThan(1);
    const alone = await look(target(port, 'conf'), noProcess, 'none', [at(port)]);
    expect(alone).toMatchObject({
      endpoints: [{ bind: seen(['127.0.0.1']) }],
      metrics: [],
      grpc: [],
      sockets: [],
    });
    expect(alone.process).toMatchObject({ code: 'not-applicable' });
  } finally {
    await node.close();
  }
});

test('gRPC is not asked of a simulated node, where its port is unknown, or with --probe none', async () => {
  const grpc = async (what: Target, found: Local, depth: Depth = 'safe') =>
    (await look(what, found, depth)).grpc?.[0]?.listening;
  const sockets = seen([at(1)]);
  const simulated = target(1, 'argument', { simulated: true });
  expect(await grpc(simulated, local(1, 'argument', sockets))).toMatchObject({ code: 'not-asked' });
  expect(
    await grpc(target(1, 'conf'), local(1, 'conf', sockets, 'same', 'it is a command’s output')),
  ).toEqual(notSeen('indeterminate', 'it is a command’s output'));
  expect(await grpc(target(1, 'conf'), local(1, 'conf', sockets), 'none')).toMatchObject({
    code: 'left-out',
  });
  const closed = await grpc(target(1, 'conf'), local(1, 'conf', sockets));
  expect(closed).not.toMatchObject({ code: 'left-out' });
});

test('a simulated node has no bind on this machine', async () => {
  const facts = await look(target(1, 'argument', { simulated: true }), noProcess, 'none', [at(1)]);
  expect(facts.endpoints[0]?.bind).toMatchObject({ code: 'not-applicable', detail: 'it is simulated' });
});
