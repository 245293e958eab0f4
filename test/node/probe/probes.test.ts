/** The list of probes as a whole: what derives from it holds together. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainAddress } from '../../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../../src/jsonrpc/endpoint.js';
import { linesOf } from '../../../src/node/probe/plan.js';
import { probes } from '../../../src/node/probe/probes/index.js';
import { emptyFacts, probeEndpoint } from '../../../src/node/probe/run.js';
import { withNode } from '../../peers/shape.js';

const filled = ['modules', 'client', 'chain', 'accounts', 'calibrated', 'foreignHost', 'foreignOrigin'];

test('every fact has a probe, and none is seen before one ran', () => {
  expect(new Set(probes.map(({ fact }) => fact))).toEqual(new Set([...filled, 'fileMode', 'methods']));
  for (const address of ['http://127.0.0.1:1', 'ws://127.0.0.1:1', 'ipc:/x']) {
    const facts = emptyFacts(parseEndpoint(address), 'argument') as unknown as Record<string, object>;
    for (const fact of [...filled, 'fileMode']) expect(facts[fact]).toMatchObject({ state: 'not-seen' });
  }
});

test.each(['http', 'ws', 'ipc'] as const)('the requests that can be sent over %s', (wire) => {
  expect(linesOf(wire, 'none').map(([message]) => message)).toEqual([
    'rpc_modules []',
    'web3_clientVersion []',
    'net_version []',
  ]);
  expect(linesOf(wire, 'safe').length).toBeGreaterThanOrEqual(3);
});

test('the mode of a socket is that of the file a symlink leads to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-link-'));
  try {
    await withNode(
      (shape) => shape,
      async ({ ipc }) => {
        symlinkSync(ipc ?? '', join(folder, 'klay.ipc'));
        const address = parseEndpoint(`ipc:${join(folder, 'klay.ipc')}`);
        const visit = { address, source: 'argument', options: plainAddress, depth: 'none' } as const;
        const facts = await probeEndpoint({ ...visit, signal: new AbortController().signal });
        expect(facts.fileMode).toEqual({ state: 'seen', value: 0o600 });
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
