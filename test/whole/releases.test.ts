/** The same settings judged as nodes of several releases. */
import { expect, test } from 'vitest';
import type { Facts } from '../../src/node/facts/facts.js';
import { notSeen, seen } from '../../src/node/facts/seen.js';
import { emptyFacts } from '../../src/node/probe/run.js';
import { readConf } from '../node/editables.js';
import { judgeTarget } from '../node/pipeline.js';

const opening = ['NETWORK_ID=1001', 'DATA_DIR=/srv/kend', 'RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0'];

function facts(lines: readonly string[], nodeVersion?: string, path = 'kend.conf'): Facts {
  const conf = readConf(path, Buffer.from([...opening, ...lines, ''].join('\n')), { nodeVersion });
  return { name: 'node', role: null, conf: seen(conf), live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
}

const judged = (...given: Parameters<typeof facts>) => judgeTarget(facts(...given), { failOn: 'high' });
const said = (...given: Parameters<typeof facts>) =>
  judged(...given).findings.map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`);

const debug = 'RPC_API="klay,debug"';
const behindSwitch = [debug, 'ADDITIONAL="--rpc.unsafe-debug.disable"'];

test('a stated release that lacks a flag does not start with it', () => {
  const { release, conf, findings } = judged(behindSwitch, 'v1.9.1');
  expect(release).toEqual({
    value: 'klaytn/v1.9.1',
    by: 'option',
    since: 'klaytn/v1.9.1',
    until: 'klaytn/v1.9.1',
  });
  expect(conf?.launcher).toBe('kend');
  const flag = findings.find(({ rule }) => rule === 'unknown-flag');
  expect(flag?.severity).toBe('medium');
  expect(flag?.message).toMatch(/came with klaytn v1\.10\.0: the node does not start/);
});

test('notes the name from which the release was inferred', () => {
  const path = '/opt/kend-v1.9.1-linux-amd64/conf/kend.conf';
  expect(judged(behindSwitch, undefined, path).release).toMatchObject({
    value: 'klaytn/v1.9.1',
    by: 'package',
  });
  expect(said(behindSwitch, undefined, path)).toContainEqual(
    expect.stringMatching(
      /^info unknown-flag: .*klaytn v1\.9\.1 does not start, if the node is that release/,
    ),
  );
});

test('no advice to add a switch that the release lacks', () => {
  const fixes = (version: string) =>
    judged([debug], version).findings.map(({ fix, alternatives = [] }) => [
      fix,
      alternatives.map((one) => one.fix),
    ]);
  expect(JSON.stringify(fixes('v1.9.1'))).not.toContain('--rpc.unsafe-debug.disable');
  expect(JSON.stringify(fixes('v1.10.0'))).toContain('--rpc.unsafe-debug.disable');
});

test('a release that is not known is bounded by what starts', () => {
  expect(judged(behindSwitch).release).toEqual({
    value: null,
    by: 'settings',
    since: 'klaytn/v1.10.0',
    until: 'kaia/v2.2.1',
  });
  expect(said(behindSwitch).some((one) => one.includes('unknown-flag'))).toBe(false);
  expect(judged([]).release).toEqual({
    value: null,
    by: 'none',
    since: 'klaytn/v1.5.0',
    until: 'kaia/v2.2.1',
  });
});

test('a protective variable counts only if each release reads it; the others are named', () => {
  const lines = [debug, 'export KLAYTN_RPC_UNSAFE_DEBUG_DISABLE=1'];
  expect(said(lines)).toContainEqual(
    expect.stringMatching(/^critical unsafe-debug: In releases up to klaytn v1\.9\.1: /),
  );
  expect(said(lines, 'v2.2.1')).toContainEqual(expect.stringMatching(/^medium unsafe-debug: http: /));
});

test('a variable named KAIA_ is read by a release that reads it', () => {
  const { release } = judged([debug, 'export KAIA_RPC_UNSAFE_DEBUG_DISABLE=1']);
  expect(release).toMatchObject({ by: 'settings', since: 'kaia/v0.9.0' });
});

test('a release newer than all known is judged as the last, and leaves what is not known open', () => {
  const { release, findings, undetermined } = judged(
    ['RPC_API="klay,brandnew"', 'ADDITIONAL="--rpc.brand-new"'],
    'v2.9.0',
  );
  expect(release).toMatchObject({ value: 'kaia/v2.9.0', since: 'kaia/v2.2.1', until: 'kaia/v2.2.1' });
  const rules = findings.map(({ rule }) => rule);
  expect(rules).toEqual(expect.arrayContaining(['unknown-flag', 'unknown-module']));
  expect(JSON.stringify(findings)).not.toContain('does not start');
  expect(undetermined.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['unknown-flag', 'unknown-module']),
  );
});

test('modules are judged by release', () => {
  const about = (version: string) =>
    said(['RPC_API="klay,kaia,eth"'], version).filter((one) => one.includes('unknown-module'));
  expect(about('v1.7.3').join()).toMatch(
    /kaia, which came with kaia v0\.9\.0.*eth, which came with klaytn v1\.8\.0/s,
  );
  expect(about('v2.2.1')).toEqual([]);
});

test('a running node gives its release', () => {
  const given = facts(behindSwitch);
  const endpoint = { kind: 'http', url: 'http://127.0.0.1:8551' } as const;
  const live = {
    endpoints: [
      {
        ...emptyFacts({ endpoint, raw: '', authorization: null, secrets: [] }, 'argument'),
        client: seen('Klaytn/v1.12.0/linux-amd64/go1.20.6'),
      },
    ],
    metrics: [],
    sockets: [],
    process: notSeen('not-asked', 'not asked'),
  };
  const { release } = judgeTarget({ ...given, live }, { failOn: 'high' });
  expect(release).toMatchObject({ value: 'klaytn/v1.12.0', by: 'client' });
});

test('a flag of the command line and the name of a network bound the release', () => {
  const since = (lines: readonly string[]) => judged(lines).release?.since;
  expect(since(['ADDITIONAL="--http-rpc.unsafe-debug.disable"'])).toBe('klaytn/v1.11.0');
  // NETWORK_ID overrides the name of the network.
  expect(since(['NETWORK=kairos'])).toBe('klaytn/v1.5.0');
  expect(since(['NETWORK_ID=', 'NETWORK=kairos'])).toBe('kaia/v1.0.1');
});

test('a list adds up with the environment before klaytn v1.11.0, and replaces it from there on', () => {
  const brokers = (version: string) => {
    const { conf } = facts(
      [
        'export KLAYTN_CHAINDATAFETCHER_KAFKA_BROKERS=one:9092',
        'ADDITIONAL="--chaindatafetcher.kafka.brokers two:9092"',
      ],
      version,
    );
    return conf?.state === 'seen' && conf.value.settings.values['chaindatafetcher.kafka.brokers']?.value;
  };
  expect([brokers('v1.10.2'), brokers('v1.11.0')]).toEqual(['one:9092,two:9092', 'two:9092']);
});

test('a flag that an older candidate lacks is advice, with the release that added it', () => {
  const alternatives = (version?: string) =>
    judgeTarget(facts([debug, 'ADDITIONAL=""'], version, '/opt/kend-linux-amd64/conf/kend.conf'), {
      failOn: 'high',
    }).findings.flatMap(({ rule, alternatives = [] }) =>
      rule === 'unsafe-debug' ? alternatives.map(({ fix, edits }) => [fix, edits.length > 0] as const) : [],
    );
  expect(alternatives()).toEqual([
    [
      expect.stringMatching(/disable came with klaytn v1\.10\.0: an older node does not start with it\.$/),
      false,
    ],
  ]);
  expect(alternatives('v2.2.1')).toEqual([
    [expect.stringMatching(/43 of its methods move to IPC, 16 stay\.$/), true],
  ]);
  expect(alternatives('v1.12.0')).toEqual([
    [expect.stringMatching(/43 of its methods are removed, 16 stay\.$/), true],
  ]);
});

test('a flag that some releases lack is no finding; an unknown one leaves open what it may open', () => {
  const about = (words: string) => {
    const { findings, undetermined } = judged([`ADDITIONAL="${words}"`]);
    const flags = findings.filter(({ rule }) => rule === 'unknown-flag' || rule === 'conflicting-flags');
    return [
      ...flags.map(({ severity, message }) => `${severity} ${message}`),
      ...undetermined.map(({ rule }) => rule),
    ];
  };
  expect(about('--overwrite-genesis')).toEqual([]);
  // No release has both.
  expect(about('--cache.writethrough --chaindatafetcher.mode=kafka')).toEqual([
    'medium No known release has both --cache.writethrough and --chaindatafetcher.mode (line 5): --chaindatafetcher.mode came with klaytn v1.5.3, --cache.writethrough ended with klaytn v1.5.2; the node does not start.',
  ]);
  expect(about('--brand-new')).toEqual([expect.stringMatching(/^medium --brand-new is not a flag/)]);
  expect(about('--ws.brand-new')).toEqual([
    expect.stringMatching(/^medium --ws\.brand-new is not a flag/),
    'unknown-flag',
  ]);
});

test('a fix lists modules that every release left reads', () => {
  const fixes = (...lines: string[]) =>
    judged(['RPC_API=""', ...lines]).findings.flatMap(({ rule, fix }) =>
      rule === 'implicit-modules' ? fix : [],
    );
  expect(fixes()).toEqual(['List only klay, eth, net and web3 in RPC_API.']);
  // Came with klaytn v1.6.0; eth came with v1.8.0.
  expect(fixes('ADDITIONAL="--rpc.gascap=1"')).toEqual(['List only klay, net and web3 in RPC_API.']);
  expect(fixes('ADDITIONAL="--rpc.unsafe-debug.disable"')).toEqual([
    'List only klay, eth, net and web3 in RPC_API.',
  ]);
});

test('a module that came after the releases of the image is ignored by them', () => {
  const path = '/opt/kend-v1.0.0-linux-amd64/conf/kend.conf';
  const { findings, undetermined } = judged(['RPC_API="eth,auction"'], undefined, path);
  expect(findings.map(({ message }) => message).join()).toMatch(
    /auction, which came with kaia v2\.1\.0: kaia v1\.0\.0 ignores it/,
  );
  expect(undetermined.map(({ rule }) => rule)).toEqual([]);
});

test('nothing is claimed about releases newer than all known ones', () => {
  const { undetermined } = judged(['RPC_API="eth,zzz"', 'ADDITIONAL="--rpcfrob --http.frob"'], 'v2.9.0');
  expect(undetermined.map(({ reason }) => reason)).toEqual([
    'kaiactl does not know whether kaia v2.9.0 has zzz',
    'kaiactl does not know whether kaia v2.9.0 has --rpcfrob and --http.frob',
  ]);
});

test('releases that refuse the start are named in the release, and in what the others open', () => {
  const lines = ['RPC_API="klay,personal"', 'ADDITIONAL="--overwrite-genesis"'];
  expect(judged(lines).release).toEqual({
    value: null,
    by: 'settings',
    since: 'klaytn/v1.5.2',
    until: 'kaia/v2.1.0',
    refused: ['overwrite-genesis'],
  });
  expect(said(lines)).toEqual([
    expect.stringMatching(
      /^critical privileged-module: In releases klaytn v1\.5\.2 to kaia v2\.1\.0 \(newer ones refuse --overwrite-genesis\): http offers personal/,
    ),
    expect.stringMatching(/^medium public-bind: http listens/),
  ]);
});

test('a flag that one release refuses and an unknown one keep what older releases open', () => {
  const lines = [
    debug,
    'export KLAYTN_RPC_UNSAFE_DEBUG_DISABLE=1',
    'ADDITIONAL="--frob --overwrite-genesis"',
  ];
  expect(said(lines)).toContainEqual(
    expect.stringMatching(/^critical unsafe-debug: In releases klaytn v1\.5\.2 to v1\.9\.1: /),
  );
});
