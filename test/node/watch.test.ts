import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Host } from '../../src/host.js';
import { main } from '../../src/main.js';
import type { Report } from '../../src/node/facts/report.js';
import { prometheus } from '../../src/node/report/prometheus.js';
import { simulateShape } from '../../src/node/simulator/node.js';
import { run } from '../cli/run.js';
import { quietShape } from '../peers/shape.js';
import { installed } from './report/tools.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-watch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Longer than any machine takes: what hangs ends at last. */
const patient = { timeout: 120_000, interval: 20 };

/** A watch in this process: what it wrote, its SIGHUP and its interrupt. */
function watch(...words: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = { out: '', err: '' };
  stdout.on('data', (chunk) => (written.out += chunk));
  stderr.on('data', (chunk) => (written.err += chunk));
  const abort = new AbortController();
  let reload = () => {};
  const host: Host = {
    argv: ['node', 'watch', '--interval', '50ms', '--timeout', '50s', ...words],
    env: { HOME: '/nowhere' },
    cwd: folder,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
    now: Date.now,
    signal: abort.signal,
    onHangup: (callback) => {
      reload = callback;
    },
  };
  const code = main(host);
  const stop = () => {
    abort.abort();
    return code;
  };
  return { written, hangup: () => reload(), stop };
}

const promtool = installed('promtool', 'metrics and alerts against promtool');

/** What promtool has to say against metrics; nothing where it is not installed. */
function against(metrics: string): string {
  if (!promtool) return '';
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: metrics,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

const read = (name: string): string => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
};

test('prints changes only, reads its inventory again, tells a webhook until it takes it, ends with the first interrupt', async () => {
  const node = await simulateShape({ ...quietShape, ws: null, ipc: null }, { freePorts: true });
  const told: unknown[] = [];
  let refusals = 1;
  const hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.statusCode = refusals > 0 ? 500 : 200;
      if (refusals === 0) told.push(JSON.parse(Buffer.concat(chunks).toString()));
      refusals -= refusals > 0 ? 1 : 0;
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/secret-token`;
  writeFileSync(join(folder, 'nodes.ini'), `[en-1]\nrpc = ${node.http}\n`);
  writeFileSync(join(folder, 'k.prom.tmp'), 'another program’s');
  const one = watch('--inventory', 'nodes.ini', '--textfile', 'k.prom', '--webhook', url);
  await vi.waitFor(() => expect(read('k.prom')).toContain('kaiactl_target_checked{target="en-1"}'), patient);
  expect(one.written.out).toBe('');
  writeFileSync(join(folder, 'nodes.ini'), '[en-1\nrpc =\n');
  one.hangup();
  await vi.waitFor(() => expect(one.written.err).toContain('The previous nodes are still watched.'), patient);
  writeFileSync(join(folder, 'nodes.ini'), `[en-1]\nrpc = ${node.http}\n[en-2]\nrpc = ${node.http}\n`);
  one.hangup();
  await vi.waitFor(() => expect(told).toHaveLength(1), patient);
  expect(told[0]).toMatchObject({
    schema: 'kaiactl/report-diff-1',
    targets: [{ name: 'en-2', before: null }],
  });
  expect(one.written.out).toContain('en-2 · new, ');
  expect(one.written.out).not.toContain('en-1');
  expect(against(read('k.prom'))).toBe('');
  expect(read('k.prom.tmp')).toBe('another program’s');
  await node.close();
  await vi.waitFor(() => expect(one.written.out).toContain('en-1 · '), patient);
  expect(await one.stop()).toBe(130);
  // While it runs, the file of a round under way may be there.
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(one.written.err).not.toContain('secret-token');
  await new Promise((resolve) => hook.close(resolve));
});

test('serves metrics at the address of --listen', async () => {
  const one = watch('ipc:/nowhere/klay.ipc', '--listen', '127.0.0.1:0');
  await vi.waitFor(() => expect(one.written.err).toContain('metrics at http'), patient);
  const url = /metrics at (\S+)/.exec(one.written.err)?.[1] ?? '';
  await vi.waitFor(async () => {
    const text = await (await fetch(url)).text();
    expect(text).toContain('kaiactl_target_checked{target="ipc:/nowhere/klay.ipc"} 0');
    expect(against(text)).toBe('');
  }, patient);
  expect((await fetch(url.replace('metrics', 'other'))).status).toBe(404);
  expect(await one.stop()).toBe(130);
});

test.each([
  [['--interval', 'often'], '--interval often is not a time'],
  [['--listen', '9469'], '--listen 9469 is not an address'],
  [['--webhook', 'ftp://a'], '--webhook is not an http or https URL'],
  [['--only', 'public-bnd'], 'Did you mean public-bind?'],
])('%j is refused before anything is asked', async (words, sentence) => {
  const { code, err } = await run(['node', 'watch', 'ipc:/nowhere/klay.ipc', ...words], { cwd: folder });
  expect(code).toBe(2);
  expect(err).toContain(sentence);
});

describe('metrics', () => {
  const finding = { rule: 'public-bind', severity: 'medium', subject: 'a"\\\n\u001b', suppressed: null };
  const report = {
    targets: [
      { name: 'en-1', findings: [finding, finding], undetermined: [] },
      {
        name: 'en-2',
        findings: [{ ...finding, suppressed: { reason: 'r', until: null } }],
        undetermined: [{}],
      },
    ],
  } as unknown as Report;

  test('findings are counted, what was suppressed is not, labels are escaped', () => {
    const lines = prometheus(report, 1_700_000_000)
      .split('\n')
      .filter((one) => !one.startsWith('#'));
    expect(lines).toEqual([
      'kaiactl_finding{target="en-1",rule="public-bind",severity="medium",subject="a\\"\\\\\\\\u{a}\\\\u{1b}"} 2',
      'kaiactl_target_checked{target="en-1"} 1',
      'kaiactl_target_checked{target="en-2"} 0',
      'kaiactl_last_success_timestamp_seconds 1700000000',
      '',
    ]);
  });

  test('promtool finds nothing to say against them, and much against what is none', () => {
    expect(against(prometheus(report, 1_700_000_000))).toBe('');
    expect(against('kaiactl-finding 1\n') !== '').toBe(promtool);
  });

  test.skipIf(!promtool)('the alerts of the documentation are rules that promtool takes', () => {
    const alerts = /```yaml\n(groups:[\s\S]*?)```/.exec(page)?.[1] ?? '';
    writeFileSync(join(folder, 'alerts.yml'), alerts);
    const { status, stdout } = spawnSync('promtool', ['check', 'rules', 'alerts.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS: 3 rules found')]);
  });
});

const page = readFileSync(new URL('../../docs/watch.md', import.meta.url), 'utf8');

test('the unit of the documentation is one systemd takes', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined)
    skip('systemd-analyze is not installed');
  const unit = /```ini\n(\[Unit\][\s\S]*?)```/.exec(page)?.[1] ?? '';
  const path = join(folder, 'kaiactl-watch.service');
  writeFileSync(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((one) => one.includes('kaiactl-watch'))).toEqual([]);
});
