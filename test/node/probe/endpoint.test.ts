/** What one endpoint shows, against the simulator and servers nobody here wrote. */

import { afterEach, describe, expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { deadline } from '../../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts } from '../../../src/node/facts/live.js';
import { notSeen } from '../../../src/node/facts/seen.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { probesOf } from '../../../src/node/probe/probes/index.js';
import { factsWithoutProbes, probeEndpoint } from '../../../src/node/probe/run.js';
import type { NodeShape } from '../../../src/node/simulator/shape.js';
import { describeAnvil, describeGanache } from '../../peers/real.js';
import { closePeers, scripted } from '../../peers/scripted.js';
import { quietAnswers, withNode } from '../../peers/shape.js';
import { serve } from '../../survey/fake.js';
import { unsafeDebugMethods } from '../kaia-methods.js';

async function probe(address: string, depth: 'none' | 'safe' = 'safe'): Promise<EndpointFacts> {
  const end = deadline(10_000);
  try {
    const visit = {
      probes: probesOf(kinds),
      address: parseEndpoint(address),
      source: 'argument',
      options: plainAddress,
      depth,
    } as const;
    return await probeEndpoint({ ...visit, signal: end.signal });
  } finally {
    end.clear();
  }
}

afterEach(closePeers);

const seen = (value: unknown) => ({ state: 'seen', value });

/** The same change to http and ws. */
function both(change: { modules?: string[]; origins?: string[] }): (shape: NodeShape) => NodeShape {
  return (shape) => ({ ...shape, http: { ...shape.http!, ...change }, ws: { ...shape.ws!, ...change } });
}

const debug = ['debug', 'eth', 'kaia', 'net', 'rpc', 'web3'];

describe.each(['http', 'ws'] as const)('over %s', (wire) => {
  test('a quiet node shows no open access', async () => {
    const log: string[] = [];
    await withNode(
      (shape) => shape,
      async (node) => {
        const facts = await probe(node[wire] ?? '');
        expect(facts).toMatchObject({
          modules: seen({ eth: '1.0', kaia: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' }),
          client: seen(expect.stringMatching(/^Klaytn\/v2\.2\.1/)),
          chain: seen('8217'),
          accounts: seen([]),
          calibrated: seen(true),
          methods: {},
          foreignOrigin: seen('closed'),
        });
        if (wire === 'http') expect(facts.foreignHost).toEqual(seen('closed'));
        // Without debug nobody asks whether its switch is on.
        expect(unsafeDebugMethods.filter((method) => facts.methods[method] !== undefined)).toEqual([]);
        expect(facts.latencyMs).toBeGreaterThan(0);
      },
      { log: (_wire, method, outcome) => log.push(`${method} ${outcome}`) },
    );
    expect(log.filter((line) => line.endsWith('ok'))).toEqual(
      ['rpc_modules', 'web3_clientVersion', 'net_version', 'kaia_accounts'].map((name) => `${name} ok`),
    );
  });

  test('a boot node, whose debug has no block methods', async () => {
    const shape = both({ modules: ['bootnode', 'debug', 'rpc', 'web3'] });
    await withNode(
      (one) => ({ ...shape(one), answers: quietAnswers({ start: { launcher: 'kbnd' } }) }),
      async (node) => {
        const facts = await probe(node[wire] ?? '');
        expect(facts).toMatchObject({
          calibrated: seen(true),
          methods: { debug_getBlockRlp: seen('absent'), debug_setGCPercent: seen('present') },
          foreignOrigin: seen('closed'),
        });
      },
    );
  });

  test.each([
    [false, 'present'],
    [true, 'absent'],
  ])('the unsafe-debug switch is seen, on: %s', async (isOn, presence) => {
    const shape = both({ modules: debug });
    await withNode(
      (one) => ({
        ...shape(one),
        answers: quietAnswers({ start: { on: isOn ? ['rpc.unsafe-debug.disable'] : [] } }),
      }),
      async (node) => {
        const facts = await probe(node[wire] ?? '');
        expect(facts.calibrated).toEqual(seen(true));
        expect(facts.methods).toMatchObject({
          debug_getBlockRlp: seen('present'),
          debug_setGCPercent: seen(presence),
          debug_chaindbProperty: seen(presence),
          debug_traceBlockFromFile: seen(presence),
          debug_preimage: seen(presence),
        });
        expect(facts.sent.requests).toBeLessThanOrEqual(20);
      },
    );
  });

  test('open access checks and accounts are seen', async () => {
    const account = '0x71562b71999873db5b286df957af199ec94617f7';
    const wide = both({ origins: ['*'] });
    await withNode(
      (one) => {
        const shape = wide(one);
        const answers = quietAnswers({ accounts: [account] });
        return { ...shape, answers, http: { ...shape.http!, vhosts: ['*'] } };
      },
      async (node) => {
        const facts = await probe(node[wire] ?? '');
        expect(facts).toMatchObject({ accounts: seen([account]), foreignOrigin: seen('open') });
        if (wire === 'http') expect(facts.foreignHost).toEqual(seen('open'));
      },
    );
  });

  test('--probe none requests identity and modules only', async () => {
    await withNode(both({ modules: debug }), async (node) => {
      const facts = await probe(node[wire] ?? '', 'none');
      expect(facts.sent.requests).toBe(3);
      expect(facts).toMatchObject({
        chain: seen('8217'),
        calibrated: notSeen('left-out', 'not asked (--probe none)'),
        methods: {},
        foreignOrigin: { state: 'not-seen', code: 'left-out' },
      });
    });
  });

  test('an older node that lists klay is recognised', async () => {
    const older = both({ modules: ['kaia', 'rpc'] });
    const shape = (one: NodeShape) =>
      older({ ...one, answers: quietAnswers({ start: { release: 'klaytn/v1.12.1' } }) });
    await withNode(shape, async (node) => {
      const facts = await probe(node[wire] ?? '');
      expect(facts).toMatchObject({ modules: seen({ klay: '1.0', rpc: '1.0' }), accounts: seen([]) });
      expect(facts.client).toEqual(notSeen('not-applicable', 'web3 is not offered'));
    });
  });
});

test('over ipc: modules, identity, wallets and the mode of the file; no existence probes', async () => {
  await withNode(
    (shape) => shape,
    async (node) => {
      const facts = await probe(`ipc:${node.ipc}`);
      expect(facts).toMatchObject({
        chain: seen('8217'),
        fileMode: seen(0o600),
        calibrated: { code: 'not-applicable' },
        accounts: { code: 'not-applicable' },
        sent: { requests: 4 },
      });
    },
  );
});

/** A node on http whose answers a test writes: a result or the code of an error, by method. */
async function answering(
  answer: (method: string, params: unknown) => { result: unknown } | number,
): Promise<EndpointFacts> {
  const node = await serve(({ method, body }) => {
    if (method !== 'POST') return {};
    const asked = JSON.parse(body) as { id: number; method: string; params: unknown };
    const said = answer(asked.method, asked.params);
    const part = typeof said === 'number' ? { error: { code: said, message: 'no' } } : said;
    return { body: JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...part }) };
  });
  try {
    return await probe(node.url);
  } finally {
    await node.close();
  }
}

test('the switch is probed if unlisted debug answers, and not otherwise', async () => {
  const modules = { result: { eth: '1.0', rpc: '1.0', web3: '1.0' } };
  const node = (prefix: string, client = 'Klaytn/v2.2.1/linux-amd64/go1.25.3') =>
    answering((method, params) => {
      if (method === 'rpc_modules') return Array.isArray(params) ? modules : -32602;
      if (method === 'web3_clientVersion') return { result: client };
      return method.startsWith(prefix) ? -32602 : -32601;
    });
  const hidden = await node('debug_');
  for (const method of unsafeDebugMethods) expect(hidden.methods[method]).toEqual(seen('present'));
  const none = await node('eth_');
  for (const method of unsafeDebugMethods) expect(none.methods[method]).toBeUndefined();
  expect(none.methods.debug_getBlockRlp).toEqual(seen('absent'));
  const unknown = await node('debug_', 'Foo/v1');
  expect(unknown).toMatchObject({ methods: {}, calibrated: { code: 'not-asked' } });
});

test.each(['ws', 'ipc'] as const)(
  'over %s, who says more than it was asked is not believed',
  async (wire) => {
    const peer = await scripted(wire, (text) => {
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      const answer = JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: method === 'rpc_modules' ? { net: '1.0', web3: '1.0' } : 'x',
      });
      return method === 'web3_clientVersion' ? [answer, answer] : answer;
    });
    const facts = await probe(peer.address, 'none');
    expect(facts.modules).toMatchObject({ state: 'not-seen', code: 'unreadable' });
    expect(facts.latencyMs).not.toBeNull();
  },
);

test('a node that does not answer has no latency and gets one request', async () => {
  const node = await serve(() => (response) => response.destroy());
  try {
    const facts = await probe(node.url);
    expect(facts).toMatchObject({ latencyMs: null, sent: { requests: 1 } });
    for (const fact of ['modules', 'client', 'chain', 'accounts', 'calibrated'] as const)
      expect(facts[fact]).toEqual(facts.modules);
    expect(facts.modules).toMatchObject({ state: 'not-seen', code: 'unreachable' });
  } finally {
    await node.close();
  }
});

test('an endpoint that is not dialled has the reason for each of its facts', () => {
  const why = notSeen('refused', 'nobody listens');
  const facts = factsWithoutProbes(parseEndpoint('http://127.0.0.1:1'), 'conf', why);
  for (const fact of ['modules', 'client', 'chain', 'accounts', 'calibrated', 'foreignHost'] as const)
    expect(facts[fact]).toEqual(why);
  expect(facts).toMatchObject({ source: 'conf', methods: {}, fileMode: { code: 'not-applicable' } });
});

describeGanache((peer) => {
  test.each(['http', 'ws'] as const)('is read over %s, and gets no existence probe', async (wire) => {
    const facts = await probe(peer()[wire]);
    expect(facts).toMatchObject({
      modules: seen(expect.objectContaining({ eth: '1.0', personal: '1.0' })),
      client: seen(expect.stringMatching(/ganache/i)),
      accounts: seen([expect.stringMatching(/^0x/), expect.stringMatching(/^0x/)]),
      foreignOrigin: seen('open'),
    });
    expect(facts.calibrated).toMatchObject({ code: 'not-asked' });
    expect(facts.methods).toEqual({});
  });
});

describeAnvil((peer) => {
  test.each(['http', 'ws', 'ipc'] as const)(
    'shows no modules over %s and nothing is concluded',
    async (wire) => {
      const facts = await probe(peer()[wire] ?? '');
      expect(facts.modules).toMatchObject({
        code: 'rpc-error',
        detail: expect.stringMatching(/^rpc_modules answered error/),
      });
      expect(facts.client).toEqual(seen(expect.stringMatching(/^anvil\//)));
      expect(facts.calibrated.state).not.toBe('seen');
      expect(Object.values(facts.methods).filter(({ state }) => state === 'seen')).toEqual([]);
    },
  );
});
