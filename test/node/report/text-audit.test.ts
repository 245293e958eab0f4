/** The table of interfaces, and the rest of an audit as text. */
import { text as collected } from 'node:stream/consumers';
/** How audits read: the interface table, the drift table, and a fleet by cause. */
import { expect, test } from 'vitest';
import type { InterfaceReport, Report, TargetReport } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { text } from '../../../src/node/report/text.js';
import { auditHeader, driftTable } from '../../../src/node/report/text-header.js';
import { plain } from '../../../src/node/report/text-paint.js';
import { columns } from '../../../src/terminal/wrap.js';
import { sampleReport } from './sample.js';

const none = { foreignHost: null, foreignOrigin: null, fileMode: null, profiler: null };

function face(over: Partial<InterfaceReport>): InterfaceReport {
  return {
    transport: 'http',
    endpoint: 'http://10.0.0.5:8551',
    source: 'argument',
    state: 'open',
    reason: null,
    modules: { debug: '1.0', eth: '1.0', kaia: '1.0', rpc: '1.0' },
    client: 'Klaytn/v2.2.1/linux-amd64/go1.25.3',
    browsers: null,
    latencyMs: 2,
    reach: 'private',
    chain: '8217',
    access: none,
    unsafeDebug: 'off',
    requests: 12,
    ...over,
  };
}

const target: TargetReport = {
  name: 'en-1',
  role: 'en',
  conf: null,
  interfaces: [
    face({ access: { ...none, foreignOrigin: true, foreignHost: true } }),
    face({ transport: 'ws', endpoint: 'ws://10.0.0.5:8552', unsafeDebug: null, modules: { rpc: '1.0' } }),
    face({
      transport: 'ipc',
      endpoint: 'ipc:/x',
      reach: 'ipc',
      access: { ...none, fileMode: '0600' },
      unsafeDebug: null,
    }),
    face({
      transport: 'metrics',
      endpoint: 'http://10.0.0.5:61001',
      state: 'refused',
      modules: null,
      client: null,
      unsafeDebug: null,
      requests: 1,
    }),
  ],
  findings: [],
  undetermined: [],
  verdict: 'pass',
};

test('the table shows what each interface offers and who reaches it', async () => {
  expect(auditHeader(target, 80, kinds)).toBe(
    `en-1 · en · Klaytn/v2.2.1 · chain 8217 · 4 interfaces, 37 requests

interface       reach            offers           access
http :8551      private network  debug! eth kaia  any page, any Host
ws :8552        private network  rpc only         –
ipc             this machine     all 3 modules    mode 0600
metrics :61001  –                refused          –

unsafe-debug switch: OFF, proven over http`,
  );
});

test('many modules wrap inside their column', async () => {
  const modules = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`module${at}`, '1.0']));
  const lines = auditHeader({ ...target, interfaces: [face({ modules })] }, 80, kinds).split('\n');
  expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(80);
  expect(lines.join(' ')).toContain('module29');
});

test('drift is shown side by side, with the process only if it was seen', async () => {
  const row = { setting: 'RPC_API', conf: 'eth,kaia', process: null, node: 'debug,eth,kaia', note: null };
  expect(driftTable([row], 80)).toBe(
    `drift    conf says  node says
RPC_API  eth,kaia   debug,eth,kaia`,
  );
  const running = { ...row, process: 'klay,eth,debug', note: 'restart pending' };
  expect(driftTable([running], 80)).toContain('process says');
  expect(driftTable([], 80)).toBeNull();
});

function fleetOf(count: number): Report {
  const sample = sampleReport();
  const finding = sample.targets.flatMap(({ findings }) => findings)[0]!;
  const targets = Array.from({ length: count }, (_, at): TargetReport => {
    const bad = at !== 3;
    return {
      ...target,
      name: `node-${at}\u001b[31m.a-rather-long-name-for-a-node.example`,
      findings: bad ? [finding] : [],
      verdict: bad ? 'fail' : 'pass',
    };
  });
  return { ...sample, targets };
}

test('a fleet is shown by cause, then one line for each node, within 80 columns', async () => {
  const report = fleetOf(40);
  const shown = await collected(text(report, { columns: 80, verbose: false, kinds }, plain));
  expect(shown).toMatch(/also +all but\s+node-3/);
  expect(shown.match(/^ *high +open-access/gm)).toHaveLength(1);
  expect(shown.match(/^(?:high|pass) +…/gm)).toHaveLength(40);
  expect(Math.max(...shown.split('\n').map(columns))).toBeLessThanOrEqual(80);
  expect(shown).not.toContain('\u001b');
});

test('the line of a node names its reach and the evidence', async () => {
  const [seen] = fleetOf(9).targets;
  const http = face({ reach: 'any', reachBy: 'socket' });
  const closed = face({ state: 'refused', reach: 'any', reachBy: 'settings', transport: 'ws' });
  const report = {
    ...fleetOf(9),
    targets: [{ ...seen!, name: 'en-1', interfaces: [http, closed] }, ...fleetOf(8).targets],
  };
  const shown = await collected(text(report, { columns: 120, verbose: false, kinds }, plain));
  const line = shown.split('\n').find((one) => /^high +en-1 /.test(one));
  expect(line).toContain('http any address (socket)');
  expect(line).not.toContain('ws');
});

test('one node, or --verbose, shows the interfaces of each node', async () => {
  expect(await collected(text(fleetOf(1), { columns: 80, verbose: false, kinds }, plain))).toContain(
    'interface ',
  );
  expect(await collected(text(fleetOf(9), { columns: 80, verbose: true, kinds }, plain))).toContain(
    'interface ',
  );
  expect(await collected(text(fleetOf(9), { columns: 80, verbose: false, kinds }, plain))).not.toContain(
    'interface ',
  );
});
