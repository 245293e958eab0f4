/** The engine port of a node of the geth family, and the paths under which it answers, in lint and in an audit. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { closeChildren, simulatedChild } from '../peers/child-node.js';
import { freePort } from '../peers/free-port.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-engine-'));
});
afterEach(async () => {
  await closeChildren();
  rmSync(folder, { recursive: true, force: true });
});

const verdictOn = (target: Report['targets'][number] | undefined, id: string) =>
  target?.checks?.find(({ rule }) => rule === id)?.verdict;

describe.skipIf(process.platform !== 'linux')('on Linux (skipped elsewhere: there is no /proc)', () => {
  test('a node that refuses callers without a token passes, and CORS and Host stay unknown', async () => {
    const [http, engine] = [await freePort(), await freePort()];
    const words = [
      '--datadir',
      folder,
      '--http',
      '--http.port',
      `${http}`,
      '--http.rpcprefix',
      '/rpc',
      '--authrpc.port',
      `${engine}`,
    ];
    const script = join(folder, 'start.sh');
    writeFileSync(script, `#!/bin/sh\nexec geth ${words.join(' ')}\n`);
    const { pid } = await simulatedChild(script, words, 'geth');

    const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', `pid:${pid}`]);
    const target = (expectValid(stdout) as Report).targets[0];
    const row = (endpoint: string) => target?.interfaces.find((one) => one.endpoint === endpoint);
    expect(row(`http://localhost:${engine}`)).toMatchObject({
      transport: 'http',
      role: 'engine',
      state: 'open',
      reach: 'loopback',
      modules: null,
      requests: 1,
      access: { login: true, foreignHost: null, foreignOrigin: null },
    });
    expect(verdictOn(target, 'open-engine')).toBe('pass');
    expect(verdictOn(target, 'engine-reach')).toBe('pass');
    expect(target?.undetermined.filter(({ about }) => about?.includes(`:${engine}`) === true)).toEqual([]);

    expect(row(`http://127.0.0.1:${http}/rpc`)).toMatchObject({ state: 'open', modules: { eth: '1.0' } });
    expect(row(`http://127.0.0.1:${http}`)).toBeUndefined();
    const ipc = target?.interfaces.find(({ transport }) => transport === 'ipc');
    expect(Object.keys(ipc?.modules ?? {})).toContain('engine');

    const text = (await kaiactl(['node', 'audit', `pid:${pid}`])).stdout;
    expect(text).toMatch(
      new RegExp(`^engine :${engine} +this machine \\(\\w+\\) +asks for a token +token`, 'm'),
    );
    const plan = (await kaiactl(['node', 'audit', '--plan', `pid:${pid}`])).stdout;
    expect(plan).toMatch(
      new RegExp(`^http://localhost:${engine}\n  rpc_modules \\[\\], without a token$`, 'm'),
    );
  });
});

test.skipIf(process.platform !== 'linux')(
  'metrics and profiler at one address are one row, one finding and one GET of each page',
  async () => {
    const port = await freePort();
    const words = [
      '--datadir',
      folder,
      '--ipcdisable',
      '--authrpc.port',
      `${await freePort()}`,
      '--metrics',
      '--metrics.port',
      `${port}`,
      '--pprof',
      '--pprof.port',
      `${port}`,
    ];
    const script = join(folder, 'start.sh');
    writeFileSync(script, `#!/bin/sh\nexec geth ${words.join(' ')}\n`);
    const { pid } = await simulatedChild(script, words, 'geth');
    const { stdout } = await kaiactl(['node', 'audit', '--format', 'json', `pid:${pid}`]);
    const target = (expectValid(stdout) as Report).targets[0];
    const url = `http://127.0.0.1:${port}`;
    expect(target?.interfaces.filter(({ endpoint }) => endpoint === url)).toMatchObject([
      { transport: 'metrics', state: 'open', access: { profiler: true } },
    ]);
    expect(target?.findings.filter(({ rule }) => rule === 'open-profiler')).toMatchObject([
      { subject: 'pprof', related: [{ note: 'seen here' }] },
    ]);
    const plan = (await kaiactl(['node', 'audit', '--plan', `pid:${pid}`])).stdout;
    expect(plan.match(/GET \S+,/g)).toEqual(['GET /debug/metrics/prometheus,', 'GET /debug/pprof/,']);
  },
);

test('lint names the engine port with its address', async () => {
  const lint = (command: string) => kaiactl(['node', 'lint', '--command-line', command]);
  expect((await lint('geth --authrpc.addr 0.0.0.0')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'http and ws are off · engine on 0.0.0.0: any address reaches it',
  );
  expect((await lint('geth --dev')).stdout).not.toContain('engine');
});
