/** Which release of geth a version, an image, an answer or a build tells. */
import { expect, test } from 'vitest';
import type { ReleaseRange } from '../../../../src/node/facts/release.js';
import { bscFlavour, gethFlavour, opFlavour } from '../../../../src/node/kinds/geth/flavours.js';
import { bsc, geth, kindsOf, opGeth } from '../../../../src/node/kinds/geth/index.js';

const { evidence } = geth;
const program = 'github.com/ethereum/go-ethereum/cmd/geth';
const read: Readonly<Record<string, (text: string) => ReleaseRange | null>> = {
  version: evidence.ofVersion,
  image: evidence.ofImage,
  answer: evidence.ofClient,
  build: (tag) => evidence.ofBuild({ path: program, module: null, version: null, tag }),
  'build of a fork': (tag) => evidence.ofBuild({ path: 'example.com/x', module: null, version: null, tag }),
};

test.each([
  ['version', 'v1.17.0', 'geth/v1.17.0', 'geth/v1.17.0', 'geth/v1.17.0'],
  ['version', '1.9.0', 'geth/v1.9.0', 'geth/v1.9.0', 'geth/v1.9.0'],
  ['version', 'v0.1.0', 'geth/v0.1.0', 'geth/v1.5.0', 'geth/v1.5.0'],
  ['version', 'v1.9', null, 'geth/v1.9.0', 'geth/v1.9.25'],
  ['image', 'ethereum/client-go:v1.9.0', 'geth/v1.9.0', 'geth/v1.9.0', 'geth/v1.9.0'],
  ['image', 'ethereum/client-go:alltools-release-1.9', null, 'geth/v1.9.0', 'geth/v1.9.25'],
  ['answer', 'Geth/v1.17.8-stable/linux-amd64/go1.25', 'geth/v1.17.8', 'geth/v1.17.8', 'geth/v1.17.8'],
  ['build', 'v1.17.8', 'geth/v1.17.8', 'geth/v1.17.8', 'geth/v1.17.8'],
])('the %s %s tells %s, from %s to %s', (by, text, value, since, until) => {
  expect(read[by]?.(text)).toEqual({ value, since, until });
});

test.each([
  ['version', 'v9.9'],
  ['version', 'latest'],
  ['image', 'ethereum/client-go:stable'],
  ['image', 'example/other:v1.9.0'],
  ['answer', 'Geth/v1.7.8/linux-amd64/go1.25'],
  ['answer', 'Other/v1.17.8/linux-amd64/go1.25'],
  ['build', 'v1.7.8'],
  ['build of a fork', 'v1.17.8'],
])('the %s %s tells no release', (by, text) => {
  expect(read[by]?.(text)).toBeNull();
});

/** `value since until`, `-` for no value; one release for all three. */
const range = (text: string, product: string) => {
  const ids = text.split(' ').map((one) => (one === '-' ? null : `${product}/${one}`));
  const [value = null, since = value, until = since] = ids;
  return { value, since, until };
};

test.each([
  ['geth-linux-amd64-1.9.0-52f24617.tar.gz', 'v1.9.0'],
  ['curl https://x.example/builds/geth-alltools-linux-arm7-1.8.27-4bcc0a37.tar.gz', 'v1.8.27'],
  ["'geth-windows-386-1.9.0.exe'", 'v1.9.0'],
  ['ethereum=1.9.25+build26351+bionic', 'v1.9.25'],
  ['geth=1.9.25+build1', 'v1.9.25'],
  ['my-ethereum=1.9.25+build1', null],
  ['xgeth-linux-amd64-1.9.0.tar.gz', null],
  ['geth-solaris-amd64-1.9.0', null],
  ['https://github.com/ethereum/go-ethereum/releases/download/v1.10.8/x', 'v1.10.8'],
  ['https://github.com/ethereum/go-ethereum/archive/refs/tags/v1.10.8.tar.gz', 'v1.10.8'],
  ['https://github.com/ethereum/go-ethereum/archive/1.10.8.zip', 'v1.10.8'],
  ['https://github.com/ethereum/go-ethereum.git@v1.10.8', 'v1.10.8'],
  ['github.com/ethereum/go-ethereum/cmd/geth@v1.10.8', 'v1.10.8'],
  ['https://github.com/ethereum/go-ethereum/tree/v1.10.8', 'v1.10.8'],
  ['https://github.com/ethereum/go-ethereum/blob/v1.10.8', null],
  ['https://github.com/bnb-chain/bsc/releases/download/v1.2.15/geth_linux', null],
  ['ethereum/client-go:v1.10.8', 'v1.10.8'],
  ['example/client-go:v1.10.8', null],
  ['geth-linux-amd64-9.9.9', 'v9.9.9 v1.17.8'],
  ['nothing', null],
])('the package %s is of %s', (path, expected) => {
  const found = kindsOf(gethFlavour).evidence.ofPackage(path);
  const newest = gethFlavour.releases.newest.tag;
  expect(found).toEqual(expected === null ? null : range(expected.replace('v1.17.8', newest), 'geth'));
});

test('releases in the repositories of forks are theirs', () => {
  const of = (kind: typeof geth, path: string) => kind.evidence.ofPackage(path)?.value ?? null;
  const bscRelease = 'https://github.com/bnb-chain/bsc/releases/download/v1.2.15/geth_linux';
  expect([bsc, geth, opGeth].map((kind) => of(kind, bscRelease))).toEqual(['bsc/v1.2.15', null, null]);
  expect(of(bsc, 'github.com/binance-chain/bsc/tree/v1.1.0')).toBe('bsc/v1.1.0');
  expect(of(opGeth, 'github.com/ethereum-optimism/op-geth@v1.101315.0')).toBe('op-geth/v1.101315.0');
});

test.each([
  ['geth', 'geth/v1.9.0', 'v1.9.0'],
  ['geth', 'geth v1.9.0-stable', 'v1.9.0'],
  ['geth', 'bsc/v1.2.15', null],
  ['bsc', 'bsc/v1.2.15', 'v1.2.15'],
  ['bsc', 'geth/v1.9.0', null],
  ['bsc', 'v1.2', '- v1.2.15'],
  ['bsc', 'v1.2.20', 'v1.2.20 v1.2.15 v1.3.13'],
  ['bsc', 'v0.9.0', 'v0.9.0 v1.0.0'],
  ['bsc', 'v2.0.0', 'v2.0.0 v1.7.8'],
  ['op-geth', 'v1.101315.1', 'v1.101315.1 v1.101315.0 v1.101411.0'],
  ['op-geth', 'v1.99999.9', null],
  ['op-geth', 'v1.100000.0', 'v1.100000.0 v1.101106.0'],
  ['geth', 'v1.9.0.1', null],
  ['geth', 'xv1.9.0', null],
  ['geth', '12345.1.1', null],
  ['geth', 'v01.09.00', 'v1.9.0'],
  ['geth', 'v1.4', null],
])('for %s the version %s is %s', (id, text, expected) => {
  const flavour = { geth: gethFlavour, bsc: bscFlavour, 'op-geth': opFlavour }[id] ?? gethFlavour;
  expect(kindsOf(flavour).evidence.ofVersion(text)).toEqual(expected === null ? null : range(expected, id));
});

test.each([
  ['geth', 'ethereumoptimism/l2geth:0.5.31', 'l2geth', 'v1.9.10 v1.9.10'],
  ['geth', 'my/boba-l2geth', 'l2geth', 'v1.9.10 v1.9.10'],
  ['geth', 'us.gcr.io/celo-org/geth:1.0.0', 'celo-blockchain', 'v1.9.10 v1.9.10'],
  ['geth', 'us.gcr.io/celo-org/geth:1.1.9', 'celo-blockchain', 'v1.9.10 v1.9.10'],
  ['geth', 'us.gcr.io/celo-org/geth:1.2.0', 'celo-blockchain', 'v1.9.10 v1.9.19'],
  ['geth', 'us.gcr.io/celo-org/geth:1.4', 'celo-blockchain', 'v1.9.19 v1.9.19'],
  ['geth', 'us.gcr.io/celo-org/geth:v1.8.9@sha256:00', 'celo-blockchain', 'v1.10.9 v1.10.9'],
  ['geth', 'us.gcr.io/celo-org/celo-node:latest', 'celo-blockchain', 'v1.9.10 v1.10.9'],
  ['geth', 'quorumengineering/quorum:2.2.1', 'quorum', 'v1.8.12 v1.8.12'],
  ['geth', 'quorumengineering/quorum:2.2.2', 'quorum', 'v1.8.18 v1.8.18'],
  ['geth', 'quorumengineering/quorum:21.1.0', 'quorum', 'v1.9.7 v1.9.20'],
  ['geth', 'consensys/quorum:22', 'quorum', 'v1.9.20 v1.10.3'],
  ['geth', 'quorum:23.4.0', 'quorum', 'v1.10.3 v1.10.3'],
  ['op-geth', 'ghcr.io/bnb-chain/op-geth:v0.5.0', 'op-bnb', 'v1.101106.0 v1.101702.3'],
  ['op-geth', 'mantlenetworkio/op-geth', 'Mantle’s op-geth', 'v1.101106.0 v1.101702.3'],
])('for %s the image %s is of %s, from %s', (id, image, fork, expected) => {
  const [since, until] = expected.split(' ').map((tag) => `${id}/${tag}`);
  const flavour = id === 'geth' ? gethFlavour : opFlavour;
  expect(kindsOf(flavour).evidence.ofImage(image)).toEqual({ value: null, since, until, fork });
});

test.each([
  ['ethereum/client-go:alltools-v1.9.0', 'geth/v1.9.0'],
  ['ethereum/client-go:stable-v1.9.0', 'geth/v1.9.0'],
  ['registry.example:5000/ethereum/client-go', null],
  ['registry.example:5000/ethereum/client-go:v1.9.0', 'geth/v1.9.0'],
  ['ethereum/client-gox:v1.9.0', null],
  ['my/geth:v1.9.0', 'geth/v1.9.0'],
  ['my/geth-exporter:v1.9.0', null],
  ['celo-org/geth-all:v1.9.0', null],
])('the image %s is of %s', (image, value) => {
  expect(kindsOf(gethFlavour).evidence.ofImage(image)?.value ?? null).toBe(value);
});

test.each([
  ['Geth/v1.8.27-stable/linux-amd64/go1.13', null],
  ['Geth/my-node/v1.9.0/linux-amd64/go1.25', 'geth/v1.9.0'],
  ['Geth/v1.9.0', null],
])('the answer %s tells %s', (client, value) => {
  expect(kindsOf(gethFlavour).evidence.ofClient(client)?.value ?? null).toBe(value);
});

test('a build tells the release of geth by its tag or its version, from v1.9.0 on', () => {
  const { ofBuild, ofName, ofUses } = kindsOf(gethFlavour).evidence;
  const build = { path: program, module: null, version: null, tag: null };
  expect(ofBuild({ ...build, version: 'v1.10.8' })?.value).toBe('geth/v1.10.8');
  expect(ofBuild({ ...build, version: 'v1.10.8', tag: 'v1.10.9' })?.value).toBe('geth/v1.10.9');
  expect([ofBuild({ ...build, version: 'v1.8.27' }), ofBuild(build)]).toEqual([null, null]);
  expect(ofBuild({ ...build, version: 'v1.9.0' })?.value).toBe('geth/v1.9.0');
  for (const version of ['v1.7.8', 'v1.10.8'])
    expect(kindsOf(bscFlavour).evidence.ofBuild({ ...build, version })).toBeNull();
  expect([ofName('GETH_HTTP'), ofUses(new Map([['NETWORK', 'mainnet']]))]).toEqual([null, null]);
});

test.each<[kind: string, client: string, expected: boolean]>([
  ['geth', 'Geth/v1.17.8-stable/linux', true],
  ['geth', 'Geth/v1.101702.3/linux', false],
  ['op-geth', 'Geth/v1.101702.3/linux', true],
  ['op-geth', 'Geth/v1.17.8/linux', false],
  ['bsc', 'Geth/v1.7.8/linux', false],
  ['geth', 'MyGeth/v1.17.8', false],
])('%s is named by %s: %s', (id, client, expected) => {
  const flavour = { geth: gethFlavour, bsc: bscFlavour, 'op-geth': opFlavour }[id] ?? gethFlavour;
  const { identity, secrets, probes } = kindsOf(flavour);
  expect(identity.client.test(client)).toBe(expected);
  expect(identity.ownModules.includes('parlia')).toBe(id === 'bsc');
  expect(secrets.map((one) => `${one.flag} ${one.inDataFolder} ${one.isFolder}`)).toEqual([
    'password null false',
    'nodekey geth/nodekey false',
    'keystore keystore true',
    'authrpc.jwtsecret geth/jwtsecret false',
  ]);
  expect(probes.accounts).toEqual([{ module: 'eth', method: 'eth_accounts' }]);
});

test.each<
  [kind: string, sign: 'name' | 'flag' | 'variable' | 'otherProgram', text: string, expected: boolean]
>([
  ['geth', 'name', 'exec geth --http', true],
  ['geth', 'name', 'X=1\ngeth', true],
  ['geth', 'name', 'together', false],
  ['geth', 'name', 'geth-exporter', false],
  ['geth', 'name', 'op-geth', false],
  ['geth', 'name', 'ethereum/client-go:v1', true],
  ['op-geth', 'name', 'op-geth', true],
  ['geth', 'flag', '--http.api', true],
  ['geth', 'flag', '--ws.origins', true],
  ['geth', 'flag', '--http.port', false],
  ['geth', 'variable', 'GETH_HTTP', true],
  ['geth', 'variable', 'GETH_', false],
  ['geth', 'variable', 'MY_GETH_HTTP', false],
  ['geth', 'otherProgram', 'exec reth node', true],
  ['geth', 'otherProgram', 'geth', false],
])('for %s the sign of a %s is in %j: %s', (id, sign, text, expected) => {
  const flavour = id === 'geth' ? gethFlavour : opFlavour;
  expect(kindsOf(flavour).signs[sign].test(text)).toBe(expected);
});
