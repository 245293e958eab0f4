import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { probeMetrics, watchMetrics } from '../../../src/node/commands/watch-metrics.js';
import type { Report, TargetReport } from '../../../src/node/facts/report.js';
import { simulateShape } from '../../../src/node/simulator/node.js';
import { manifest } from '../../../src/version.js';
import { childNode, closeChildren } from '../../peers/child-node.js';
import { during } from '../../peers/during.js';
import { freePort } from '../../peers/free-port.js';
import { quietShape } from '../../peers/shape.js';
import { type SteppedWatch, steppedWatch } from '../../peers/stepped-watch.js';
import { run } from '../live.js';
import { installed, metricProblems } from '../report/tools.js';

const page = readFileSync(new URL('../../../docs/watch.md', import.meta.url), 'utf8');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-watch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (name: string): string => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
};

/** A webhook that answers with `status`, and what it took. */
async function hook() {
  const taken: { before: string | null; targets: { name: string }[] }[] = [];
  const at = { status: 200, asked: () => {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      at.asked();
      if (at.status === 0) return;
      if (at.status === 200) taken.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(at.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-token`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { taken, at, url, close };
}

const promtool = installed('promtool', 'metrics and alerts against promtool');

test('the first state of a fleet is short, and whole with --verbose', async () => {
  inventory(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`en-${at}`, 'http://127.0.0.1:1'])));
  for (const [more, said] of [
    [
      [],
      /^\S+Z · 101 nodes\nnot seen +101 of 101 nodes +http refused .* · en-0, en-1, en-2 and 98 more\n\n$/,
    ],
    [['--verbose'], /^\S+Z · 101 nodes\n(?:not seen +en-\d+ .*\n){101}\n$/],
  ] as const) {
    const one = steppedWatch(['--inventory', 'nodes.ini', ...more], folder);
    await one.round();
    expect(one.out()).toMatch(said);
    await one.stop();
  }
});

/** The lines of metrics that hold values. */
const valuesOf = (text: string) => text.split('\n').filter((one) => /^\w/.test(one));

const quiet = { ...quietShape, ws: null, ipc: null };

/** Runs a test against a simulated node and an inventory that names it. */
async function withFleet(use: (rpc: string, close: () => Promise<void>) => Promise<void>): Promise<void> {
  const node = await simulateShape(quiet, { freePorts: true });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await node.close();
    isOpen = false;
  };
  inventory({ 'en-1': node.http ?? '' });
  try {
    await use(node.http ?? '', close);
  } finally {
    await close();
  }
}

function inventory(nodes: Readonly<Record<string, string>>): void {
  const sections = Object.entries(nodes).map(([name, rpc]) => `[${name}]\nrpc = ${rpc}\n`);
  writeFileSync(join(folder, 'nodes.ini'), sections.join(''));
}

/** What a watch printed since the last call. */
function news(one: SteppedWatch): () => string {
  let at = 0;
  return () => {
    const text = one.out().slice(at);
    at += text.length;
    return text;
  };
}

/** A watch of kend.conf, which is deleted after the first round, and what the second round says. */
async function withoutConf() {
  const one = steppedWatch(['kend.conf'], folder);
  const since = news(one);
  await one.round();
  since();
  rmSync(join(folder, 'kend.conf'));
  await one.round();
  return { one, since, vanished: since() };
}

test('a watch first prints the current state, then only changes, and reads its inventory in every round', async () => {
  await withFleet(async (rpc, close) => {
    writeFileSync(join(folder, 'k.prom.tmp'), 'another program’s');
    const one = steppedWatch(['--inventory', 'nodes.ini', '--textfile', 'k.prom'], folder);
    const since = news(one);
    await one.round();
    expect(since()).toMatch(/^\S+Z · 1 node\n\w+(?: seen)? +en-1 .*http this machine.*\n\n$/);
    await one.round();
    expect(since()).toBe('');
    inventory({ 'en-1': rpc, 'en-2': rpc });
    await one.round();
    expect(since()).toMatch(/^\S+Z\nen-2 · new, /);
    writeFileSync(join(folder, 'nodes.ini'), '[en-1\nrpc =\n');
    await one.round();
    expect(since()).toMatch(
      /nodes\.ini · new, undetermined\n {2}\? not seen gather\s+\S+nodes\.ini:1: \[en-1\s+is/,
    );
    await one.round();
    expect(since()).toBe('');
    expect(read('k.prom')).toContain('kaiactl_target_checked{target="nodes.ini"} 0');
    expect(read('k.prom')).toContain('kaiactl_target_checked{target="en-2"}');
    inventory({ 'en-1': rpc });
    await one.round();
    expect(since()).toMatch(/en-2 · gone \(was .*nodes\.ini · gone/s);
    await close();
    await one.round();
    expect(since()).toMatch(/en-1 · \w+ → down\n {2}! +down +connection refused\n\n$/);
    expect(metricProblems(read('k.prom'))).toBe('');
    expect(read('k.prom.tmp')).toBe('another program’s');
    expect(await one.stop()).toBe(130);
    expect(readdirSync(folder).sort()).toEqual(['k.prom', 'k.prom.tmp', 'nodes.ini']);
  });
});

test('changes that a webhook rejected are in the next delivery, and failures are counted', async () => {
  await withFleet(async (rpc) => {
    const to = await hook();
    const words = ['--inventory', 'nodes.ini', '--textfile', 'k.prom', '--webhook', to.url];
    const one = steppedWatch(words, folder);
    await one.round();
    expect(to.taken).toEqual([]);
    to.at.status = 500;
    inventory({ 'en-1': rpc, 'en-2': rpc });
    await one.round();
    expect(one.err()).toMatch(/the webhook at 127\.0\.0\.1:\d+ failed: it answered 500; its changes/);
    expect(read('k.prom')).toContain('kaiactl_webhook_attempts_total{result="failed"} 3');
    expect(read('k.prom')).toContain('kaiactl_webhook_pending_targets 1');
    to.at.status = 200;
    inventory({ 'en-1': rpc, 'en-2': rpc, 'en-3': rpc });
    await one.round();
    expect(to.taken).toMatchObject([
      { schema: 'kaiactl/report-diff-1', targets: [{ name: 'en-2', before: null }, { name: 'en-3' }] },
    ]);
    expect(read('k.prom')).toContain('kaiactl_webhook_pending_targets 0');
    await one.round();
    expect(to.taken).toHaveLength(1);
    await one.stop();
    expect(one.err()).not.toContain('secret-token');
    await to.close();
  });
});

test('--notify-initial posts the first state until the webhook accepts it', async () => {
  await withFleet(async () => {
    const to = await hook();
    to.at.status = 503;
    const one = steppedWatch(['--inventory', 'nodes.ini', '--webhook', to.url, '--notify-initial'], folder);
    await one.round();
    to.at.status = 200;
    await one.round();
    await one.round();
    expect(to.taken).toMatchObject([{ before: null, targets: [{ name: 'en-1', before: null }] }]);
    await one.stop();
    await to.close();
  });
});

test('a restarted watch reports changes since its end and keeps undelivered changes', async () => {
  await withFleet(async (rpc) => {
    const to = await hook();
    const words = ['--inventory', 'nodes.ini', '--state', 'state.json', '--webhook', to.url];
    const first = steppedWatch(words, folder);
    await first.round();
    expect(statSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600);
    to.at.status = 0;
    inventory({ 'en-1': rpc, 'en-2': rpc });
    const asked = new Promise<void>((resolve) => {
      to.at.asked = resolve;
    });
    const under = first.round();
    await during(under, asked);
    expect(await first.stop()).toBe(130);
    await under;
    expect(first.err()).toContain(
      'failed: interrupted; its changes are sent again after a restart with the same --state',
    );
    to.at.status = 200;
    const second = steppedWatch(words, folder);
    await second.round();
    expect(second.out()).toMatch(
      /2 nodes\n\w+(?: seen)? +en-1.*\n\w+(?: seen)? +en-2.*\n\n\S+Z\nen-2 · new, /,
    );
    expect(to.taken).toMatchObject([{ targets: [{ name: 'en-2', before: null }] }]);
    await second.stop();
    const third = steppedWatch(words, folder);
    await third.round();
    expect(third.out()).not.toContain('en-2 · ');
    await third.stop();
    await to.close();
  });
});

test.each(['a private key', '', '{"schema":"kaiactl/report-2"}', '['.repeat(100_000)])(
  'a state file that holds %.20j is refused and kept',
  async (text) => {
    writeFileSync(join(folder, 'state.json'), text);
    const words = ['node', 'watch', 'ipc:/nowhere/klay.ipc', '--state', 'state.json'];
    const { code, err } = await run(words, { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining('state.json is n')]);
    expect(read('state.json')).toBe(text);
  },
);

test('a watch reports once that audits fail, and once that they succeed again', async () => {
  await withFleet(async () => {
    writeFileSync(join(folder, 'p.ini'), '[policy]\nname = own\nversion = 1\n[http]\nmodules = eth\n');
    const words = ['--inventory', 'nodes.ini', '--policy', './p.ini', '--textfile', 'k.prom'];
    const one = steppedWatch(words, folder);
    const since = news(one);
    await one.round();
    since();
    rmSync(join(folder, 'p.ini'));
    await one.round();
    expect(since()).toMatch(/en-1 · \w+ → undetermined\n[\s\S]*\? not seen gather .*p\.ini/);
    await one.round();
    expect(since()).toBe('');
    expect(read('k.prom')).toContain('kaiactl_rounds_total{result="failed"} 2');
    expect(read('k.prom')).toContain('kaiactl_target_checked{target="en-1"} 0');
    writeFileSync(join(folder, 'p.ini'), '[policy]\nname = own\nversion = 1\n[http]\nmodules = eth\n');
    await one.round();
    expect(since()).toMatch(/en-1 · undetermined → /);
    await one.stop();
  });
});

test('a missing conf is reported when it disappears and returns, and its findings do not count as fixed', async () => {
  const text =
    'NETWORK=mainnet\nRPC_ENABLE=0\nWS_ENABLE=0\nDATA_DIR=/nowhere/data\nLOG_DIR=/nowhere\nRPC_ADDRESS=127.0.0.1\n';
  writeFileSync(join(folder, 'kend.conf'), text);
  const { one, since, vanished } = await withoutConf();
  expect(vanished).toMatch(/kend\.conf · .*\n[\s\S]*\? not seen gather .*kend\.conf/);
  expect(vanished).toMatch(/ - \w+ +unknown-setting .*: no longer seen$/m);
  expect(vanished).not.toContain(': gone');
  expect(vanished).not.toMatch(/\d new, /);
  writeFileSync(join(folder, 'kend.conf'), text);
  await one.round();
  expect(since()).toContain('kend.conf · undetermined');
  expect(await one.stop()).toBe(130);
});

test('the version is read once, so that an upgrade under a running watch does not end it', () => {
  expect(manifest()).toBe(manifest());
});

test('SIGHUP during a round starts the next one at once', async () => {
  const node = await hook();
  const one = steppedWatch([node.url, '--textfile', 'k.prom'], folder);
  let asked = 0;
  node.at.asked = () => {
    asked += 1;
    if (asked === 1) one.hangup();
  };
  await one.round();
  expect(read('k.prom')).toContain('kaiactl_rounds_total{result="completed"} 2');
  await one.round();
  expect(read('k.prom')).toContain('kaiactl_rounds_total{result="completed"} 3');
  await one.stop();
  await node.close();
});

describe.skipIf(process.platform !== 'linux')('processes (skipped elsewhere: there is no /proc)', () => {
  afterEach(closeChildren);

  test('a node without a conf is reported as restarted, or as down until it runs again', async () => {
    const to = await hook();
    const one = steppedWatch(['--textfile', 'k.prom', '--state', 'state.json', '--webhook', to.url], folder);
    const since = news(one);
    const own = () => blocksOf(since(), name);
    const posts = () => to.taken.flatMap(({ targets }) => targets.filter((each) => each.name === name));
    const name = `ken ${join(folder, 'data')}`;
    const words = ['--rpc', '--rpcapi', 'eth,personal', '--datadir', join(folder, 'data')];
    const start = (port = 0) => childNode([`127.0.0.1:${port}`], [...words, '--ipcdisable']);
    await one.round();
    since();
    const first = await start();
    await one.round();
    expect(own()).toMatch(/· new, /);
    expect(posts()).toHaveLength(1);
    const named = steppedWatch([`pid:${first.pid}`], folder);
    await named.round();
    await closeChildren();
    const second = await start(first.ports[0]);
    await one.round();
    expect(own()).toMatch(
      new RegExp(
        `· \\w+\\n {2}! +restarted +ken \\(pid ${second.pid}, since \\S+Z\\),\\s+was ken \\(pid ${first.pid}, since \\S+\\)$`,
      ),
    );
    expect(posts()).toHaveLength(2);
    await closeChildren();
    await one.round();
    expect(own()).toMatch(/· \w+ → down\n {2}! +down +ken \(pid \d+, since \S+Z\):\s+its process has ended$/);
    await one.round();
    expect(own()).toBe('');
    expect(read('k.prom')).toContain(`kaiactl_target_checked{target="${name}"} 0`);
    expect(posts()).toHaveLength(3);
    await one.stop();
    const third = await start(first.ports[0]);
    const again = steppedWatch(['--state', 'state.json'], folder);
    await again.round();
    const back = blocksOf(again.out(), name);
    expect(back).toMatch(new RegExp(`^${name} · [^\\n]+\\n {2}! +restarted +ken \\(pid ${third.pid}, `, 'm'));
    expect(back).not.toMatch(/^ {2}[-+~?]/m);
    await named.round();
    expect(named.out()).toMatch(new RegExp(`${name} · [\\s\\S]*no process ${first.pid} can be read`));
    expect([await again.stop(), await named.stop()]).toEqual([130, 130]);
    await to.close();
  });

  test('a node whose conf is deleted is not seen, not down, while it runs', async () => {
    const [port, data] = [await freePort(), join(folder, 'data')];
    const words = ['--rpc', '--rpcport', `${port}`, '--datadir', data, '--ipcdisable'];
    await childNode([`127.0.0.1:${port}`], words);
    writeFileSync(join(folder, 'kend.conf'), `RPC_ENABLE=1\nRPC_PORT=${port}\nDATA_DIR=${data}\n`);
    const { one, vanished } = await withoutConf();
    expect(vanished).toMatch(/not seen gather .*cannot read kend\.conf/);
    expect(vanished).not.toContain('down');
    await one.stop();
  });

  test('a round during a restart reports the node as down, then as restarted', async () => {
    const name = `ken ${join(folder, 'data')}`;
    const port = await freePort();
    const words = ['--rpc', '--rpcport', `${port}`, '--datadir', join(folder, 'data'), '--ipcdisable'];
    await childNode([`127.0.0.1:${port}`], words);
    const one = steppedWatch([], folder);
    const since = news(one);
    await one.round();
    since();
    await closeChildren();
    const half = await childNode([join(folder, 'idle.sock')], words);
    await one.round();
    expect(blocksOf(since(), name)).toMatch(/ → down\n {2}! +down .*[\s\S]*does not listen/);
    await closeChildren();
    expect(half.pid).toBeGreaterThan(0);
    const whole = await childNode([`127.0.0.1:${port}`], words);
    await one.round();
    const back = blocksOf(since(), name);
    expect(back).toContain(`ken (pid ${whole.pid}, since`);
    expect(back.match(/^ {2}\S/gm)).toHaveLength(1);
    await one.stop();
  });
});

/** What a watch said of one node: other nodes of the machine come and go. */
function blocksOf(text: string, name: string): string {
  return text
    .split('\n\n')
    .map((block) => block.replace(/^\d{4}-\S+Z\n/, '').trimEnd())
    .filter((block) => block.startsWith(`${name} · `))
    .join('\n');
}

test('a watch serves metrics at the address of --listen', async () => {
  const one = steppedWatch(['ipc:/nowhere/klay.ipc', '--listen', '127.0.0.1:0'], folder);
  await one.round();
  const url = /metrics at (\S+)/.exec(one.err())?.[1] ?? '';
  const text = await (await fetch(url)).text();
  expect(text).toContain('kaiactl_target_checked{target="ipc:/nowhere/klay.ipc"} 0');
  expect(metricProblems(text)).toBe('');
  expect((await fetch(url.replace('metrics', 'other'))).status).toBe(404);
  expect(await one.stop()).toBe(130);
});

test.each([
  [['--interval', 'often'], '--interval often is not a time'],
  [['--listen', '9469'], '--listen 9469 is not an address'],
  [['-'], 'stdin can be read only once'],
  [['--webhook', 'ftp://a'], '--webhook is not an http or https URL'],
  [['--only', 'public-bnd'], 'Did you mean public-bind?'],
])('%j is rejected before any request is sent', async (words, sentence) => {
  const { code, err } = await run(['node', 'watch', 'ipc:/nowhere/klay.ipc', ...words], { cwd: folder });
  expect(code).toBe(2);
  expect(err).toContain(sentence);
});

describe('metrics', () => {
  const counts = { rounds: 3, blindRounds: 1, delivered: 4, failedDeliveries: 5, pending: 6 };
  const finding = { rule: 'public-bind', severity: 'medium', subject: 'a"\\\n\u001b', suppressed: null };
  const http = { transport: 'http', endpoint: 'http://a:1' };
  const report = {
    targets: [
      { name: 'en-1', interfaces: [], findings: [finding, finding], undetermined: [] },
      {
        name: 'en-2',
        interfaces: [
          { ...http, state: 'open', reach: 'loopback', browsers: 'any page' },
          { ...http, state: 'refused' },
        ],
        findings: [{ ...finding, suppressed: { reason: 'r', until: null } }],
        undetermined: [{}],
      },
      {
        name: 'en-3',
        interfaces: [{ ...http, state: 'open', browsers: null }],
        findings: [],
        undetermined: [{ suppressed: { reason: 'r', until: null } }],
      },
      {
        name: 'en-4',
        interfaces: [],
        findings: [],
        undetermined: [{}],
        last: { findings: [{ ...finding, subject: 'b' }] },
      },
    ],
  } as unknown as Report;

  test('count findings without suppressed findings, and escape labels', async () => {
    const lines = valuesOf(await watchMetrics(report, 1_700_000_000_999, counts));
    expect(lines).toEqual([
      'kaiactl_finding{target="en-1",rule="public-bind",severity="medium",subject="a\\"\\\\\\\\u{a}\\\\u{1b}"} 2',
      'kaiactl_finding{target="en-4",rule="public-bind",severity="medium",subject="b"} 1',
      'kaiactl_interface_open{target="en-2",interface="http",endpoint="http://a:1",reach="loopback",browsers="any page"} 1',
      'kaiactl_interface_open{target="en-3",interface="http",endpoint="http://a:1",reach="unknown",browsers="unknown"} 1',
      'kaiactl_target_checked{target="en-1"} 1',
      'kaiactl_target_checked{target="en-2"} 0',
      'kaiactl_target_checked{target="en-3"} 1',
      'kaiactl_target_checked{target="en-4"} 0',
      ...['en-1', 'en-2', 'en-3'].map((one) => `kaiactl_target_stale{target="${one}"} 0`),
      'kaiactl_target_stale{target="en-4"} 1',
      'kaiactl_last_success_timestamp_seconds 1700000000',
      'kaiactl_rounds_total{result="completed"} 2',
      'kaiactl_rounds_total{result="failed"} 1',
      'kaiactl_webhook_attempts_total{result="delivered"} 4',
      'kaiactl_webhook_attempts_total{result="failed"} 5',
      'kaiactl_webhook_pending_targets 6',
    ]);
  });

  test('of a probe count by severity, in seconds', async () => {
    const open = { rule: 'public-bind', suppressed: { reason: 'r', until: null } };
    const interfaces = [
      { ...http, state: 'refused' },
      { ...http, state: 'open', reach: 'any', browsers: 'none' },
    ];
    const target = { ...report.targets[1], interfaces, undetermined: [{ rule: 'accounts-listed' }, open] };
    const other = { ...finding, subject: 'http', severity: 'info' };
    const findings = [...(report.targets[0]?.findings ?? []), ...(report.targets[1]?.findings ?? []), other];
    const text = await probeMetrics({ ...target, findings } as unknown as TargetReport, {
      at: 1_700_000_000_999,
      durationMs: 1234.56,
    });
    expect(valuesOf(text).filter((one) => !/subject=.a/.test(one))).toEqual([
      'kaiactl_probe_success 1',
      'kaiactl_probe_findings{severity="critical"} 0',
      'kaiactl_probe_findings{severity="high"} 0',
      'kaiactl_probe_findings{severity="medium"} 2',
      'kaiactl_probe_findings{severity="low"} 0',
      'kaiactl_probe_findings{severity="info"} 1',
      'kaiactl_probe_suppressed_findings 1',
      'kaiactl_probe_undetermined 1',
      'kaiactl_probe_duration_seconds 1.235',
      'kaiactl_probe_timestamp_seconds 1700000000.999',
      'kaiactl_finding{target="en-2",rule="public-bind",severity="info",subject="http"} 1',
      'kaiactl_interface_open{target="en-2",interface="http",endpoint="http://a:1",reach="any",browsers="none"} 1',
      'kaiactl_target_checked{target="en-2"} 0',
    ]);
  });

  test.each([
    [['open', 'refused'], [], 1],
    [['refused', 'closed'], [], 0],
    [['unreachable'], [], 0],
    [['not-checked'], [], 0],
    [['closed'], [], 1],
    [[], [], 1],
    [[], [{ rule: 'gather' }], 0],
    [['open'], [{ rule: 'gather' }], 1],
  ])(
    'of a probe with interfaces %j and open questions %j have success %d',
    async (states, undetermined, success) => {
      const interfaces = states.map((state) => ({ ...http, state }));
      const target = { ...report.targets[0], interfaces, undetermined } as unknown as TargetReport;
      expect(await probeMetrics(target, { at: 0, durationMs: 0 })).toContain(
        `kaiactl_probe_success ${success}\n`,
      );
    },
  );

  test('promtool accepts them and rejects broken ones', async () => {
    expect(metricProblems(await watchMetrics(report, 1_700_000_000_999, counts))).toBe('');
    expect(await watchMetrics(report, null, counts)).toContain('timestamp_seconds 0\n');
    expect(metricProblems('kaiactl-finding 1\n') !== '').toBe(promtool);
  });

  describe.skipIf(!promtool)('of the documentation, by promtool', () => {
    const alerts = /```yaml\n(groups:[\s\S]*?)```/.exec(page)?.[1] ?? '';
    const promtoolSays = (words: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' });
      return { status, text: stdout + stderr };
    };

    test('the rules of deploy/ are those of the page, and its dashboard asks for metrics that there are', () => {
      const deploy = (name: string) =>
        readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');
      expect(deploy('alerts.yaml').replace(/^#.*\n/, '')).toBe(alerts);
      const { panels } = JSON.parse(deploy('grafana-nodes.json').replaceAll(/\$(?:target|role)/g, '.*')) as {
        panels: { type: string; targets: { expr: string }[] }[];
      };
      expect(new Set(panels.map(({ type }) => type))).toEqual(new Set(['stat', 'table', 'timeseries']));
      const rules = panels.flatMap(({ targets }, at) =>
        targets.map(({ expr }) => ({ record: `p:${at}`, labels: { expr }, expr })),
      );
      writeFileSync(join(folder, 'alerts.yml'), alerts);
      writeFileSync(join(folder, 'dashboard.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      expect(promtoolSays(['check', 'rules', 'alerts.yml', 'dashboard.yml'])).toMatchObject({ status: 0 });
      const known = new Set(page.match(/kaiactl_[a-z_]+/g));
      const asked = rules.flatMap(({ expr }) => expr.match(/kaiactl_[a-z_]+/g) ?? []);
      expect(asked.filter((name) => !known.has(name))).toEqual([]);
      const [, rounds = ''] = page.split(/^## (?:Prometheus|Probes on request)$/m);
      const counted = [...rounds.matchAll(/^\| `(kaiactl_\w+)/gm)].map(([, name]) => name ?? '');
      expect(counted).toHaveLength(8);
      expect(counted.filter((name) => !asked.includes(name))).toEqual([]);
    });

    test('each alert fires for what it names', () => {
      const every = (series: string, values: string) => ({ series, values });
      const found = 'kaiactl_finding{target="en-1",rule="public-bind",severity="high",subject="http"}';
      const fires = (alertname: string, exp_labels: object) => ({
        eval_time: '40m',
        alertname,
        exp_alerts: [{ exp_labels, exp_annotations: { summary: summaryOf(alertname) } }],
      });
      const summaryOf = (name: string) =>
        (new RegExp(`alert: ${name}\\n[\\s\\S]*?summary: "(.*)"`).exec(alerts)?.[1] ?? '')
          .replace('{{ $labels.rule }} {{ $labels.subject }}', 'public-bind http')
          .replace(/\{\{ \$labels\.(?:target|instance) \}\}/, 'en-1');
      const refused = 'kaiactl_probe_requests_total{result="refused"}';
      const input_series = [
        every(found, '1+0x10'),
        every('kaiactl_target_checked{target="en-1"}', '0+0x10'),
        every('kaiactl_target_checked{target="en-2"}', '1+0x10'),
        every('kaiactl_probe_success{instance="en-1"}', '0+0x10'),
        every('up{job="kaiactl",instance="en-1"}', '0+0x10'),
        every(refused, '0+1x10'),
        // The watch stopped, and Prometheus forgets the value.
        every('kaiactl_last_success_timestamp_seconds', '0 stale'),
      ];
      const alert_rule_test = [
        fires('KaiaNodeExposed', {
          target: 'en-1',
          rule: 'public-bind',
          severity: 'high',
          subject: 'http',
        }),
        fires('KaiaNodeNotSeen', { target: 'en-1' }),
        fires('KaiaNodeDown', { instance: 'en-1' }),
        fires('KaiaProbeMissing', { job: 'kaiactl', instance: 'en-1' }),
        fires('KaiaProbesRefused', { result: 'refused' }),
        fires('KaiaWatchStopped', {}),
      ];
      writeFileSync(join(folder, 'alerts.yml'), alerts);
      const tests = [{ interval: '4m', input_series, alert_rule_test }];
      writeFileSync(join(folder, 'tests.yml'), JSON.stringify({ rule_files: ['alerts.yml'], tests }));
      expect(promtoolSays(['test', 'rules', 'tests.yml'])).toEqual({
        status: 0,
        text: expect.stringContaining('SUCCESS'),
      });
    });
  });
});

test('systemd accepts the unit of the documentation', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined)
    skip('systemd-analyze is not installed');
  const unit = /```ini\n(\[Unit\][\s\S]*?)```/.exec(page)?.[1] ?? '';
  const path = join(folder, 'kaiactl-watch.service');
  writeFileSync(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((one) => one.includes('kaiactl-watch'))).toEqual([]);
});
