/** Who reaches an interface: which of what the kernel, the process, the settings and the address say counts. */
import { describe, expect, test } from 'vitest';
import type { EndpointFacts } from '../../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import type { Key, Listener, Setting } from '../../../../src/node/facts/settings.js';
import {
  type ListenerFacts,
  portReach,
  socketReach,
  withBrowserReach,
  withStatedReach,
} from '../../../../src/node/judge/live/reach.js';
import { quietEndpoint, quietSettings } from '../../../../src/node/judge/rule/examples.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { type NodeSettings, withKind } from '../../../../src/node/kinds/node.js';
import { listener } from '../facts.js';

const unseen = notSeen('not-permitted', 'permission denied');
const at = (url: string) => ({ ...quietEndpoint, endpoint: { kind: 'http', url }, bind: unseen }) as const;
const local = at('http://127.0.0.1:8551');
const http = (over: Partial<Listener>) => listener('http', { state: 'on', ...over });

function settingsWith(key: string | null, value: string | null, flag = 'rpcaddr'): NodeSettings {
  const named: Key = { name: 'RPC_ADDR', value: key, at: null, alone: false, malformed: false };
  const set: Setting = { value, origin: { kind: 'default' }, shadowed: [], indeterminate: null };
  return {
    ...withKind(kinds, quietSettings),
    keys: key === null ? {} : { [flag]: named },
    values: value === null ? {} : { [flag]: set },
  };
}

const none = { listener: null, started: null, settings: null };

describe('a socket', () => {
  test.each([
    ['by the kernel before what is as wide', { bind: seen(['127.0.0.1']) }, {}, 'loopback socket'],
    ['by the widest address of the kernel', { bind: seen(['127.0.0.1', '0.0.0.0']) }, {}, 'any socket'],
    ['by the process where that is wider', {}, { started: http({ host: '10.0.0.1' }) }, 'private process'],
    ['by the settings where those are wider', {}, { listener: http({ host: '0.0.0.0' }) }, 'any settings'],
    ['not by settings that keep silent', {}, { listener: http({ state: 'unknown' }) }, 'loopback address'],
    ['not by an interface that no settings shape', {}, { listener: listener('http') }, 'loopback address'],
  ] as const)('%s', (_, change, given, expected) => {
    const { reach, by } = socketReach({ ...local, ...change }, { ...none, ...given });
    expect(`${reach} ${by}`).toBe(expected);
  });

  const off = listener('http');
  test.each([
    ['the address of the source', settingsWith('10.0.0.1', '0.0.0.0'), 'private settings'],
    ['the value where the source names none', settingsWith(null, '10.0.0.1'), 'private settings'],
    ['none, which may be any', settingsWith(null, null), 'any settings'],
  ])('of an interface that is off would have %s', (_, settings, expected) => {
    const { reach, by } = socketReach(local, { ...none, listener: off, settings });
    expect(`${reach} ${by}`).toBe(expected);
    const open = { ...local, bind: seen(['127.0.0.1']) };
    expect(socketReach(open, { ...none, listener: off, settings }), 'the kernel knows').toMatchObject({
      reach: 'loopback',
    });
  });

  test('of ws is bound by the address of ws', () => {
    const settings = settingsWith('10.0.0.1', null, 'wsaddr');
    const given = { ...none, listener: listener('ws'), settings };
    expect(socketReach(local, given)).toMatchObject({ reach: 'private', by: 'settings' });
  });

  test('that answered on loopback may be reached by more; one seen to be bound there is not', () => {
    const lower = (endpoint: typeof quietEndpoint) => socketReach(endpoint, none).lowerBound;
    expect(lower(local)).toBe(true);
    expect(lower({ ...local, bind: seen(['127.0.0.1']) })).toBe(false);
    expect(lower(at('http://10.0.0.1:8551'))).toBe(false);
    expect(lower(at('http://[::1]:8551'))).toBe(true);
  });

  test('an address that only a conf names does not prove who reaches it', () => {
    const public_ = { ...at('http://1.2.3.4:8551'), source: 'conf' } as const;
    expect(socketReach(public_, none)).toMatchObject({ reach: 'loopback', by: 'address', lowerBound: true });
    expect(socketReach(at('http://1.2.3.4:8551'), none)).toMatchObject({ reach: 'any', by: 'address' });
  });
});

describe('a firewall', () => {
  const gate = {
    of: 'address',
    access: { open: 'private', withLogin: null },
    because: 'nft drops the rest',
    via: ['nft'],
  } as const;
  const wide = { ...at('http://1.2.3.4:8551'), bind: seen(['0.0.0.0']) };

  test.each<[name: string, endpoint: EndpointFacts, given: Partial<ListenerFacts>, expected: string]>([
    ['limits a socket however it is dialled', wide, { gate }, 'private socket nft'],
    ['adds nothing to a narrower one', { ...local, bind: seen(['127.0.0.1']) }, { gate }, 'loopback socket'],
    ['does not limit settings', wide, { gate, listener: http({ host: '0.0.0.0' }) }, 'any settings'],
    ['that is not known changes nothing', wide, { gate: null }, 'any socket'],
  ])('%s', (_, endpoint, given, expected) => {
    const { reach, by, via = [] } = socketReach(endpoint, { ...none, ...given });
    expect([reach, by, ...via].join(' ')).toBe(expected);
  });

  test('limits other ports', () => {
    const port = { bind: seen(['::']), url: 'http://1.2.3.4:61001' };
    expect(portReach(port, { ...none, gate })).toMatchObject({
      reach: 'private',
      by: 'socket',
      via: ['nft'],
      because: 'the private network reaches it: nft drops the rest',
    });
  });

  test('does not stop browsers, and is not named where the operator states the reach', () => {
    const bound = socketReach(wide, { ...none, gate });
    const open = withBrowserReach(bound, { ...wide, foreignOrigin: seen('open') }, none, null).reach;
    expect(open.reach).toBe('any');
    expect([open, withStatedReach(bound, 'loopback')].map(({ via }) => via)).toEqual([undefined, undefined]);
  });
});

describe('browsers', () => {
  const bound = socketReach({ ...local, bind: seen(['127.0.0.1']) }, none);
  const everyone = { origins: ['*'] };
  const unchecked = { foreignOrigin: unseen, foreignHost: unseen };

  test.each<[string, Partial<EndpointFacts>, object, string]>([
    ['nobody is let in', {}, {}, 'loopback socket'],
    ['a foreign Origin was let in', { foreignOrigin: seen('open') }, {}, 'any address'],
    ['a foreign Host was answered', { foreignHost: seen('open') }, {}, 'any address'],
    ['the settings let them in', unchecked, { listener: http(everyone) }, 'any settings'],
    ['the process was started so', unchecked, { started: http(everyone) }, 'any process'],
    ['a check refutes the process', {}, { started: http(everyone) }, 'loopback socket'],
    [
      'the process was started with other settings',
      unchecked,
      { listener: http(everyone), started: http({ host: '127.0.0.1', origins: [] }) },
      'loopback socket',
    ],
    ['it is off', {}, { listener: listener('http', everyone) }, 'loopback socket'],
  ])('%s', (_, change, given, expected) => {
    const endpoint = { ...local, ...change };
    const { reach, by, lowerBound } = withBrowserReach(bound, endpoint, { ...none, ...given }, null).reach;
    expect(`${reach} ${by}`).toBe(expected);
    expect(lowerBound).toBe(false);
  });

  test.each<[string, Partial<EndpointFacts>, object, string | null]>([
    ['foreign pages were refused', {}, {}, 'none'],
    [
      'foreign pages were refused, and the settings name some',
      {},
      { listener: http({ origins: ['https://a'] }) },
      'listed',
    ],
    ['one was let in', { foreignHost: seen('open') }, {}, 'any page'],
    ['no check was seen', unchecked, {}, null],
  ])('%s: which pages', (_, change, given, expected) => {
    const found = withBrowserReach(bound, { ...local, ...change }, { ...none, ...given }, null);
    expect(found.browsers).toBe(expected);
  });

  test('a foreign origin and a foreign host give different reasons', () => {
    const said = (change: object) =>
      withBrowserReach(bound, { ...local, ...change }, none, null).reach.because;
    expect(said({ foreignOrigin: seen('open') })).not.toBe(said({ foreignHost: seen('open') }));
  });

  test('where the kind has no such check, the reach without browsers is kept', () => {
    const open: EndpointFacts = { ...local, foreignHost: seen('open') };
    const held = (id: string, over: object = {}) =>
      withBrowserReach(bound, { ...open, ...over }, none, kinds.find((one) => one.id === id) ?? null).reach
        .unchecked;
    expect([held('reth'), held('geth'), held('reth', { foreignOrigin: seen('open') })]).toEqual([
      'loopback',
      undefined,
      undefined,
    ]);
  });

  test('nothing beside them is still a lower bound, and ipc has none', () => {
    const lower = socketReach(local, none);
    expect(withBrowserReach(lower, local, none, null).reach).toEqual(lower);
    const ipc = { ...local, endpoint: { kind: 'ipc', path: '/run/klay.ipc' } } as const;
    const open: EndpointFacts = { ...ipc, foreignOrigin: seen('open') };
    const socket = socketReach(ipc, none);
    expect(socket).toMatchObject({ reach: 'ipc', lowerBound: false });
    expect(withBrowserReach(socket, open, none, null)).toEqual({ reach: socket, browsers: 'none' });
  });
});

test.each([
  ['the kernel', { bind: seen(['0.0.0.0']) }, {}, 'any socket'],
  ['the process', {}, { started: listener('metrics', { state: 'on', host: '10.0.0.1' }) }, 'private process'],
  ['the settings', {}, { listener: listener('metrics', { state: 'on', host: '' }) }, 'any settings'],
  ['the address where it is off', {}, { listener: listener('metrics', { host: '' }) }, 'loopback address'],
])('a metrics port is reached as %s says', (_, change, given, expected) => {
  const port = { bind: unseen, url: 'http://127.0.0.1:61001', ...change };
  const { reach, by, lowerBound } = portReach(port, { ...none, ...given });
  expect(`${reach} ${by}`).toBe(expected);
  expect(lowerBound).toBe(by === 'address');
});

test('what the operator says counts, narrower or wider', () => {
  const bound = socketReach(local, none);
  expect(withStatedReach(bound, undefined)).toBe(bound);
  for (const reach of ['any', 'private', 'loopback'] as const)
    expect(withStatedReach(bound, reach)).toMatchObject({ reach, by: 'assumed', lowerBound: false });
});
