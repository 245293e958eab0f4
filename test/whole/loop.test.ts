/** The loop: a conf, simulated, then audited against itself, shows no drift; one setting apart, exactly that one. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Conf, Facts } from '../../src/node/facts/facts.js';
import type { DriftRow, Finding } from '../../src/node/facts/report.js';
import { seen } from '../../src/node/facts/seen.js';
import type { ListenerKind } from '../../src/node/facts/settings.js';
import { judge } from '../../src/node/judge/judge.js';
import { driftOf } from '../../src/node/judge/overview/drift.js';
import { kinds } from '../../src/node/kinds/index.js';
import { gatherLive, machineOf, parseEndpoint, type Target } from '../../src/node/probe/index.js';
import { rules } from '../../src/node/rules/index.js';
import { type Simulation, simulate } from '../../src/node/simulator/node.js';
import type { ReadConf } from '../../src/node/sources/conf/text.js';
import { readConf } from '../node/editables.js';
import { loadCommandLineNode } from '../node/load.js';
import { Random } from '../node/sources/random.js';
import { everyNth, isLong, seed, shareOf } from '../seed.js';

const folder = new URL('../../fixtures/conf', import.meta.url).pathname;
/** A fixture, by its name below the folder. */
function read(name: string): ReadConf {
  return readConf(basename(name), readFileSync(join(folder, name)));
}

const files = ['ok', 'err'].flatMap((kind) =>
  readdirSync(join(folder, kind))
    .filter((name) => name.endsWith('.conf'))
    .map((name) => join(kind, name)),
);

/** Nobody listens on tcpmux. */
const nowhere = '127.0.0.1:1';

/** Rules that compare conf and node. */
const comparing = new Set([
  'undeclared-module',
  'missing-module',
  'undeclared-interface',
  'missing-interface',
  'pending-restart',
]);

interface Audit {
  readonly drift: readonly DriftRow[] | null;
  readonly findings: readonly Finding[];
  /** What lint finds and the audit does not. */
  readonly missed: readonly string[];
  readonly defects: readonly string[];
}

function nodeOf(conf: Conf): Facts {
  return { name: 'node', role: null, conf: seen(conf), live: null, gatheredAt: '' };
}

function missed(written: Conf, audited: readonly Finding[]): string[] {
  const named = ({ rule, subject }: Finding) => `${rule} ${subject}`;
  const found = new Set(audited.map(named));
  const linted = judge(nodeOf(written), rules, kinds).flatMap(({ findings }) => findings.map(named));
  return linted.filter((one) => !found.has(one));
}

/** Starts the node that `started` describes, then audits it by what `written` says now. */
async function audit(started: Conf, written: Conf): Promise<Audit> {
  const place = await mkdtemp(join(tmpdir(), 'kaiactl-loop-'));
  const node = await simulate(started.settings, { freePorts: true, ipc: join(place, 'klay.ipc') });
  try {
    const live = await gatherLive(target(written, node), {
      connection: { headers: {}, insecure: false, env: {} },
      timeoutMs: 10_000,
      depth: 'safe',
      kinds,
      machine: machineOf({ proc: place, platform: 'none', kinds }),
      signal: new AbortController().signal,
    });
    const facts: Facts = { ...nodeOf(written), live };
    const judgements = judge(facts, rules, kinds);
    const all = judgements.flatMap((one) => one.findings);
    return {
      drift: driftOf(facts, kinds),
      findings: all.filter(({ rule }) => comparing.has(rule)),
      missed: missed(written, all),
      defects: judgements
        .filter(({ verdict }) => verdict === 'defect')
        .flatMap(({ open }) => open.map(({ reason }) => reason)),
    };
  } finally {
    await node.close();
    await rm(place, { recursive: true, force: true });
  }
}

/** What the conf opens, where the simulated node opened it; what it opens and the node does not, nowhere. */
function target(conf: Conf, node: Simulation): Target {
  const opens = (kind: ListenerKind) =>
    conf.settings.listeners.some((one) => one.kind === kind && one.state === 'on');
  const addresses = [
    node.http ?? (opens('http') ? `http://${nowhere}` : null),
    node.ws ?? (opens('ws') ? `ws://${nowhere}` : null),
    node.ipc === null ? null : `ipc:${node.ipc}`,
  ];
  const ports = (['metrics', 'pprof'] as const).map((kind) => ({
    kind,
    url: node[kind] ?? (opens(kind) ? `http://${nowhere}` : null),
  }));
  return {
    name: 'node',
    role: null,
    conf: seen(conf),
    endpoints: addresses
      .filter((address) => address !== null)
      .map((address) => ({ address: parseEndpoint(address), source: 'conf' })),
    metrics: ports.flatMap(({ kind, url }) => (url === null ? [] : [{ kind, url, source: 'conf' as const }])),
  };
}

/** One setting apart, whatever the conf says before. */
const appended = ['RPC_ENABLE=0', 'WS_ENABLE=0', 'RPC_API="$RPC_API,txpool"', 'WS_API=net'];
const flipped = new Set<string>();
/** In a short run a sixth of the confs, which the seed chooses, and one line to each. */
const chosen = shareOf(6, files);

/** What of a conf a node shows. */
function opened({ settings: { listeners } }: ReadConf): unknown {
  return listeners.map(({ kind, state, modules }) => (state === 'on' ? [kind, modules] : [kind]));
}

describe.each(chosen)('%s', (name) => {
  const conf = read(name);
  test('shows no drift when it is audited as simulated', async () => {
    expect(await audit(conf, conf)).toMatchObject({ drift: [], findings: [], defects: [] });
  });

  const lines = isLong ? appended : everyNth(appended.length, appended, files.indexOf(name));
  test.each(lines)('started with %s behind it: one drift, unless that changes nothing', async (line) => {
    const started = readConf(
      conf.settings.source.path,
      Buffer.from(`${conf.settings.source.lines.join('\n')}\n${line}\n`),
    );
    const changed = JSON.stringify(opened(started)) !== JSON.stringify(opened(conf));
    if (changed) flipped.add(`${name} ${line}`);
    expect((await audit(started, conf)).drift).toHaveLength(changed ? 1 : 0);
  });
});

test('enough of the lines changed something for this to mean something', () => {
  expect(flipped.size).toBeGreaterThan(chosen.length / (isLong ? 2 : 2 * appended.length));
});

test('enough fixtures open http or ws for this to mean something', () => {
  const opening = files.filter((name) =>
    read(name).settings.listeners.some(
      ({ kind, state }) => (kind === 'http' || kind === 'ws') && state === 'on',
    ),
  );
  expect(opening.length).toBeGreaterThan(12);
});

const open = `
NETWORK="mainnet"
RPC_ENABLE=1
RPC_API="klay,eth,net,web3,debug"
RPC_ADDR="0.0.0.0"
RPC_CORSDOMAIN="https://a.example"
RPC_VHOSTS="localhost"
WS_ENABLE=1
WS_API="klay,eth,net,web3"
WS_ADDR="0.0.0.0"
WS_ORIGINS="https://a.example"
METRICS=1
PROMETHEUS=1
DATA_DIR=/var/kend/data
`;

/** The line the node was started with, the setting that differs, what the two say, and the findings it makes. */
const flips: readonly (readonly [
  line: string,
  setting: string,
  conf: string,
  node: string,
  findings: readonly string[],
])[] = [
  ['RPC_ENABLE=0', 'RPC_ENABLE', 'on', 'closed', ['missing-interface http']],
  ['WS_ENABLE=0', 'WS_ENABLE', 'on', 'closed', ['missing-interface ws']],
  ['METRICS=0', 'PROMETHEUS', 'on', 'closed', []],
  [
    'WS_API="klay,eth,net,web3,personal"',
    'WS_API',
    'eth,kaia,net,web3',
    'eth,kaia,net,personal,web3',
    ['undeclared-module ws personal'],
  ],
  ['WS_API="klay,net,web3"', 'WS_API', 'eth,kaia,net,web3', 'kaia,net,web3', ['missing-module ws eth']],
  ['RPC_CORSDOMAIN="*"', 'RPC_CORSDOMAIN', 'not any origin', 'any origin', []],
  ['RPC_VHOSTS="*"', 'RPC_VHOSTS', 'not any Host', 'any Host', []],
  ['WS_ORIGINS="*"', 'WS_ORIGINS', 'not any origin', 'any origin', []],
  ['ADDITIONAL="--rpc.unsafe-debug.disable"', '--rpc.unsafe-debug.disable', 'off', 'on', []],
  ['NETWORK="kairos"', 'NETWORK', '8217', '1001', []],
];

describe('the node was started with', () => {
  const parse = (text: string) => readConf('kend.conf', Buffer.from(text));
  test.each(flips)('%s', async (line, setting, conf, node, findings) => {
    const result = await audit(parse(open + line), parse(open));
    expect(result.drift).toEqual([{ setting, conf, process: null, node, note: null }]);
    expect(result.findings.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual(findings);
    expect(result.defects).toEqual([]);
  });

  test.each([
    ['RPC_ENABLE=0', 'undeclared-interface http'],
    ['WS_ENABLE=0', 'undeclared-interface ws'],
    ['PROMETHEUS=0', 'undeclared-interface metrics'],
  ])('more than the conf with %s opens', async (line, finding) => {
    const result = await audit(parse(open), parse(open + line));
    expect(result.drift?.map(({ conf, node }) => [conf, node])).toEqual([['off', 'open']]);
    expect(result.findings.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual([finding]);
    const [{ related = [] } = {}] = result.findings;
    expect(related[0]).toMatchObject({ source: line, note: 'closed by this setting' });
  });
});

const loadHost = { cwd: folder, stdin: Readable.from([]), signal: new AbortController().signal };

/** A start of geth or of a fork, which has a flag that the others do not know. */
function gethStart(random: Random): string {
  const some = (flag: string, values: readonly string[]) =>
    random.below(2) === 0 ? [] : [`--${flag}=${random.pick(values)}`];
  const modules = ['eth,net,web3', "''", 'admin,eth', 'debug,ETH', 'txpool,nosuch,web3', 'web3,miner'];
  const lists = ['*', "''", 'https://app.example.org', 'localhost,node.example.org'];
  const words = [
    'geth',
    '--datadir=/data',
    '--http',
    ...some('http.addr', ['0.0.0.0', '127.0.0.1']),
    ...some('http.api', modules),
    ...some('http.corsdomain', lists),
    ...some('http.vhosts', lists),
    ...some('ws', ['true']),
    ...some('ws.addr', ['0.0.0.0']),
    ...some('ws.api', modules),
    ...some('ws.origins', lists),
    ...some('ws.port', ['8545', '8546']),
    ...some('metrics', ['true']),
    ...some('pprof', ['true']),
    ...random.pick([[], ['--dev'], ['--chapel'], ['--rollup.disabletxpoolgossip']]),
  ];
  return words.join(' ');
}

describe('generated starts of geth and its forks', () => {
  const random = new Random(seed);
  const starts = Array.from({ length: isLong ? 24 : 8 }, () => gethStart(random));

  test.each(starts)('%s', async (line) => {
    const conf = await loadCommandLineNode(line, {}, loadHost);
    expect(await audit(conf, conf)).toEqual({ drift: [], findings: [], missed: [], defects: [] });
  });

  test('started with another list: exactly that drift', async () => {
    const [started, written] = await Promise.all(
      ["geth --http --http.api=''", 'geth --http'].map((line) => loadCommandLineNode(line, {}, loadHost)),
    );
    const { drift, findings } = await audit(started as Conf, written as Conf);
    expect(drift).toMatchObject([{ setting: '--http.api', conf: 'eth,net,web3' }]);
    expect(findings.map(({ subject }) => subject)).toContain('http admin');
  });
});
