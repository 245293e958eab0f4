/** What a watch writes: files that a reader sees whole, its state, and a port with metrics. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadState, saveState, serveMetrics, writeAtomically } from '../../../src/node/commands/watch.js';
import { fullReport } from '../report/reports.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-outlets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const host = () => ({ cwd: folder }) as never;

test('a file is replaced as a whole, and nothing is left beside it', async () => {
  writeFileSync(join(folder, 'a'), 'a longer text than the new one');
  await writeAtomically('a', 'new', host());
  expect([readFileSync(join(folder, 'a'), 'utf8'), readdirSync(folder)]).toEqual(['new', ['a']]);
  await writeAtomically(join(folder, 'b'), 'x', host(), 0o600);
  expect(statSync(join(folder, 'b')).mode & 0o777).toBe(0o600);
  await expect(writeAtomically('.', 'x', host())).rejects.toThrow();
  await expect(writeAtomically('no/such/file', 'x', host())).rejects.toThrow(
    /^cannot write no\/such\/file: its folder does not exist$/,
  );
  expect(readdirSync(folder)).toEqual(['a', 'b']);
});

test('the state is the last report, for its owner; without a file there is none', async () => {
  const report = JSON.parse(JSON.stringify(fullReport()));
  expect(await loadState('s.json', host())).toBeNull();
  await saveState('s.json', report, host());
  expect(await loadState('s.json', host())).toEqual(report);
  expect(statSync(join(folder, 's.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 's.json'), 'utf8')).toMatch(/\}\n$/);
});

test('metrics are served to GET /metrics alone', async () => {
  let text = 'a 1\n';
  const metrics = await serveMetrics('127.0.0.1:0', () => text);
  expect(metrics.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/);
  const ask = async (url: string, method = 'GET') => {
    const response = await fetch(url, { method });
    const served = (await response.text()).split('\n# HELP', 1)[0];
    return [response.status, served, response.headers.get('content-type')];
  };
  const type = 'text/plain; version=0.0.4; charset=utf-8';
  expect(await ask(metrics.url)).toEqual([200, 'a 1', type]);
  text = 'a 2\n';
  expect(await ask(metrics.url)).toEqual([200, 'a 2', type]);
  expect(await ask(metrics.url, 'POST')).toEqual([404, 'not found\n', type]);
  expect(await ask(`${metrics.url}/x`)).toEqual([404, 'not found\n', type]);
  await metrics.close();
  await expect(fetch(metrics.url)).rejects.toThrow();
});

test('an address may be that of IPv6, and a name', async () => {
  for (const [address, url] of [
    ['[::1]:0', /^http:\/\/\[::1\]:\d+\/metrics$/],
    ['localhost:0', /^http:\/\/localhost:\d+\/metrics$/],
  ] as const) {
    const metrics = await serveMetrics(address, () => '').catch((error: Error) => error);
    // Some machines have no IPv6.
    if (metrics instanceof Error) expect(metrics.message).toMatch(/EAFNOSUPPORT|does not have that address/);
    else {
      expect(metrics.url).toMatch(url);
      await metrics.close();
    }
  }
});

test.each([
  '',
  '9469',
  ':9469',
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:65536',
  '127.0.0.1:123456',
  'a b:1',
  '::1:1',
  'x127.0.0.1:1/metrics',
  '[::1:1',
])('%j is not an address', async (address) => {
  await expect(serveMetrics(address, () => '')).rejects.toMatchObject({
    message: `--listen ${address} is not an address`,
    hint: 'Write it as 127.0.0.1:9469.',
  });
});

test('a port that is taken is an error with its cause', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(serveMetrics(`127.0.0.1:${port}`, () => '')).rejects.toMatchObject({
    message: expect.stringMatching(
      `^cannot listen on 127\\.0\\.0\\.1:${port}: another process listens there$`,
    ),
    cause: { code: 'EADDRINUSE' },
  });
  await new Promise((resolve) => server.close(resolve));
});
