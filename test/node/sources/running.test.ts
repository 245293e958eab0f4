/** What a running node was started with, read as settings. */
import { expect, test } from 'vitest';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { running } from '../../../src/node/sources/running.js';
import { told } from './told.js';

const environment = seen({ KAIA_WS: 'true', KAIA_RPCAPI: 'eth,admin' });

function read(argv: readonly string[], variables: Parameters<typeof running>[1]['environment'] = seen({})) {
  const found = running(kinds, { pid: 7, argv, environment: variables });
  return found === null
    ? null
    : told({ nodes: [{ name: null, conf: found.conf }], unfollowed: [], problems: [], notes: [] });
}

test('flags are written one on each line with their values, and variables below', () => {
  const argv = ['/opt/bin/ken', '--rpc', '--identity', 'a b', '--rpcport=1', '-ws=false'];
  const found = running(kinds, { pid: 7, argv, environment });
  expect(found?.conf.settings.source).toEqual({
    kind: 'process',
    path: 'pid 7',
    lines: ['--rpc', '--identity a b', '--rpcport=1', '-ws=false', 'KAIA_WS=true', 'KAIA_RPCAPI=eth,admin'],
    comments: [],
    multiline: [],
    file: null,
  });
  expect(read(argv, environment)).toBe(`node
  kend by launch, tar by launch, of process pid 7
  at 1:1-1
  words --rpc@1:1-6 --identity@2:1-11 a b@2:12-15 --rpcport=1@3:1-12 -ws=false@4:1-10
  rpc = true command line --rpc 1:1-6
  rpcport = 1 command line --rpcport 3:1-12, over 8551 by default
  rpcapi = "eth,admin" environment KAIA_RPCAPI 6:13-22
  ws = false command line --ws 4:1-10, over true environment KAIA_WS 5:9-13
  identity = "a b" command line --identity 2:12-15
  http on 127.0.0.1:1; listed eth@6:13-16,admin@6:17-22; offers admin,eth,rpc; origins ; vhosts localhost
  ipc on ?:?; offers admin,debug,eth,governance,istanbul,kaia,net,personal,rpc,txpool,web3
`);
});

test('variables alone, a word before the flags and an empty command line are read', () => {
  expect(read(['ken'], environment)).toContain('ws = true environment KAIA_WS 1:9-13');
  const notThere = notSeen('refused', 'it is another user’s');
  expect(read(['kcn', './wrapper', '--ws'], notThere)).toContain('kcnd by launch');
  expect(read(['kcn', './wrapper', '--ws'], notThere)).toContain('  words --ws@1:1-5\n');
  expect(read(['kpn', './wrapper'])).toContain('  words\n');
});

test.each([
  [[]],
  [['bash', '--rpc']],
  [['ken', 'attach']],
  [['ken', '--datadir', '/d', 'init', 'g.json']],
  [['/opt/kend']],
  [['']],
])('%j runs no node', (argv) => {
  expect(running(kinds, { pid: 1, argv, environment })).toBeNull();
});

test.each<[string[], number[] | null]>([
  [['ken'], [32323, 32324]],
  [
    ['ken', '--port', '1', '--subport=2'],
    [1, 2],
  ],
  [['ken', '--port', '18446744073709551615'], null],
  [['ken', '--conf', '/x'], null],
  [['ken', '--conf', '/x', '--port', '1'], null],
  [['kbn'], []],
])('%j speaks to its peers on %j', (argv, ports) => {
  expect(running(kinds, { pid: 1, argv, environment: seen({}) })?.peerPorts).toEqual(ports);
});
