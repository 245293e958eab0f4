/** An endpoint on a public address is used without TLS. */

import { indeterminate } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { type EndpointOf, relevantEndpoints } from '../judge/live/parts.js';
import { badNode, goodNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, kaia, type Rule } from '../judge/rule/rule.js';
export const plaintextEndpoint: Rule = {
  id: 'plaintext-endpoint',
  severity: 'medium',
  title: 'An endpoint on a public address is used without TLS.',
  why: `Hardly any node has TLS of its own. With http:// or ws:// to a host that is neither loopback nor private, anyone on the network path can read and change requests, answers and passwords.`,
  fix: 'Reach the node through a tunnel (ssh -L, WireGuard), or through a proxy with TLS.',
  ignore: 'If the traffic runs inside a tunnel that the address does not show.',
  sources: [kaia('networks/rpc/endpoints.go')],
  examples: {
    bad: badNode('http:// to a public address', {
      endpoint: { kind: 'http', url: 'http://203.0.113.7:8551' },
    }),
    good: goodNode('http:// to loopback'),
  },
  on: 'live',
  check: (live) =>
    foundInEach(relevantEndpoints(live, 'http', 'ws'), {
      findings: (one) => (isPlain(one) && isPublic(one) ? [draft(one.endpoint.kind, one.name)] : []),
      blindSpots: (one) =>
        isPlain(one) && one.addressed.length === 0 ? [indeterminate(one.name, unresolved)] : [],
    }),
};

function draft(kind: 'http' | 'ws', name: string): Draft {
  return {
    subject: name,
    at: { endpoint: name },
    message: `${name} is a public address without TLS: anyone on the network path can read and change requests and answers.`,
    fix: advise('Reach the node through a tunnel, or put a proxy with TLS in front of it.'),
    evidence: { interface: kind },
  };
}

const unresolved = 'its host name does not resolve here, so whether its address is public is not known';

function isPlain({ endpoint }: EndpointOf<'http' | 'ws'>): boolean {
  return /^(?:http|ws):/.test(endpoint.url);
}

function isPublic({ addressed }: EndpointOf<'http' | 'ws'>): boolean {
  return addressed.some(({ reach }) => reach === 'any');
}
