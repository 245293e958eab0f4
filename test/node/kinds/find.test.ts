import { expect, test } from 'vitest';
import { seen } from '../../../src/node/facts/seen.js';
import {
  confPaths,
  kindsOfImage,
  readerOfConf,
  selectScripted,
  starterOfProcess,
  starterOfProgram,
} from '../../../src/node/kinds/find.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { launchers, packages } from '../../../src/node/kinds/names.js';
import { policies } from '../../../src/node/kinds/policies.js';
import { scriptedKinds } from '../../../src/node/kinds/scripted.js';

const named = (starter: ReturnType<typeof starterOfProgram>) =>
  starter === null ? null : `${starter.kind.id} ${starter.launcher}`;

test.each([
  ['ken', '', 'kaia kend'],
  ['kbn', '', 'kaia kbnd'],
  ['geth', '', 'geth geth'],
  ['geth', '--http --parlia.x', 'geth geth'],
  ['geth', '--http --bsc', 'geth geth'],
  ['geth', '--pruneancient --multidatabase', 'bsc geth'],
  ['op-geth', '', 'op-geth geth'],
  ['reth', 'node', 'reth reth'],
  ['tempo-reth', 'node', 'reth reth'],
  ['base-reth-node', 'node', 'op-reth op-reth'],
  ['erigone', '', null],
])('the program %s with the words “%s” is %s', (program, words, expected) => {
  expect(named(starterOfProgram(kinds, program, words.split(' ')))).toBe(expected);
});

test.each([
  ['kaiachain/kaia:v2.2.1', 'kaia'],
  ['ethereum/client-go', 'geth'],
  ['example/other', 'all'],
])('a container of %s starts %s first, and may start every kind', (image, expected) => {
  const ids = kindsOfImage(kinds, image).map(({ id }) => id);
  const every = kinds.map(({ id }) => id);
  expect(ids[0]).toBe(expected === 'all' ? every[0] : expected);
  expect(ids.toSorted()).toEqual(every.toSorted());
});

const build = (path: string) => seen({ path, module: null, version: null, tag: null });

test.each([
  [['/usr/bin/ken', '--rpc'], null, 'kaia kend by name'],
  [['/usr/bin/ken', 'attach'], null, null],
  [['/opt/node', '--http'], null, null],
  [['/opt/node', '--http'], 'github.com/ethereum/go-ethereum/cmd/geth', 'geth geth by build'],
  [['/usr/bin/geth', '--http'], 'example.com/x', 'geth geth by name'],
  [[], null, null],
  [['/opt/erigon-v3.1.0', '--http'], null, 'erigon erigon by name'],
  [['/opt/erigon_3.1.0_linux_amd64', '--http'], null, 'erigon erigon by name'],
  [['/opt/erigon-linux', '--http'], null, null],
  [['/opt/ken-v2.2.1', '--rpc'], null, 'kaia kend by name'],
  [['/opt/node', '--private.api.addr=0.0.0.0:9090'], null, 'erigon erigon by flags'],
  [['/opt/node', '--private.api.addr=0.0.0.0:9090'], 'example.com/x', 'erigon erigon by flags'],
  [['/opt/node', '--private.api.addrx=0.0.0.0:9090'], null, null],
  [['/opt/node', 'init', '--private.api.addr=0.0.0.0:9090'], null, null],
  [['/opt/nethermind', '--private.api.addr=0.0.0.0:9090'], null, null],
  [['/opt/node', '--JsonRpc.Enabled', '--private.api.addr=0.0.0.0:9090'], null, null],
  // A flag that other kinds have too, and one of a kind that scripts start.
  [['/opt/node', '--http.api=admin', '--db.size.limit', '1'], null, 'erigon erigon by flags'],
  [['/opt/node', '--http.api=admin', '--syncmode', 'full'], null, null],
  [['/opt/node', '--rpc.unsafe-debug.disable'], null, null],
])('the process %j of the build %s is %s', (argv, path, expected) => {
  const starter = starterOfProcess(kinds, { argv, ...(path === null ? {} : { build: build(path) }) });
  expect(starter === null ? null : `${named(starter)} by ${starter.by}`).toBe(expected);
});

test('confs belong to launchers, which some kinds have', () => {
  expect(selectScripted(kinds).map(({ id }) => id)).toEqual(['kaia']);
  expect(named(readerOfConf(kinds, '/etc/kend/conf/kend.conf'))).toBe('kaia kend');
  expect(readerOfConf(kinds, '/etc/nginx/nginx.conf')).toBeNull();
  const paths = confPaths(kinds);
  expect(paths).toContain('/etc/kend/conf/kend.conf');
  expect(paths.length).toBe(new Set(paths).size);
  expect(paths.every((path) => readerOfConf(kinds, path) !== null)).toBe(true);
});

test('what is loaded without the kinds says the same as the kinds', () => {
  const all = kinds.flatMap((kind) => kind.launchers ?? []);
  expect(scriptedKinds).toEqual(kinds.filter((kind) => kind.launchers !== null));
  expect(launchers).toEqual(all.flatMap(({ names }) => names));
  expect(packages).toEqual([...new Set(all.flatMap((one) => one.packages))]);
  expect(policies).toEqual(Object.assign({}, ...kinds.map((kind) => kind.policies)));
});
