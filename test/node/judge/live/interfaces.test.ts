/** To which of a node's interfaces the ports that a firewall closes apply. */
import { expect, test } from 'vitest';
import type { PortGate } from '../../../../src/node/facts/firewall.js';
import type { LiveFacts } from '../../../../src/node/facts/live.js';
import { notSeen, seen } from '../../../../src/node/facts/seen.js';
import { type Known, liveEndpoint, noneKnown } from '../../../../src/node/judge/live/interfaces.js';
import { quietEndpoint } from '../../../../src/node/judge/rule/examples.js';

const closed: PortGate = {
  ports: [8551, 8551],
  ipv4: 'private',
  ipv6: 'private',
};
const own = (address: string, port = 8551) => ({ address, port });
const live: LiveFacts = {
  endpoints: [],
  metrics: [],
  sockets: [],
  process: notSeen('not-asked', 'not asked'),
};

test.each<[name: string, bind: readonly string[], known: Partial<Known>, expected: string]>([
  ['its own socket', ['0.0.0.0'], { sockets: [own('0.0.0.0')] }, 'private nft (rules in force)'],
  [
    'an address of both families, of which one is open',
    ['::'],
    { sockets: [own('::')], closed: [{ ...closed, ipv6: 'any' }] },
    'any',
  ],
  [
    'its sockets, one of them open',
    ['203.0.113.1', '2001:db8::1'],
    { sockets: [own('203.0.113.1'), own('2001:db8::1')], closed: [{ ...closed, ipv6: 'any' }] },
    'any',
  ],
  ['a socket of another process', ['0.0.0.0'], { sockets: [own('0.0.0.0', 8552)] }, 'any'],
  [
    'a port of the machine that leads to a container',
    ['0.0.0.0'],
    { sockets: [own('0.0.0.0')], published: [{ inside: 8000, ...own('0.0.0.0') }] },
    'any',
  ],
  ['a socket of a process without a firewall', ['0.0.0.0'], { sockets: [own('0.0.0.0')], closed: [] }, 'any'],
])('%s', (_, bind, known, expected) => {
  const endpoint = {
    ...quietEndpoint,
    endpoint: { kind: 'http', url: 'http://127.0.0.1:8551' },
    bind: seen(bind),
  } as const;
  const { reach } = liveEndpoint(endpoint, { ...noneKnown, closed: [closed], ...known }, live, null);
  expect([reach.reach, ...(reach.via ?? [])].join(' ')).toBe(expected);
});
