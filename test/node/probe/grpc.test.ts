/** Whether gRPC listens. */
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { seen } from '../../../src/node/facts/seen.js';
import { probeGrpc } from '../../../src/node/probe/ports.js';

test('gRPC is open, closed, or timed out', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '::1', () => resolve((server.address() as { port: number }).port));
  });
  const never = new AbortController().signal;
  const url = `http://[::1]:${port}`;
  expect(await probeGrpc(url, never)).toEqual(seen('open'));
  expect(await probeGrpc(url, AbortSignal.abort())).toMatchObject({ state: 'not-seen' });
  await new Promise((resolve) => server.close(resolve));
  expect(await probeGrpc(url, never)).toMatchObject({ state: 'not-seen', code: 'refused' });
});
