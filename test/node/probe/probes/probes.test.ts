/** The list of probes as a whole: what derives from it holds together. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainAddress } from '../../../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../../../src/jsonrpc/endpoint.js';
import type { EndpointFacts } from '../../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { existenceMethod } from '../../../../src/node/kinds/request.js';
import { linesOf } from '../../../../src/node/probe/plan.js';
import { probesOf } from '../../../../src/node/probe/probes/index.js';
import { budgetOf, emptyFacts, probeEndpoint } from '../../../../src/node/probe/run.js';
import { withNode } from '../../../peers/shape.js';
import { moon } from '../../kinds/moon.js';

const filled = ['modules', 'client', 'chain', 'accounts', 'calibrated', 'foreignHost', 'foreignOrigin'];

test('every fact has a probe and is unseen until the probe ran', () => {
  expect(new Set(probesOf(kinds).map(({ fact }) => fact))).toEqual(
    new Set([...filled, 'fileMode', 'openTo', 'unlocked', 'methods']),
  );
  for (const address of ['http://127.0.0.1:1', 'ws://127.0.0.1:1', 'ipc:/x']) {
    const facts = emptyFacts(parseEndpoint(address), 'argument') as unknown as Record<string, object>;
    for (const fact of [...filled, 'fileMode', 'openTo', 'unlocked'])
      expect(facts[fact]).toMatchObject({ state: 'not-seen' });
  }
});

test.each(['http', 'ws', 'ipc'] as const)('the requests that can be sent over %s', (wire) => {
  expect(linesOf(probesOf(kinds), wire, 'none').map(([message]) => message)).toEqual([
    'rpc_modules []',
    'web3_clientVersion []',
    'net_version []',
  ]);
  expect(linesOf(probesOf(kinds), wire, 'safe').length).toBeGreaterThanOrEqual(3);
});

describe('a method that two kinds name', () => {
  const namespaces = [existenceMethod('admin_nodeInfo')];
  const twin = { ...moon, probes: { ...kaia.probes, namespaces, excludes: { admin: ['vault'] } } };
  const both = [kaia, twin];

  test('is asked once', () => {
    expect(budgetOf(probesOf(both))).toBe(budgetOf(probesOf([kaia])));
    const methods = probesOf(both).flatMap((probe) => (probe.fact === 'methods' ? [probe.method] : []));
    expect(methods).toEqual([...new Set(methods)]);
  });

  test.each([
    ['Klaytn/v2.2.1/linux-amd64/go1.25.3', ['net', 'kaia'], true],
    ['Moon/v1', ['net'], true],
    ['Moon/v1', ['net', 'vault'], false],
    // On some other kinds a call without its parameters runs the method.
    ['reth/v1.9.3-27a8c0f/x86_64-unknown-linux-gnu', ['net'], false],
  ])('is asked as the kind of the node says: %s with %j', (client, listed, isAsked) => {
    const facts = {
      ...emptyFacts(parseEndpoint('http://127.0.0.1:1'), 'argument'),
      modules: seen(Object.fromEntries(listed.map((name) => [name, '1.0']))),
      client: seen(client),
      calibrated: seen(true as const),
    };
    const probe = probesOf(both).find((one) => one.fact === 'methods' && one.method === 'admin_nodeInfo');
    const why = probe?.unless?.(facts) ?? null;
    expect(why?.code ?? null).toBe(isAsked ? null : 'not-applicable');
  });
});

test.each([
  'ethrex/v5.0.0-main-27a8c0f/x86_64-unknown-linux-gnu',
  'Nethermind/v1.31.0/linux-x64/dotnet9.0',
  'besu/v25.4.0/linux-x86_64/openjdk-java-21',
  'bor/v2.2.11/linux-amd64/go1.24.6',
  'EthereumJS/0.10.5/linux/node22.1.0',
  'anvil/v1.2.3',
  'HardhatNetwork/2.22.18/@nomicfoundation/edr/0.8.0',
  'Ganache/v7.9.2/EthereumJS TestRPC/v7.9.2/ethereum-js',
])('%s gets no existence probe, and is asked for its accounts without a module list', (client) => {
  const facts = {
    ...emptyFacts(parseEndpoint('http://127.0.0.1:1'), 'argument'),
    modules: seen({ net: '1.0' }),
    client: seen(client),
    calibrated: seen(true as const),
  };
  const asked = (of: EndpointFacts) =>
    probesOf(kinds)
      .filter(({ over, unless }) => over.includes('http') && (unless?.call(null, of) ?? null) === null)
      .flatMap(({ plan }) => plan.map(([message]) => message));
  const noModules = { ...facts, modules: notSeen('rpc-error', 'no rpc_modules') };
  expect(asked(noModules).filter((message) => message.includes('{}'))).toEqual([]);
  expect(asked(facts).filter((message) => message.includes('{}'))).toEqual([]);
  expect(asked(noModules).some((message) => message.includes('_accounts []'))).toBe(true);
  const unnamed = { ...noModules, client: notSeen('rpc-error', 'no web3') };
  expect(asked(unnamed).some((message) => message.includes('_accounts []'))).toBe(false);
});

test('the mode of a socket is that of the file a symlink leads to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-link-'));
  try {
    await withNode(
      (shape) => shape,
      async ({ ipc }) => {
        symlinkSync(ipc ?? '', join(folder, 'klay.ipc'));
        const address = parseEndpoint(`ipc:${join(folder, 'klay.ipc')}`);
        const probes = probesOf(kinds);
        const visit = { address, source: 'argument', options: plainAddress, depth: 'none', probes } as const;
        const facts = await probeEndpoint({ ...visit, signal: new AbortController().signal });
        expect(facts.fileMode).toEqual({ state: 'seen', value: 0o600 });
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
