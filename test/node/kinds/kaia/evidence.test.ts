import { expect, test } from 'vitest';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';

const { ofVersion, ofImage, ofPackage, ofClient, ofBuild, ofName, ofUses } = kaia.evidence;
const range = (value: string | null, since = value, until = since) => ({ value, since, until });
const formerly = range(null, 'klaytn/v1.5.0', 'kaia/v1.0.0');
const today = range(null, 'kaia/v1.0.1', 'kaia/v2.2.1');

test.each([
  ['v1.12.1', range('klaytn/v1.12.1')],
  ['1.8.4', range('klaytn/v1.8.4')],
  ['v1.0.0', range('kaia/v1.0.0')],
  ['v0.9.2', range('kaia/v0.9.2')],
  ['kaia/v1.0.3', range('kaia/v1.0.3')],
  ['v2.2.1+0123456789', range('kaia/v2.2.1')],
  ['v1.8.1-alpine', range('klaytn/v1.8.1')],
  ['v1.9.0-rc.2', range('klaytn/v1.9.0')],
  ['v0.9.1', range('kaia/v0.9.1', 'kaia/v0.9.0', 'kaia/v0.9.2')],
  ['v2.3.0', range('kaia/v2.3.0', 'kaia/v2.2.1')],
  ['v1.4.2', range('klaytn/v1.4.2', 'klaytn/v1.5.0')],
  ['klaytn/v1.0.0', range('klaytn/v1.0.0', 'klaytn/v1.5.0')],
  ['v1.13.0', range('klaytn/v1.13.0', 'klaytn/v1.12.1')],
  ['latest', null],
  ['', null],
  ['v1.8', range(null, 'klaytn/v1.8.0', 'klaytn/v1.8.4')],
])('version %s', (text, expected) => expect(ofVersion(text)).toEqual(expected));

test.each([
  ['klaytn/klaytn:v1.8.1', range('klaytn/v1.8.1')],
  ['docker.io/klaytn/klaytn:v1.0.0', range('kaia/v1.0.0')],
  ['registry.example:5000/mirror/kaiachain/kaia:v2.0.2', range('kaia/v2.0.2')],
  [`kaiachain/kaia:v1.0.3@sha256:${'0'.repeat(64)}`, range('kaia/v1.0.3')],
  ['klaytn/klaytn:latest', formerly],
  ['klaytn/klaytn', formerly],
  ['kaiachain/kaia:dev', today],
  [`kaiachain/kaia@sha256:${'0'.repeat(64)}`, today],
  ['example/kaia:v1.0.3', null],
  ['kaiachain/kaia-explorer:v1.0.3', null],
])('image %s', (image, expected) => expect(ofImage(image)).toEqual(expected));

test.each([
  ['/opt/kend-v1.8.1-linux-amd64/conf/kend.conf', range('klaytn/v1.8.1')],
  ['kcnd_baobab-v1.10.0-0.el7.x86_64.rpm', range('klaytn/v1.10.0')],
  ['/srv/ken-v2.1.0/bin/ken', range('kaia/v2.1.0')],
  ['/opt/kend-linux-amd64/conf/kend.conf', null],
  ['/etc/kend/conf/kend.conf', null],
])('package %s', (path, expected) => expect(ofPackage(path)).toEqual(expected));

test.each([
  ['Klaytn/v2.2.1/linux-amd64/go1.25.3', range('kaia/v2.2.1')],
  ['Klaytn/en-1/v1.8.4+0123456789/linux-amd64/go1.15.7', range('klaytn/v1.8.4')],
  ['Klaytn/v9.9.9/v1.0.3/linux-amd64/go1.22.1', range('kaia/v1.0.3')],
  ['Klaytn/v2.2.1', null],
  ['Geth/x', null],
])('client %s', (client, expected) => expect(ofClient(client)).toEqual(expected));

test('build information', () => {
  const build = { path: 'github.com/kaiachain/kaia/cmd/ken', module: null, version: null, tag: null };
  expect(ofBuild(build)).toEqual(today);
  expect(ofBuild({ ...build, tag: 'v1.0.2' })).toEqual(range('kaia/v1.0.2'));
  for (const version of ['v1.12.2-0.20260211021504-c26bba73a1b2', 'v0.0.0-20260211021504-c26bba73a1b2+dirty'])
    expect(ofBuild({ ...build, version })).toEqual(today);
  expect(ofBuild({ ...build, version: 'v2.1.0+incompatible' })).toEqual(range('kaia/v2.1.0'));
  expect(ofBuild({ ...build, module: 'github.com/klaytn/klaytn', version: '(devel)' })).toEqual(formerly);
  expect(ofBuild({ ...build, module: 'github.com/ethereum/go-ethereum' })).toBeNull();
});

test.each<
  [
    path: string,
    module: string | null,
    tag: string | null,
    range: ReturnType<typeof range> | null,
    program: string | null,
  ]
>([
  ['github.com/klaytn/klaytn/cmd/kcn', null, null, formerly, 'kcn'],
  ['github.com/klaytn/klaytn', null, null, formerly, null],
  ['github.com/kaiachain/kaia/cmd/kscn', null, 'v1.0.3', range('kaia/v1.0.3'), 'kscn'],
  ['github.com/kaiachain/kaia/cmd/homi', null, null, today, null],
  ['github.com/kaiachain/kaia/cmd/ken/x', null, null, today, null],
  ['github.com/kaiachain/kaiax/cmd/ken', null, null, null, null],
  ['github.com/klaytn/klaytnx/cmd/ken', null, null, null, null],
  ['x.example/github.com/kaiachain/kaia/cmd/ken', null, null, null, null],
  ['x.example/github.com/klaytn/klaytn/cmd/ken', null, null, null, null],
  ['command-line-arguments', 'github.com/klaytn/klaytn', null, formerly, null],
  ['github.com/klaytn/klaytn/cmd/ken', 'github.com/kaiachain/kaia', null, today, 'ken'],
])(
  'the build of %s in the module %s with the tag %s is of %j, and of the program %s',
  (path, module, tag, expected, program) => {
    const build = { path, module, version: null, tag };
    expect(ofBuild(build)).toEqual(expected);
    expect(kaia.programOfBuild(build)).toBe(program);
  },
);

test.each([
  ['KAIA_RPC', range(null, 'kaia/v0.9.0', 'kaia/v2.2.1')],
  ['kaia', range(null, 'kaia/v0.9.0', 'kaia/v2.2.1')],
  ['klay', null],
  ['MY_KAIA_RPC', null],
  ['kaiax', null],
  ['xkaia', null],
])('the name %s', (name, expected) => expect(ofName(name)).toEqual(expected));

test.each([
  [['NETWORK=mainnet'], range(null, 'kaia/v0.9.0', 'kaia/v2.2.1')],
  [['NETWORK=kairos'], range(null, 'kaia/v1.0.1', 'kaia/v2.2.1')],
  [['NETWORK=cypress'], null],
  [['NETWORK=mainnet', 'NETWORK_ID=1'], null],
  [[], null],
])('the variables %j', (names, expected) => {
  expect(ofUses(new Map(names.map((one) => one.split('=') as [string, string])))).toEqual(expected);
});
