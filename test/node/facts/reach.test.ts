import { expect, test } from 'vitest';
import { bySeverityAndReach, reaches, reachOf, reachOfHost } from '../../../src/node/facts/reach.js';
import { compareSeverity, severities } from '../../../src/node/facts/severity.js';
import { listener } from '../judge/facts.js';

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
])('%s is reached by: %s', (host, reach) => {
  expect(reachOfHost(host).reach).toBe(reach);
});

test('a wildcard for browsers makes loopback reachable by any page, and says why', () => {
  const http = listener('http', { state: 'on', host: '127.0.0.1', origins: ['*'], vhosts: ['localhost'] });
  expect(reachOf(http)).toEqual({
    reach: 'any',
    because: 'any web page reaches it through a visitor’s browser (CORS *)',
  });
  expect(reachOf({ ...http, origins: [], vhosts: ['*'] }).reach).toBe('any');
  expect(reachOf({ ...http, origins: ['https://a.example'] }).reach).toBe('loopback');
  expect(reachOf(listener('ws', { state: 'on', host: '10.0.0.5', origins: ['*'] })).because).toContain(
    'WebSocket',
  );
  expect(reachOf(listener('ipc', { state: 'on', path: '/x' })).reach).toBe('ipc');
});

test('severity never rises when fewer reach the interface, and any leaves it as it is', () => {
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

test('a wildcard widens nothing in a network without browsers', () => {
  const pod = { published: null, network: 'pods of the cluster' } as const;
  const http = listener('http', { state: 'on', host: '0.0.0.0', origins: ['*'], container: pod });
  expect(reachOf(http).reach).toBe('any');
  expect(reachOf({ ...http, container: { ...pod, browsers: false } }).reach).toBe('private');
});
