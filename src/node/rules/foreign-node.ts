/** What answers is not a Kaia node. */

import type { EndpointFacts } from '../facts/live.js';
import { blindSpot, notSeen } from '../facts/seen.js';
import { isOpen, modulesOf } from '../judge/answers.js';
import { blindTo } from '../judge/blind.js';
import { advise } from '../judge/fix.js';
import { asked } from '../judge/live.js';
import { badNode, goodNode } from '../judge/live-examples.js';
import type { Rule } from '../judge/rule.js';
export const foreignNode: Rule = {
  id: 'foreign-node',
  severity: 'medium',
  title: 'What answers is not a Kaia node.',
  why: `The port numbers are shared: 8551 is the engine API of Ethereum clients, 8545 development servers. Another program has other modules and other rules about who may call them, so what is said about a Kaia node does not hold for it.`,
  fix: 'Check the address; if a gateway stands before the node, audit the node behind it.',
  examples: {
    bad: badNode('Geth answers', {
      modules: { state: 'seen', value: { eth: '1.0', net: '1.0', web3: '1.0' } },
      client: { state: 'seen', value: 'Geth/v1.14.0/linux-amd64' },
    }),
    good: goodNode('Klaytn/v2.2.1 answers'),
  },
  on: 'live',
  check: (live) => {
    const endpoints = asked(live, 'http', 'ws', 'ipc');
    const foreign = endpoints.filter((one) => isOpen(one) && isKaia(one) === false);
    // The same node's other interfaces say what it is.
    const isKnown = endpoints.some((one) => isOpen(one) && isKaia(one) === true);
    const unknown = isKnown ? [] : endpoints.filter((one) => isOpen(one) && isKaia(one) === null);
    return {
      findings: foreign.map((endpoint) => {
        const { name } = endpoint;
        const client = endpoint.client.state === 'seen' ? endpoint.client.value : 'unknown';
        return {
          subject: name,
          at: { endpoint: name },
          message: `${name} answers as ${client} and offers neither kaia nor klay: what follows holds for Kaia nodes only.`,
          fix: advise('Name the node’s own address.'),
          evidence: { client },
        };
      }),
      blindSpots: [
        ...endpoints.flatMap((one) => blindTo(one, 'modules')),
        ...unknown.map(({ name }) =>
          blindSpot(name, notSeen('not-asked', 'what answers does not say what it is')),
        ),
      ],
      applicable: endpoints.length > 0,
    };
  },
};

/** By its modules, else by its name (Klaytn/… also in v2); null when neither was seen. */
function isKaia(endpoint: EndpointFacts): boolean | null {
  if (modulesOf(endpoint)?.includes('kaia') === true) return true;
  if (endpoint.client.state !== 'seen') return null;
  return /^(?:Klaytn|Kaia)\//i.test(endpoint.client.value);
}
