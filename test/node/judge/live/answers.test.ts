/** What an endpoint answered, what it lists and does not offer, and why something of it was not seen. */
import { describe, expect, test } from 'vitest';
import type { EndpointFacts } from '../../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../../src/node/facts/seen.js';
import { isAccessOpen, isOpen, modulesOf, unlistedModules } from '../../../../src/node/judge/live/answers.js';
import {
  factBlindSpots,
  grpcBlindSpots,
  reachBlindSpot,
  socketBlindSpot,
  unlistedBlindSpots,
} from '../../../../src/node/judge/live/blind-spots.js';
import type { LiveEndpoint } from '../../../../src/node/judge/live/interfaces.js';
import { type Live, liveOf } from '../../../../src/node/judge/live/live.js';
import { notOffered, refutedModules } from '../../../../src/node/judge/live/module-differences.js';
import { badNode, quietEndpoint } from '../../../../src/node/judge/rule/examples.js';
import { namesListed, presumedModules } from '../../../../src/node/judge/settings/module-lists.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { withKind } from '../../../../src/node/kinds/node.js';
import { readConf } from '../../editables.js';

const kaiaEndpoint = { ...quietEndpoint, nodeKind: kaia };

const late = notSeen('timeout', 'no answer within 2 s');
const left = notSeen('left-out', 'not asked (--probe none)');
const [present, absent] = [seen('present' as const), seen('absent' as const)];
const conf = (...lines: string[]) =>
  withKind(
    kinds,
    readConf('kend.conf', Buffer.from(`${lines.join('\n')}\nNETWORK=mainnet\nDATA_DIR=/srv/kend\n`)).settings,
  );
const listing = conf('RPC_ENABLE=1', 'RPC_API="klay,eth,personal,admin,admin"');

function nodeOf(change: Partial<EndpointFacts>, live: object = {}, settings = listing): Live {
  const example = badNode('', change, settings, live);
  if (!('facts' in example)) throw new Error('not a live example');
  return liveOf(example.facts, kinds) as Live;
}
const endpointOf = (change: Partial<EndpointFacts>) => nodeOf(change).endpoints[0] as LiveEndpoint;

test('an interface that answered is open; an access check is open only when it was seen open', () => {
  expect([isOpen(kaiaEndpoint), isOpen({ ...kaiaEndpoint, latencyMs: null })]).toEqual([true, false]);
  const all: Seen<'open' | 'closed'>[] = [seen('open'), seen('closed'), late];
  expect(all.map(isAccessOpen)).toEqual([true, false, false]);
});

test('modules are listed once, sorted and under current names; unseen modules are no empty list', () => {
  const both = seen({ web3: '1.0', klay: '1.0', kaia: '1.0', eth: '1.0' });
  expect(modulesOf({ ...kaiaEndpoint, modules: both })).toEqual(['eth', 'kaia', 'web3']);
  expect(modulesOf({ ...kaiaEndpoint, modules: late })).toBeNull();
});

test.each<[string, Partial<EndpointFacts>, string[]]>([
  ['answers', { methods: { txpool_status: present, admin_peers: present } }, ['admin', 'txpool']],
  ['answers twice', { methods: { admin_peers: present, admin_nodeInfo: present } }, ['admin']],
  ['is listed', { methods: { eth_chainId: present } }, []],
  ['is absent', { methods: { admin_peers: absent } }, []],
  ['is late', { methods: { admin_peers: late } }, []],
  ['answers where no list was seen', { modules: late, methods: { eth_chainId: present } }, ['eth']],
])('unlisted modules are reported: what %s', (_what, change, names) => {
  expect(unlistedModules({ ...kaiaEndpoint, ...change })).toEqual(names);
});

test('lists each module once, under its current name', () => {
  expect(namesListed({ nodeKind: kaia }, listing.listeners.find(({ kind }) => kind === 'http')!)).toEqual([
    'kaia',
    'eth',
    'personal',
    'admin',
  ]);
});

test.each<[string, Partial<EndpointFacts>, string[]]>([
  ['not in rpc_modules', {}, ['http personal', 'http admin']],
  ['absent when asked', { methods: { admin_peers: absent } }, ['http personal', 'http admin']],
  ['present when asked', { methods: { admin_peers: present } }, ['http personal']],
  ['late when asked', { methods: { admin_peers: late } }, ['http personal']],
  ['of a list not seen', { modules: late }, []],
])('not offered: %s', (_what, change, names) => {
  expect(refutedModules(endpointOf(change))).toEqual(names);
});

test('nothing is missing of an interface that the settings keep off or do not name', () => {
  const off = nodeOf({}, {}, conf('RPC_ENABLE=0', 'RPC_API="personal"')).endpoints[0] as LiveEndpoint;
  expect(notOffered(off)).toEqual([]);
  expect(notOffered({ ...off, listener: null })).toEqual([]);
});

test('modules of a validator count as likely offered when the node may be a validator', () => {
  const settings = conf('RPC_ENABLE=1', 'RPC_API="klay,auction,personal,nonsense"');
  const http = settings.listeners.find(({ kind }) => kind === 'http')!;
  const listener = { ...http, modules: ['kaia', 'personal'] };
  expect(presumedModules({ ...settings, role: 'cn' }, listener)).toEqual(['kaia', 'personal', 'auction']);
  expect(presumedModules({ ...settings, role: 'en', by: 'name' as const }, listener)).toEqual([
    'kaia',
    'personal',
  ]);
  expect(presumedModules(settings, { ...listener, modules: null })).toEqual(['kaia', 'personal']);
});

describe('blind spots', () => {
  const reasons = (all: readonly { about: string | null; reason: string }[]) =>
    all.map(({ about, reason }) => `${about}: ${reason}`);
  const name = 'http://127.0.0.1:8551';

  test.each<[string, Partial<EndpointFacts>, string[]]>([
    ['all was seen', { methods: { admin_peers: present } }, []],
    [
      'one answer was late',
      { methods: { admin_peers: present, txpool_status: late } },
      [`${name}: ${late.detail}`],
    ],
    [
      'nothing proves an absence',
      { calibrated: late, methods: { admin_peers: absent } },
      [`${name}: ${late.detail}`],
    ],
    ['nobody asked for it', { calibrated: left, methods: { admin_peers: late } }, []],
    ['it did not answer at all', { latencyMs: null, calibrated: late }, []],
  ])('beyond the list: %s', (_what, change, expected) => {
    expect(reasons(unlistedBlindSpots(endpointOf(change)))).toEqual(expected);
  });

  test('of a fact that was not seen', () => {
    expect(reasons(factBlindSpots(endpointOf({ modules: late }), 'modules'))).toEqual([
      `${name}: ${late.detail}`,
    ]);
    expect(factBlindSpots(endpointOf({}), 'modules')).toEqual([]);
  });

  test.each<[string, Seen<'open'>, number]>([
    ['listens', seen('open'), 0],
    ['is late', late, 1],
    ['was not asked for', left, 0],
  ])('of a gRPC port that %s', (_what, listening, count) => {
    const port = { url: 'http://127.0.0.1:8553', source: 'conf', listening, bind: late } as const;
    expect(nodeOf({}, { grpc: [port] }).grpc.flatMap(grpcBlindSpots)).toHaveLength(count);
  });

  test('of who else reaches what answered this machine', () => {
    expect(reachBlindSpot(endpointOf({ bind: late })).reason).toMatch(
      /not known beyond this machine: no answer/,
    );
    expect(reachBlindSpot(endpointOf({})).reason).toMatch(/not known beyond this machine: not asked/);
  });

  test('of a silent socket, in this network namespace and in another one', () => {
    const socket = { address: '0.0.0.0:9999', port: 9999 } as Live['sockets'][number];
    const of = (process: unknown) => socketBlindSpot(socket, process as Live['process']);
    const [own, apart] = ['own', 'other'].map((network) => of(seen({ pid: 42, network })));
    expect(own).toMatchObject({ about: 'port 9999', code: 'unreadable' });
    expect(apart).toMatchObject({
      code: 'other-namespace',
      reason: expect.stringContaining('nsenter -t 42'),
    });
    expect(of(late).code).toBe('unreadable');
  });
});
