/** `kaiactl node audit` as its users see it: reports, exit codes, plans, saved facts, fleets. */
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { describeAnvil, describeGanache } from '../../peers/real.js';
import { expectValid } from '../../peers/report.js';
import { closePeers, httpPeer } from '../../peers/scripted.js';
import { withNode } from '../../peers/shape.js';
import { watchman } from '../../peers/watchman.js';
import { kaiactl } from '../live.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(closePeers);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function audit(...words: string[]): Promise<{ code: number; report: Report; stderr: string }> {
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', ...words]);
  return { code, report: expectValid(stdout), stderr };
}

const rulesOf = (report: Report, at = 0): string[] => [
  ...new Set(report.targets[at]?.findings.map(({ rule }) => rule)),
];

const quiet =
  'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nRPC_ADDR=127.0.0.1\nNETWORK=mainnet\nDATA_DIR=/nowhere\nLOG_DIR=/nowhere\n';

test('a quiet node passes on all three interfaces', async () => {
  await withNode(
    (shape) => shape,
    async ({ http, ws, ipc }) => {
      const { code, report, stderr } = await audit(http!, ws!, `ipc:${ipc}`);
      // A slow machine gets a line of progress every five seconds.
      expect({ code, stderr: stderr.replaceAll(/^\d of 3 nodes.*\n/gm, '') }).toEqual({
        code: 0,
        stderr: '',
      });
      expect(report.targets.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
      expect(report.targets[0]?.interfaces[0]).toMatchObject({
        transport: 'http',
        state: 'open',
        modules: { kaia: '1.0' },
        reach: 'loopback',
        access: { foreignHost: false, foreignOrigin: false },
      });
      expect(report.targets[2]?.interfaces[0]?.access?.fileMode).toBe('0600');
    },
  );
});

test('the mode of a socket is that of the socket, not of a link to it', async () => {
  await withNode(
    (shape) => shape,
    async ({ ipc }) => {
      const link = join(folder, 'link.ipc');
      symlinkSync(ipc!, link);
      const { report } = await audit(`ipc:${link}`);
      expect(report.targets[0]?.interfaces[0]).toMatchObject({ state: 'open', access: { fileMode: '0600' } });
    },
  );
});

test('an http request to a ws port is answered with the hint to use ws', async () => {
  await withNode(
    (shape) => shape,
    async ({ ws }) => {
      const { code, report } = await audit(ws!.replace('ws:', 'http:'));
      expect(code).toBe(3);
      expect(report.targets[0]?.interfaces[0]?.reason).toBe('HTTP 400: this port speaks WebSocket: use ws');
    },
  );
});

test('a socket path is accepted without ipc:', async () => {
  await withNode(
    (shape) => shape,
    async ({ ipc }) => {
      const { code, report } = await audit(ipc!);
      expect(code).toBe(0);
      expect(report.targets[0]?.name).toBe(`ipc:${ipc}`);
    },
  );
});

test('a failing target does not affect other targets, and reports keep the order of the command line', async () => {
  await withNode(
    (shape) => shape,
    async ({ http }) => {
      const { code, report } = await audit('http://127.0.0.1:1', http!, 'http://name.invalid:8551');
      expect(code).toBe(3);
      expect(report.targets.map(({ name, verdict }) => [name, verdict])).toEqual([
        ['http://127.0.0.1:1', 'undetermined'],
        [http, 'pass'],
        ['http://name.invalid:8551', 'undetermined'],
      ]);
      expect(report.targets[0]?.interfaces[0]).toMatchObject({
        state: 'refused',
        reason: 'connection refused',
      });
    },
  );
});

test('a password in a URL is sent to the node and never printed', async () => {
  const asked: (string | undefined)[] = [];
  const peer = await httpPeer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  const { stdout, stderr } = await kaiactl([
    'node',
    'audit',
    '--format',
    'json',
    peer.address.replace('//', '//me:s3cret@'),
  ]);
  expect(asked[0]).toBe(`Basic ${Buffer.from('me:s3cret').toString('base64')}`);
  expect(stdout + stderr).not.toContain('s3cret');
});

test('--header overrides a default header, in any letter case', async () => {
  const heads: (string | undefined)[][] = [];
  const peer = await httpPeer(({ headers }, response) => {
    heads.push([headers['user-agent'], headers.host, headers.authorization]);
    response.writeHead(401).end();
  });
  const given = ['User-agent: me', 'HOST: node.example', 'AUTHORIZATION: Bearer x'];
  await audit(peer.address.replace('//', '//a:b@'), ...given.flatMap((line) => ['--header', line]));
  expect(heads[0]).toEqual(['me', 'node.example', 'Bearer x']);
});

test('--plan prints the requests and sends nothing', async () => {
  const watch = await watchman('http');
  const conf = file('kend.conf', quiet);
  const { code, stdout } = await kaiactl(['node', 'audit', '--plan', watch.peer.address, conf]);
  expect(code).toBe(0);
  expect(watch.requests).toBe(0);
  expect(stdout).toMatch(
    /if rpc_modules \{\} is refused[\s\S]+debug_setGCPercent \{\} +if kaia: debug is listed or answers/,
  );
  expect(stdout).toMatch(/OPTIONS, Origin: https:\/\/kaiactl\.invalid/);
  expect(stdout).toMatch(/Nothing was sent/);
});

test('the plan holds every message an audit sends', async () => {
  const watch = await watchman('http');
  await audit(watch.peer.address);
  const { stdout } = await kaiactl(['node', 'audit', '--plan', watch.peer.address]);
  const planned = new Set([...stdout.matchAll(/^ {2,4}(\w+)/gm)].map((match) => match[1]));
  for (const method of watch.methods) {
    expect(planned).toContain(method.startsWith('kaiactl_') ? 'kaiactl_' : method);
  }
});

test('facts are saved without secrets and judged later without a node', async () => {
  const saved = join(folder, 'facts.json');
  const conf = file('secret.conf', `${quiet}ADDITIONAL="--nodekeyhex ${'ab'.repeat(32)}"\n`);
  const live = await audit(conf, '--simulate', '--save-facts', saved);
  expect(readFileSync(saved, 'utf8')).not.toContain('abababab');
  expect(statSync(saved).mode & 0o777).toBe(0o600);
  const later = await audit('--facts', saved);
  expect(later.code).toBe(live.code);
  expect(later.report.targets.map(({ findings }) => findings.map(({ rule }) => rule))).toEqual(
    live.report.targets.map(({ findings }) => findings.map(({ rule }) => rule)),
  );
  const broken = await kaiactl([
    'node',
    'audit',
    '--facts',
    file('broken.json', '{"schema":"kaiactl/facts-1","targets":[{}]}'),
  ]);
  expect(broken).toMatchObject({ code: 2, stdout: '' });
});

test('facts edited by hand into another shape are an input error, never a defect', async () => {
  const saved = join(folder, 'edited.json');
  await audit(file('edited.conf', quiet), '--simulate', '--save-facts', saved);
  const document = JSON.parse(readFileSync(saved, 'utf8'));
  document.targets[0].conf.value.settings.listeners[0].listed = 5;
  document.targets[0].conf.value.settings.values.rpcaddr = null;
  const edited = await kaiactl(['node', 'audit', '--facts', file('edited.json', JSON.stringify(document))]);
  expect(edited).toMatchObject({ code: 2, stdout: '' });
  expect(edited.stderr).toContain('the facts of a target are invalid');
});

test('an inventory is audited as a fleet', async () => {
  await withNode(
    (shape) => shape,
    async ({ http, ws, ipc }) => {
      const inventory = file(
        'fleet.ini',
        `[en-1]\nrole = en\nrpc = ${http}\nws = ${ws}\nipc = ${ipc}\n[en.two]\nrpc = http://127.0.0.1:1\n`,
      );
      const { code, report } = await audit('--inventory', inventory);
      expect(code).toBe(3);
      expect(report.targets.map(({ name, role, interfaces }) => [name, role, interfaces.length])).toEqual([
        ['en-1', 'en', 3],
        ['en.two', null, 1],
      ]);
    },
  );
});

test.each([
  ['[a]\nrcp = http://x\n', /there is no key rcp/],
  ['rpc = http://x\n', /is outside a section/],
  ['', /lists no node/],
  [
    '[a]\nrpc = http://127.0.0.1:1\nrole = consensu\n',
    /bad\.ini:3 \[a\]: role: there is no role consensu\n {2}Did you mean consensus\?/,
  ],
  ['[a]\nrpc = http://127.0.0.1:1\nrole = 42\n', /there is no role 42\n {2}Roles: consensus, proxy/],
  ['[a]\nrole = en\n', /bad\.ini:1 \[a\] names neither an endpoint nor a conf/],
  [
    '[a]\nrpc = http://127.0.0.1:1\n\n[b.c]\n; note\nrpc = http://127.0.0.1:1\nmetrics = 127.0.0.1:16201/x\n',
    /bad\.ini:7 \[b\.c\]: metrics: 127\.0\.0\.1:16201\/x is not .*\n {2}Write it as http:\/\/127\.0\.0\.1:61001/,
  ],
  ['[a]\nmetrics = http://me:pw@127.0.0.1:1/x\nrpc = http://127.0.0.1:1', /a\]: metrics: http:\/\/…@127/],
  ['[a]\nrpc = localhost\n', /bad\.ini:2 \[a\]: rpc: localhost has no scheme/],
  ['[a]\nws = http:/x:y\n', /bad\.ini:2 \[a\]: ws: .* is not a URL/],
])('the inventory %j is rejected', async (text, sentence) => {
  const { code, stderr } = await kaiactl(['node', 'audit', '--inventory', file('bad.ini', text)]);
  expect(code).toBe(2);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toMatch(/\n\s+at |me:pw/);
});

test.each([
  ['socks5://proxy.invalid:1080', /HTTPS_PROXY names a socks5 proxy, which is not supported/],
  ['http://[', /HTTPS_PROXY does not hold a URL/],
])('an unusable proxy is reported before any request is sent: %s', async (proxy, sentence) => {
  vi.stubEnv('HTTPS_PROXY', proxy);
  try {
    const env = { HTTPS_PROXY: proxy };
    const nodes = ['http://127.0.0.1:1', 'https://node.invalid:8551'];
    for (const argv of [
      ['audit', ...nodes],
      ['modules', 'https://node.invalid:8551'],
    ]) {
      const { code, stdout, stderr } = await kaiactl(['node', ...argv], { env });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
    }
    expect((await kaiactl(['node', 'audit', 'http://127.0.0.1:1', '-q'], { env })).code).toBe(3);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ['127.0.0.1:1', '127.0.0.1:1'],
  ['[::1]:1/x', '[::1]:1/x'],
  ['me:secret-word@127.0.0.1:1/v2/0a1b2c3d', '127.0.0.1:1/v2/…'],
])('%s is asked over http, which is said', async (word, shown) => {
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', word]);
  expect([code, stderr]).toEqual([3, `kaiactl: ${shown} has no scheme: asked as http://${shown}\n`]);
  expect(stdout).toContain(`http://${shown}`);
  expect(stdout + stderr).not.toMatch(/secret-word|0a1b2c3d/);
});

test.each([
  [['pid:4194305'], /no process 4194305 can be read/],
  [['pid:1'], /process 1 is .*, not a node/],
  [['http://127.0.0.1:1', '--concurrency', '0'], /not a number from 1/],
  [['http://127.0.0.1:1', '--timeout', '0'], /not a time/],
  [['http://127.0.0.1:1', '--metrics-port', '99999'], /not a port/],
  [['gopher://x'], /not a way to reach a node/],
  [['localhost'], /localhost has no scheme\n {2}For http write http:\/\/localhost:8551\./],
])('%j is a wrong invocation', async (words, sentence) => {
  const { code, stderr } = await kaiactl(['node', 'audit', ...words]);
  expect(code).toBe(2);
  expect(stderr).toMatch(sentence);
});

test('a missing conf is undetermined, the other targets are audited, and the exit code is 2', async () => {
  const conf = file('kend.conf', quiet);
  const { code, report } = await audit(join(folder, 'none.conf'), conf, '--simulate');
  expect(code).toBe(2);
  expect(report.targets.map(({ verdict }) => verdict)).toEqual(['undetermined', 'pass']);
});

test('a cause in a conf of two nodes is reported once, and each node has its own verdict', async () => {
  const conf = file('kend.conf', quiet.replace(/^RPC_ENABLE=.*/m, 'RPC_ENABLE=true'));
  const list = file('nodes.ini', `[a]\nconf = ${conf}\n[b]\nconf = ${conf}\n`);
  const { report } = await audit('--inventory', list, '--fail-on', 'medium', '--probe', 'none');
  const rules = report.targets.map(({ findings }) => findings.map(({ rule }) => rule));
  expect(rules).toEqual([['ineffective-switch'], []]);
  expect(report.targets.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
  expect(report.targets[1]?.shared).toMatchObject([{ rule: 'ineffective-switch', target: 'a' }]);
});

test('--probe none skips probes and does not report them as unseen', async () => {
  await withNode(
    (shape) => ({ ...shape, http: { ...shape.http!, origins: ['*'], vhosts: ['*'] } }),
    async ({ http }) => {
      const failing = ['--fail-on', 'medium'];
      const { code, report } = await audit(http!, '--probe', 'none', ...failing);
      expect(code).toBe(0);
      expect(report.targets[0]).toMatchObject({ verdict: 'pass', undetermined: [] });
      expect(report.targets[0]?.notLookedAt).toContain(
        'whom Host, CORS and Origin checks let in (--probe none)',
      );
      expect(report.targets[0]?.interfaces[0]?.requests).toBe(3);
      const policy = file(
        'listed.ini',
        '[policy]\nname = own\nversion = 1\n[http]\norigins = listed\nhosts = listed\n',
      );
      const asked = await audit(http!, '--probe', 'none', '--policy', policy);
      expect([asked.code, asked.report.targets[0]?.undetermined.map(({ rule }) => rule)]).toEqual([
        3,
        ['policy-violation'],
      ]);
      const conf = file(
        'listed.conf',
        `${quiet.replace('DATA_DIR', `RPC_PORT=${new URL(http!).port}\nRPC_CORSDOMAIN="https://a.example"\nRPC_VHOSTS="a.example"\nDATA_DIR`)}`,
      );
      const { checks = [] } = (await audit(conf, '--probe', 'none')).report.targets[0] ?? {};
      expect(checks.find(({ rule }) => rule === 'wildcard-vhosts')?.verdict).toBe('not-applicable');
      expect(checks.find(({ rule }) => rule === 'wildcard-cors')?.verdict).toBe('not-applicable');
      expect((await audit(http!, ...failing)).code).toBe(1);
    },
  );
});

test('a baseline of one node accepts nothing of another behind the same gateway', async () => {
  await withNode(
    (shape) => ({ ...shape, http: { ...shape.http!, origins: ['*'] } }),
    async ({ http }) => {
      const [one, other] = ['1', '2'].map((key) => `${http}/v2/KEYKEYKEY${key}`);
      const file = join(folder, 'gateway.json');
      const failing = ['--fail-on', 'medium', '--baseline', file];
      await audit(one!, '--write-baseline', file);
      expect((await audit(one!, ...failing)).code).toBe(0);
      expect((await audit(other!, ...failing)).code).toBe(1);
    },
  );
});

test('--simulate is rejected without a conf', async () => {
  const { code, stderr } = await kaiactl(['node', 'audit', 'http://127.0.0.1:1', '--simulate']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/needs confs/);
});

test('an interrupted audit reports what is known and exits with 130', async () => {
  const abort = new AbortController();
  const silent = await httpPeer(() => abort.abort());
  await withNode(
    (shape) => shape,
    async ({ http }) => {
      const argv = [
        'node',
        'audit',
        http!,
        silent.address,
        '--format',
        'json',
        '--timeout',
        '60s',
        '--concurrency',
        '1',
      ];
      const { code, stdout, stderr } = await kaiactl(argv, { signal: abort.signal });
      expect(code).toBe(130);
      expect(expectValid(stdout).targets.map(({ verdict }) => verdict)).toEqual(['pass', 'undetermined']);
      expect(JSON.parse(stdout)).toMatchObject({ exitCode: 130 });
      expect(stderr).toMatch(/interrupted; the report has the rest as not seen, or lacks it$/m);
    },
  );
});

test('an audit of more than five seconds prints its progress, unless --quiet is given', async () => {
  const silent = [await httpPeer(() => {}), await httpPeer(() => {})];
  let now = 0;
  const steps = { now: () => (now += 6_000) };
  const argv = [
    'node',
    'audit',
    ...silent.map(({ address }) => address),
    '--timeout',
    '1200ms',
    '--allow-blind',
  ];
  expect((await kaiactl(argv, steps)).stderr).toMatch(/^0 of 2 nodes$/m);
  expect((await kaiactl([...argv, '--quiet'], steps)).stderr).toBe('');
});

describeGanache((peer) => {
  test('offers personal, names accounts, is not a Kaia node', async () => {
    const { code, report } = await audit(peer().http, peer().ws);
    expect(code).toBe(1);
    for (const at of [0, 1]) {
      expect(rulesOf(report, at)).toEqual(
        expect.arrayContaining(['privileged-module', 'accounts-listed', 'foreign-node']),
      );
    }
    expect(rulesOf(report, 0)).toContain('wildcard-cors');
    expect(rulesOf(report, 1)).toContain('wildcard-origins');
  });
});

describeAnvil((peer) => {
  test('never passes: what it offers is not seen', async () => {
    const { code, report } = await audit(peer().http, peer().ws, peer().ipc!, '--fail-on', 'critical');
    expect(code).toBe(3);
    for (const target of report.targets) {
      expect(target.verdict).toBe('undetermined');
      expect(target.undetermined.map(({ reason }) => reason).join()).toMatch(/rpc_modules answered error/);
    }
  });
});

const contained =
  'services:\n  en:\n    image: kaiachain/kaia:v2.2.1\n    command: ken --rpc --rpcapi eth,personal\n';

test('the header of a container’s node that did not answer comes from its settings', async () => {
  const path = file('asked.yaml', contained);
  const { stdout } = await kaiactl(['node', 'audit', path]);
  expect(stdout.replace(/\s+/g, ' ')).toContain('http on 127.0.0.1: its container alone reaches it');
  const { report } = await audit(path);
  expect(report.targets[0]?.interfaces.map(({ transport, state }) => `${transport} ${state}`)).toEqual([
    'http not-checked',
    'ipc not-checked',
  ]);
});

test('the interface table and the findings agree which interface only the container reaches', async () => {
  const path = file('simulated.yaml', contained);
  const { stdout } = await kaiactl(['node', 'audit', '-v', '--simulate', path]);
  expect(stdout).toMatch(/^http :\d+ \(simulated\) +its container \(settings\) /m);
  expect(stdout.replace(/\s+/g, ' ')).toContain('its container alone reaches it (127.0.0.1).');
});

test('answers of a simulated node are marked as simulated in text, in JSON and in saved facts', async () => {
  const conf = file('simulated.kend.conf', quiet);
  const saved = join(folder, 'simulated.json');
  const { report } = await audit(conf, '--simulate', '--save-facts', saved);
  const texts = [
    await kaiactl(['node', 'audit', conf, '--simulate']),
    await kaiactl(['node', 'audit', '--facts', saved]),
  ];
  const { report: later } = await audit('--facts', saved);
  for (const { targets } of [report, later]) {
    expect(targets[0]?.interfaces.length).toBeGreaterThan(0);
    expect(targets[0]?.interfaces.every(({ simulated }) => simulated === true)).toBe(true);
  }
  for (const { stdout } of texts) {
    expect(stdout).toMatch(/simulated\.kend\.conf · SIMULATED/);
    expect(stdout).toMatch(/^http :\d+ \(simulated\)/m);
  }
  await withNode(
    (shape) => shape,
    async ({ http }) => expect(JSON.stringify((await audit(http!)).report)).not.toContain('simulated'),
  );
});

test('an audit that was interrupted long ago leaves targets out, and counts them', async () => {
  let now = 0;
  const late = { now: () => (now += 301), signal: AbortSignal.abort() };
  const nodes = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const { code, stdout, stderr } = await kaiactl(['node', 'audit', '--format', 'json', ...nodes], late);
  expect([code, expectValid(stdout).targets]).toEqual([130, []]);
  expect(stderr).toContain('kaiactl: 2 targets left out of the report\n');
  const soon = { now: () => 0, signal: AbortSignal.abort() };
  const early = await kaiactl(['node', 'audit', '--format', 'json', ...nodes], soon);
  expect(expectValid(early.stdout).targets).toHaveLength(2);
  expect(early.stderr).not.toContain('left out');
});

test('--simulate looks at http, ws, ipc, the profiler and the engine of a conf', async () => {
  const conf = file('all.kend.conf', `${quiet}WS_ENABLE=1\nWS_API=net\nMETRICS=1\nPROMETHEUS=1\n`);
  const { report } = await audit(conf, '--simulate');
  expect(report.targets[0]?.interfaces.map(({ transport, state }) => `${transport} ${state}`)).toEqual(
    expect.arrayContaining(['http open', 'ws open', 'ipc open', 'metrics open']),
  );
  const unit = file(
    'geth.service',
    '[Service]\nExecStart=/usr/bin/geth --datadir /nowhere/g --http --ipcdisable\n',
  );
  const geth = await audit(unit, '--simulate', '--allow-blind');
  const [target] = geth.report.targets;
  expect(target?.interfaces.map(({ transport }) => transport)).not.toContain('ipc');
  expect(
    target?.interfaces.filter(({ state }) => state !== 'not-checked').every(({ simulated }) => simulated),
  ).toBe(true);
});

test('--plan is JSON with --format json, and names the kinds of node that log its probes', async () => {
  const conf = file('kend.conf', quiet);
  const { stdout } = await kaiactl(['node', 'audit', '--plan', '--format', 'json', conf]);
  expect(JSON.parse(stdout).plan).toMatchObject([{ target: conf, reason: null }]);
  const text = await kaiactl(['node', 'audit', '--plan', conf]);
  expect(text.stdout.replace(/\s+/g, ' ')).toMatch(
    / A node of (?:\w|-|,| )+ logs a warning for each message with \{\}\.\s*$/,
  );
  const none = await kaiactl(['node', 'audit', '--plan', '--probe', 'none', conf]);
  expect(none.stdout).not.toContain('logs a warning');
});

test('saved facts take no target beside them, and --assume-reach counts for each', async () => {
  const saved = new URL('../../../fixtures/version-1/facts.json', import.meta.url).pathname;
  for (const words of [['http://h:1'], ['--inventory', 'nodes.ini']])
    expect(await kaiactl(['node', 'audit', '--facts', saved, ...words])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'kaiactl: --facts takes no target: it judges saved facts\n',
    });
  const assumed = JSON.stringify((await audit('--facts', saved, '--assume-reach', 'http=private')).report);
  const said = 'the private network reaches it, as --assume-reach says';
  expect(assumed).toContain(said);
  expect(JSON.stringify((await audit('--facts', saved)).report)).not.toContain(said);
});

test('facts that no rule can judge are an input error that names the rule', async () => {
  const saved = new URL('../../../fixtures/version-1/facts.json', import.meta.url).pathname;
  const document = JSON.parse(readFileSync(saved, 'utf8'));
  document.targets[0].conf.value.settings.problems = [null];
  const { code, stderr } = await kaiactl([
    'node',
    'audit',
    '--facts',
    file('odd.json', JSON.stringify(document)),
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /odd\.json: the facts of a target are invalid\n(?: {2}[\w-]+ cannot be judged from them\n)? {2}Write them again with kaiactl node audit … --save-facts FILE\.\n/,
  );
});

test('files without modes are said on Windows where a conf is read', async () => {
  const conf = file('kend.conf', quiet);
  const said = async (...words: string[]) =>
    (await kaiactl(['node', 'audit', '--allow-blind', '--timeout', '1s', ...words], { platform: 'win32' }))
      .stderr;
  const [confs, endpoint] = [await said(conf), await said('http://127.0.0.1:1')];
  expect(confs.match(/^kaiactl: /gm)).toHaveLength(2);
  expect(endpoint.match(/^kaiactl: /gm)).toHaveLength(1);
  expect(await said(conf, '--quiet')).toBe('');
  expect((await said(conf, '--simulate')).match(/^kaiactl: /gm)).toHaveLength(1);
});
