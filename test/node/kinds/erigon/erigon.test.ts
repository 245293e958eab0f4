/** How erigon is recognised, its releases, and what changes between them. */
import { expect, test } from 'vitest';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { kinds } from '../../../../src/node/kinds/all.js';
import { erigon } from '../../../../src/node/kinds/erigon/index.js';
import { starterOfProcess, starterOfProgram } from '../../../../src/node/kinds/find.js';

test.each([
  ['erigon --http', 'erigon'],
  ['/usr/local/bin/erigon', 'erigon'],
  ['erigon --datadir /d', 'erigon'],
  ['bsc-erigon --chain bsc', 'erigon'],
  ['cdk-erigon --config=/e.yaml', 'erigon'],
  ['rpcdaemon --private.api.addr=erigon:9090', 'rpcdaemon'],
  ['erigon init --datadir /d /genesis.json', null],
  ['erigon --datadir /d init /genesis.json', null],
  ['erigon snapshots retire', null],
  ['erigon seg ls', null],
  ['erigon import chain.rlp', null],
  ['erigon support --debug.addrs x', null],
  ['sentry --sentry.api.addr=0.0.0.0:9091', null],
])('%s starts %s', (line, launcher) => {
  const argv = line.split(' ');
  expect(starterOfProcess(kinds, { argv, build: notSeen('not-asked', '') })?.launcher ?? null).toBe(launcher);
});

test.each([
  ['github.com/erigontech/erigon/cmd/erigon', 'erigon'],
  ['github.com/ledgerwatch/erigon/cmd/rpcdaemon', 'rpcdaemon'],
  ['github.com/ledgerwatch/erigon/v2/cmd/erigon', 'erigon'],
  ['github.com/erigontech/erigon/cmd/downloader', null],
])('the build %s runs %s, whatever its file is called', (path, launcher) => {
  const build = seen({ path, module: null, version: 'v3.0.4', tag: null });
  expect(starterOfProcess(kinds, { argv: ['./node', '--http'], build })?.launcher ?? null).toBe(launcher);
  expect(erigon.evidence.ofBuild(build.value)?.since ?? null).toBe(launcher === null ? null : 'erigon/v3.0');
});

test('the programs of other kinds are none of its own', () => {
  expect(['geth', 'ken', 'reth', 'downloader'].map((one) => erigon.launcherOf(one))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(starterOfProgram([erigon], 'op-erigon')?.launcher).toBe('erigon');
});

const { ofImage, ofVersion, ofClient, ofPackage } = erigon.evidence;
const rangeOf = (range: ReturnType<typeof ofImage>) =>
  range === null
    ? null
    : `${range.value ?? '-'} ${range.since}..${range.until}${range.fork === undefined ? '' : ` ${range.fork}`}`.replaceAll(
        'erigon/',
        '',
      );

test.each([
  ['erigontech/erigon:v3.0.4', 'v3.0.4 v3.0..v3.0'],
  ['docker.io/erigontech/erigon:v3.1.2@sha256:ab', 'v3.1.2 v3.0..v3.3'],
  ['erigontech/erigon:v3.0.0-alpha7', 'v3.0.0 v3.0..v3.0'],
  ['thorax/erigon:v2.60.10', 'v2.60.10 v2.60..v2.60'],
  ['thorax/erigon:2.40.1', 'v2.40.1 v2.48..v2.48'],
  ['thorax/erigon:v2022.08.02', 'v2022.08.02 v2.48..v2.48'],
  ['erigontech/erigon:v4.1.0', 'v4.1.0 v3.7..v3.7'],
  ['erigontech/erigon:release-3.3', '- v3.3..v3.3'],
  ['erigontech/erigon:latest', null],
  ['testinprod/op-erigon:v2.61.3-0.9.2', '- v2.60..v3.0 op-erigon'],
  ['hermeznetwork/cdk-erigon:v2.61.19', '- v2.48..v3.7 cdk-erigon'],
  ['ghcr.io/node-real/bsc-erigon:1.2.10', '- v2.48..v3.7 bsc-erigon'],
  ['ethereum/client-go:v1.13.14', null],
])('the image %s is of the releases %s', (image, expected) => {
  expect(rangeOf(ofImage(image))).toBe(expected);
});

test.each([
  ['erigon/3.0.14/linux-amd64/go1.23.11', 'v3.0.14 v3.0..v3.0'],
  ['erigon/v3.5.1/linux-arm64/go1.25', 'v3.5.1 v3.5..v3.5'],
  ['Geth/v1.13.14', null],
])('the answer %s is that of %s', (client, expected) => {
  expect(rangeOf(ofClient(client))).toBe(expected);
  expect(erigon.identity.client.test(client)).toBe(expected !== null);
});

test.each([
  [
    'https://github.com/erigontech/erigon/releases/download/v3.0.5/erigon_v3.0.5_linux_amd64.tar.gz',
    'v3.0.5 v3.0..v3.0',
  ],
  ['/opt/erigon_2.60.8_linux_amd64/erigon', 'v2.60.8 v2.60..v2.60'],
  ['erigontech/erigon:v3.4.2', 'v3.4.2 v3.4..v3.4'],
  ['/opt/erigon', null],
])('the path %s is of %s', (path, expected) => {
  expect(rangeOf(ofPackage(path))).toBe(expected);
});

test('a version is one of a series', () => {
  expect(['v3.4', 'erigon/v3.4.1', '3', 'x'].map((text) => rangeOf(ofVersion(text)))).toEqual([
    '- v3.4..v3.4',
    'v3.4.1 v3.4..v3.4',
    null,
    null,
  ]);
});

test.each<[names: string, starts: string]>([
  ['datadir', ''],
  ['debug', 'v3.4'],
  ['private.api.addr', 'v3.4'],
  ['testing', 'v3.4'],
  ['prune', 'v3.0'],
  ['prune.mode', 'v3.0'],
  ['ws', 'v2.60'],
  ['metrics', 'v2.60'],
  ['v5disc', 'v3.3'],
  ['ws socket.url', 'v2.60 v3.7'],
])('settings with %s change their meaning with %s', (names, starts) => {
  const uses = new Map(names.split(' ').map((name) => [name, null]));
  const parts = erigon.parts('erigon/v2.48', 'erigon/v3.7', uses);
  expect(
    parts
      .slice(1)
      .map(({ since }) => since.replace('erigon/', ''))
      .join(' '),
  ).toBe(starts);
  expect(parts.at(-1)?.until).toBe('erigon/v3.7');
});

test.each([
  ['v3.3', 'high', 'limit the memory'],
  ['v3.4', 'critical', 'rewind the chain'],
])('debug of %s is %s: it can %s', (tag, severity, does) => {
  const { catalogue } = erigon.at(`erigon/${tag}`).modules;
  expect(catalogue.debug).toMatchObject({ severity, does: expect.stringMatching(`^${does}`) });
  expect(catalogue.admin?.severity).toBe('high');
});

test('only its fork has the module of a rollup', () => {
  expect(Object.hasOwn(erigon.modules.catalogue, 'zkevm')).toBe(false);
  expect(Object.hasOwn(erigon.at('erigon/v3.7', 'cdk-erigon').modules.catalogue, 'zkevm')).toBe(true);
});

test('a release that is not known is a defect', () => {
  expect(() => erigon.at('erigon/v9.9')).toThrow('not a release');
});

test('both programs have their own flags, with the defaults of the program', () => {
  const of = (program: string, flag: string) => erigon.flags.of(program).defaults[flag]?.value;
  expect([of('erigon', 'http'), of('erigon', 'http.enabled'), of('erigon', 'ws')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([of('rpcdaemon', 'http'), of('rpcdaemon', 'grpc.port')]).toEqual([undefined, 8547]);
  expect([erigon.flags.of('erigon').byName.has('grpc'), erigon.flags.ofAnyProgram('grpc')?.name]).toEqual([
    false,
    'grpc',
  ]);
  expect(erigon.flags.period('mcp.addr')).toEqual({ since: 'erigon/v3.4' });
  expect(erigon.flags.period('prune')).toEqual({ until: 'erigon/v2.60' });
  expect(erigon.flags.period('nothing')).toBeNull();
});
