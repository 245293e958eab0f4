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

test('a wildcard widens nothing in a container network that publishes no port', () => {
  const container = { published: null, network: 'other containers of its network' } as const;
  const http = listener('http', { state: 'on', host: '0.0.0.0', origins: ['*'], container });
  expect(reachOf(http).reach).toBe('private');
});

test('a wildcard widens nothing on the loopback of a container, although its port is published', () => {
  const published = {
    host: '0.0.0.0',
    port: 8551,
    at: { file: 'compose.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 },
    because: 'ports publishes it',
    instead: null,
  };
  const container = { published, network: 'other containers of its network' };
  const http = listener('http', { state: 'on', host: '127.0.0.1', origins: ['*'], container });
  expect(reachOf(http).reach).toBe('loopback');
  expect(reachOf({ ...http, host: '0.0.0.0' }).reach).toBe('any');
});
