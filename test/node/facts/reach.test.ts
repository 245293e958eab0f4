import { expect, test } from 'vitest';
import { withAssumed, withoutAssumed } from '../../../src/node/facts/assumed.js';
import type { PortHop } from '../../../src/node/facts/hops.js';
import type { LiveFacts, PublishedPort } from '../../../src/node/facts/live.js';
import {
  type Assumed,
  browsersOf,
  bySeverityAndReach,
  isContainerOnly,
  isUnbrowsed,
  portHop,
  type Reach,
  reachByBrowsers,
  reaches,
  reachOf,
  reachOfBind,
  reachOfClients,
  reachOfHost,
  widest,
} from '../../../src/node/facts/reach.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Listener } from '../../../src/node/facts/settings.js';
import { compareSeverity, type Severity, severities } from '../../../src/node/facts/severity.js';
import { confOf, factsOf, listener, processOf, span } from '../judge/facts.js';

test.each<[string | null, string]>([
  ['0.0.0.0', 'any'],
  ['::', 'any'],
  ['[::]', 'any'],
  ['', 'any'],
  [null, 'any'],
  ['203.0.113.7', 'any'],
  ['node.example', 'any'],
  ['2001:db8::1', 'any'],
  ['172.32.0.1', 'any'],
  ['127.0.0.1.example', 'any'],
  ['10.0.0.5', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['169.254.1.1', 'private'],
  ['fd00::1', 'private'],
  ['fe80::1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.8.8.8', 'loopback'],
  ['localhost', 'loopback'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['node.localhost', 'loopback'],
  ['127.10', 'loopback'],
  ['10.127.0.0.1', 'any'],
  ['11.168.0.1', 'any'],
  ['192.254.1.1', 'any'],
  ['169.168.1.1', 'any'],
  ['169.253.1.1', 'any'],
  ['172.15.0.1', 'any'],
  ['100.63.0.1', 'any'],
  ['100.127.255.1', 'private'],
  ['100.128.0.1', 'any'],
  ['101.64.0.1', 'any'],
  ['10.0.0.5.example', 'any'],
  ['FD00::1', 'private'],
  ['fec0::1', 'any'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:a00:5', 'private'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['0:0:0:0:0:0:0:0', 'any'],
  ['010.0.0.1', 'any'],
])('%s is reached by: %s', (host, reach) => {
  expect(reachOfHost(host).reach).toBe(reach);
});

test.each([
  ['0.0.0.0', 'any address reaches it (0.0.0.0 is every interface)'],
  ['[::]', 'any address reaches it ([::] is every interface)'],
  ['', 'any address reaches it (no host is every interface)'],
  [null, 'any address is assumed to reach it, since its address cannot be known offline'],
  ['203.0.113.7', 'any address reaches it (203.0.113.7 is not a private address)'],
  ['10.0.0.5', 'the private network reaches it (10.0.0.5)'],
  ['[::1]', 'this machine reaches it ([::1])'],
])('of %s the reason is: %s', (host, because) => {
  expect(reachOfHost(host).because).toBe(because);
});

test('of equals the first is the widest', () => {
  const [a, b, c, d] = (['private', 'any', 'any', 'private'] as const).map((reach, at) => ({
    reach,
    because: `${at}`,
  })) as [Assumed, Assumed, Assumed, Assumed];
  expect([widest([a, b, c, d]), widest([d, a])]).toEqual([b, d]);
});

const published = {
  host: '0.0.0.0',
  port: 8551,
  to: 8551,
  at: span(1, 1, 2),
  because: 'ports publishes it',
  instead: null,
};
const before = (open: Reach, because = 'why', via: readonly string[] = []) =>
  ({ of: 'address', access: { open, withLogin: null }, because, via }) as const;
const on = (over: Partial<Listener>) => listener('http', { state: 'on', host: '0.0.0.0', ...over });
const inside = (over: Partial<PortHop>) => ({
  container: { network: 'its network' },
  hops: [portHop({ ...published, ...over })],
});
const alone = { network: null };

test.each<[string, Partial<Listener>, Reach, because: string]>([
  ['an address', {}, 'any', 'any address reaches it (0.0.0.0 is every interface)'],
  [
    'a refused start',
    { refused: true },
    'any',
    'any address reaches it (0.0.0.0 is every interface), once it starts',
  ],
  ['a narrower limit', { hops: [before('private')] }, 'private', 'the private network reaches it: why'],
  [
    'a limit that is no narrower',
    { host: '10.0.0.5', hops: [before('private')] },
    'private',
    'the private network reaches it (10.0.0.5)',
  ],
  [
    'what the operator states',
    { assumed: 'loopback' },
    'loopback',
    'this machine reaches it, as --assume-reach says (without it: any address reaches it (0.0.0.0 is every interface))',
  ],
  ['a published port', inside({}), 'any', 'any address reaches it: ports publishes it on 0.0.0.0:8551'],
  [
    'a published port of this machine',
    inside({ host: '127.0.0.1' }),
    'loopback',
    'this machine reaches it: ports publishes it on 127.0.0.1:8551',
  ],
  ['an unknown host', inside({ host: null }), 'any', 'any address reaches it: ports publishes it on ?:8551'],
  ['an unknown port', inside({ port: null }), 'any', 'any address reaches it: ports publishes it on 0.0.0.0'],
  [
    'an unknown host and port',
    inside({ host: null, port: null }),
    'any',
    'any address reaches it: ports publishes it',
  ],
  [
    'the rules of a proxy',
    inside({ access: { open: 'private', withLogin: null } }),
    'private',
    'the private network reaches it: ports publishes it on 0.0.0.0:8551',
  ],
  [
    'a network without a published port',
    { container: { network: 'its network' } },
    'private',
    'its network reach it: no port is published for it',
  ],
  ['no network', { container: alone }, 'loopback', 'its container alone reaches it: it has no network'],
  [
    'loopback in a container',
    { ...inside({}), host: '127.0.0.1' },
    'loopback',
    'its container alone reaches it (127.0.0.1)',
  ],
])('%s decides who reaches a socket', (_, over, reach, because) => {
  expect(reachOfBind(on(over))).toEqual({ reach, because });
});

test.each<[string, Partial<Listener>, containerOnly: boolean, unbrowsed: boolean]>([
  ['an address', {}, false, false],
  ['loopback', { host: '127.0.0.1' }, false, false],
  ['a published port', inside({}), false, false],
  ['loopback in a container', { ...inside({}), host: '127.0.0.1' }, true, true],
  ['a network', { container: { network: 'its network' } }, false, true],
  ['no network', { container: alone }, true, true],
])('a listener on %s is reached by its container alone (%s)', (_, over, containerOnly, unbrowsed) => {
  expect([isContainerOnly(on(over)), isUnbrowsed(on(over))]).toEqual([containerOnly, unbrowsed]);
});

test.each<[string, Partial<Listener>, string | null]>([
  ['no list', {}, null],
  ['a list of names', { origins: ['https://a.example'], vhosts: ['a.example'] }, null],
  ['any origin', { origins: ['https://a.example', 'https://*'], vhosts: ['*'] }, 'CORS https://*'],
  ['any Host name', { origins: [], vhosts: ['localhost', '*'] }, 'http accepts every Host name'],
])('with %s, browsers reach it through: %s', (_, over, access) => {
  const because = `any web page reaches it through a visitor’s browser (${access})`;
  expect(reachByBrowsers(on(over))).toEqual(access === null ? [] : [{ reach: 'any', because }]);
  const [refused] = reachByBrowsers(on({ ...over, refused: true }));
  expect(refused?.because).toBe(access === null ? undefined : `${because}, once it starts`);
});

test('the reason names what decided the interface', () => {
  expect(reachOf(on({ host: '10.0.0.5', reason: 'since RPC_ENABLE is unknown' })).because).toBe(
    'the private network reaches it (10.0.0.5), since RPC_ENABLE is unknown',
  );
});

test.each<[string, Reach]>([
  ['', 'any'],
  ['10.0.0.0/8', 'private'],
  ['10.0.0.0/7', 'any'],
  ['10.0.0.5', 'private'],
  ['127.0.0.0/8', 'loopback'],
  ['127.0.0.0/4', 'any'],
  ['172.16.0.0/12', 'private'],
  ['172.16.0.0/11', 'any'],
  ['100.64.0.0/10', 'private'],
  ['100.64.0.0/9', 'any'],
  ['192.168.0.0/16', 'private'],
  ['169.254.0.0/15', 'any'],
  ['fd00::/8', 'private'],
  ['FC00::/7', 'private'],
  ['fc00::/6', 'any'],
  ['fe80::/10', 'private'],
  ['fe80::/9', 'any'],
  ['::1/128', 'loopback'],
  ['::1/64', 'any'],
  ['0.0.0.0/0', 'any'],
  ['203.0.113.7/32', 'any'],
  [' 10.0.0.0/8 , 127.0.0.1', 'private'],
  ['127.0.0.1,203.0.113.7', 'any'],
])('clients of "%s" are: %s', (list, reach) => {
  expect(reachOfClients(list === '' ? [] : list.split(','))).toBe(reach);
});

test('the stated reach holds for the interface in every reading of the settings, and for what is live', () => {
  const [http, ws] = [on({}), listener('ws')];
  const settings = { listeners: [http, ws] };
  const conf = { ...confOf([], settings), alternatives: [{ when: 'x', conf: confOf([], settings) }] };
  const live: LiveFacts = { endpoints: [], metrics: [], sockets: [], process: notSeen('refused', 'why') };
  const facts = { ...factsOf(conf), live };
  expect(withAssumed(facts)).toBe(facts);
  const assumed = { http: 'private' } as const;
  const stated = [{ ...http, assumed: 'private' }, ws];
  const { alternatives: _, ...plain } = conf;
  expect(withAssumed({ ...facts, assumed })).toEqual({
    ...facts,
    assumed,
    conf: seen({
      ...confOf([], { listeners: stated as Listener[] }),
      alternatives: [{ when: 'x', conf: confOf([], { listeners: stated as Listener[] }) }],
    }),
    live: { ...live, assumed },
  });
  const { conf: without } = withAssumed({ ...facts, conf: seen(plain), live: null, assumed });
  expect(without).toEqual(seen(confOf([], { listeners: stated as Listener[] })));
  expect(withAssumed({ ...facts, conf: null, assumed }).conf).toBeNull();
  expect(withoutAssumed({ ...http, assumed: 'private' })).toEqual(http);
});

test('the ports that a container publishes limit who reaches its listeners', () => {
  const ports: PublishedPort[] = [
    { inside: 8551, address: '127.0.0.1', port: 9551 },
    { inside: 8551, address: '10.0.0.5', port: 9552 },
    { inside: 8552, address: '127.0.0.1', port: 9553 },
  ];
  const gate = before('private', 'docker-proxy publishes it on 10.0.0.5:9552');
  const own = before('loopback');
  const [http, grpc, ws] = [on({ port: 8551 }), on({ port: 8553 }), on({ port: 8552, hops: [own] })];
  const { settings } = confOf([], { listeners: [http, grpc, ws] });
  const process = processOf([], { published: ports, settings });
  const live: LiveFacts = { endpoints: [], metrics: [], sockets: [], process };
  const { conf, live: after } = withAssumed({ ...factsOf(confOf([], settings)), live });
  const limited = { ...settings, listeners: [{ ...http, hops: [gate] }, grpc, ws] };
  expect(conf).toMatchObject({ value: { settings: limited } });
  expect(after).toStrictEqual({ ...live, process: processOf([], { published: ports, settings: limited }) });
});

test.each<[string, Partial<Listener>, string | null]>([
  ['a wildcard of CORS', { origins: ['*'] }, 'any page'],
  ['any Host name', { vhosts: ['*'] }, 'any page'],
  ['origins by name', { origins: ['https://a.example'] }, 'listed'],
  ['no list', {}, 'none'],
  ['a list that is not known', { origins: null }, null],
  ['Host names that are not known', { vhosts: null }, null],
  ['a token', { origins: ['*'], login: 'token' }, 'none'],
  ['a container that publishes nothing', { origins: ['*'], container: { network: 'pods' } }, 'none'],
])('which pages reach an interface: %s', (_, over, expected) => {
  const http = listener('http', {
    state: 'on',
    host: '127.0.0.1',
    origins: [],
    vhosts: ['localhost'],
    ...over,
  });
  expect(browsersOf(http)).toBe(expected);
});

test('no page reaches a local socket, gRPC or the engine API', () => {
  const all = (['ipc', 'grpc', 'authrpc'] as const).map((kind) =>
    listener(kind, { state: 'on', origins: ['*'] }),
  );
  expect(all.map(browsersOf)).toEqual(['none', 'none', 'none']);
});

test('a wildcard for browsers makes loopback reachable by any page, and says why', () => {
  const http = listener('http', { state: 'on', host: '127.0.0.1', origins: ['*'], vhosts: ['localhost'] });
  expect(reachOf(http)).toEqual({
    reach: 'any',
    because: 'this machine reaches it (127.0.0.1), and any web page through a visitor’s browser (CORS *)',
  });
  expect(reachOf({ ...http, origins: [], vhosts: ['*'] }).reach).toBe('any');
  expect(reachOf({ ...http, origins: ['https://a.example'] }).reach).toBe('loopback');
  expect(reachOf(listener('ws', { state: 'on', host: '10.0.0.5', origins: ['*'] })).because).toContain(
    'ws accepts every Origin',
  );
  expect(reachOf(listener('ipc', { state: 'on', path: '/x' })).reach).toBe('ipc');
});

test('severity never rises with a narrower reach, and reach any leaves it unchanged', () => {
  for (const base of severities) {
    expect(bySeverityAndReach(base, 'any')).toBe(base);
    for (const [at, reach] of reaches.slice(1).entries()) {
      const fewer = reaches[at] ?? 'ipc';
      expect(
        compareSeverity(bySeverityAndReach(base, fewer), bySeverityAndReach(base, reach)),
      ).toBeGreaterThanOrEqual(0);
    }
  }
});

test('browsers that only a missing check lets in add at most medium, a written wildcard more', () => {
  const bound = (host: string, over: Partial<Listener> = {}) =>
    reachOf(
      listener('http', { state: 'on', host, origins: [], vhosts: ['*'], unchecked: 'vhosts', ...over }),
    );
  const severity = (base: Severity, who: Assumed) => bySeverityAndReach(base, who.reach, who);
  const loopback = bound('127.0.0.1');
  expect(loopback).toMatchObject({ reach: 'any', unchecked: 'loopback' });
  expect(severities.map((base) => severity(base, loopback))).toEqual([
    'medium',
    'medium',
    'medium',
    'low',
    'info',
  ]);
  expect(severity('critical', bound('10.0.0.5'))).toBe('high');
  expect(severity('critical', bound('0.0.0.0'))).toBe('critical');
  expect(severity('critical', bound('127.0.0.1', { origins: ['*'] }))).toBe('critical');
});

test('a wildcard widens nothing in a container network that publishes no port', () => {
  const container = { network: 'other containers of its network' };
  const http = listener('http', { state: 'on', host: '0.0.0.0', origins: ['*'], container });
  expect(reachOf(http).reach).toBe('private');
});

test('a wildcard widens nothing on the loopback of a container, although its port is published', () => {
  const http = listener('http', { state: 'on', host: '127.0.0.1', origins: ['*'], ...inside({}) });
  expect(reachOf(http).reach).toBe('loopback');
  expect(reachOf({ ...http, host: '0.0.0.0' }).reach).toBe('any');
});
