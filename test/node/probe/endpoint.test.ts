/** What one endpoint shows, against the simulator and servers nobody here wrote. */

import { describe, expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { deadline } from '../../../src/jsonrpc/deadline.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts } from '../../../src/node/facts/live.js';
import { notSeen } from '../../../src/node/facts/seen.js';
import { probeEndpoint } from '../../../src/node/probe/run.js';
import type { NodeShape } from '../../../src/node/simulator/shape.js';
import { describeAnvil, describeGanache } from '../../peers/real.js';
import { withNode } from '../../peers/shape.js';

async function probe(address: string, depth: 'none' | 'safe' = 'safe'): Promise<EndpointFacts> {
  const end = deadline(10_000);
  try {
    const visit = {
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

const seen = (value: unknown) => ({ state: 'seen', value });

/** The same change to http and ws. */
function both(change: { modules?: string[]; origins?: string[] }): (shape: NodeShape) => NodeShape {
  return (shape) => ({ ...shape, http: { ...shape.http!, ...change }, ws: { ...shape.ws!, ...change } });
}

const debug = ['debug', 'eth', 'kaia', 'net', 'rpc', 'web3'];

describe.each(['http', 'ws'] as const)('over %s', (wire) => {
  test('a quiet node', async () => {
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
      (one) => ({ ...shape(one), bootNode: true }),
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
  ])('the unsafe-debug switch, on: %s', async (unsafeDebugGone, presence) => {
    const shape = both({ modules: debug });
    await withNode(
      (one) => ({ ...shape(one), unsafeDebugGone }),
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

  test('open access and accounts', async () => {
    const account = '0x71562b71999873db5b286df957af199ec94617f7';
    const wide = both({ origins: ['*'] });
    await withNode(
      (one) => {
        const shape = wide(one);
        return { ...shape, accounts: [account], http: { ...shape.http!, vhosts: ['*'] } };
      },
      async (node) => {
        const facts = await probe(node[wire] ?? '');
        expect(facts).toMatchObject({ accounts: seen([account]), foreignOrigin: seen('open') });
        if (wire === 'http') expect(facts.foreignHost).toEqual(seen('open'));
      },
    );
  });

  test('--probe none asks what it is and no more', async () => {
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

  test('an older node that says klay', async () => {
    const shape = both({ modules: ['kaia', 'rpc'] });
    await withNode(
      shape,
      async (node) => {
        const facts = await probe(node[wire] ?? '');
        expect(facts).toMatchObject({ modules: seen({ klay: '1.0', rpc: '1.0' }), accounts: seen([]) });
        expect(facts.client).toEqual(notSeen('not-applicable', 'web3 is not offered'));
      },
      { klay: true },
    );
  });
});

test('over ipc: modules, identity and the mode of the file; no probes', async () => {
  await withNode(
    (shape) => shape,
    async (node) => {
      const facts = await probe(`ipc:${node.ipc}`);
      expect(facts).toMatchObject({
        chain: seen('8217'),
        fileMode: seen(0o600),
        calibrated: { code: 'not-applicable' },
        accounts: { code: 'not-applicable' },
        sent: { requests: 3 },
      });
    },
  );
});

describeGanache((peer) => {
  test.each(['http', 'ws'] as const)('is read over %s, and its probes are not believed', async (wire) => {
    const facts = await probe(peer()[wire]);
    expect(facts).toMatchObject({
      modules: seen(expect.objectContaining({ eth: '1.0', personal: '1.0' })),
      client: seen(expect.stringMatching(/ganache/i)),
      accounts: seen([expect.stringMatching(/^0x/), expect.stringMatching(/^0x/)]),
      foreignOrigin: seen('open'),
    });
    expect(facts.calibrated).toMatchObject({ code: 'unreadable' });
    expect(Object.values(facts.methods).filter(({ state }) => state === 'seen')).toEqual([]);
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
