/** The node is spoken to without TLS across networks nobody controls. */

import { reachOfHost } from '../facts/reach.js';
import { advise } from '../judge/fix/fix.js';
import { asked } from '../judge/live/live.js';
import { badNode, goodNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';
export const plaintextEndpoint: Rule = {
  id: 'plaintext-endpoint',
  severity: 'medium',
  title: 'An endpoint on a public address is spoken to without TLS.',
  why: `The node itself has no TLS: http:// and ws:// to a host that is neither loopback nor private carry requests, answers and any password readable and changeable by everyone in between.`,
  fix: 'Reach the node through a tunnel (ssh -L, WireGuard), or put a proxy that speaks TLS before it and address that.',
  examples: {
    bad: badNode('http:// to a public address', {
      endpoint: { kind: 'http', url: 'http://203.0.113.7:8551' },
    }),
    good: goodNode('http:// to loopback'),
  },
  on: 'live',
  check: (live) =>
    foundInEach(asked(live, 'http', 'ws'), {
      findings: ({ endpoint, name }) => (isPlain(endpoint.url) ? [draft(endpoint.kind, name)] : []),
    }),
};

function draft(kind: 'http' | 'ws', name: string): Draft {
  return {
    subject: name,
    at: { endpoint: name },
    message: `${name} crosses networks in clear text: anyone in between reads and changes what is said.`,
    fix: advise('Reach it through a tunnel, or put a proxy that speaks TLS in front of it.'),
    evidence: { interface: kind },
  };
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (protocol === 'http:' || protocol === 'ws:') && reachOfHost(hostname).reach === 'any';
}
