/** What answers is not a Kaia node. */

import { blindSpot, indeterminate, notSeen } from '../facts/seen.js';
import { advise } from '../judge/fix/fix.js';
import { isOpen } from '../judge/live/answers.js';
import { blindTo } from '../judge/live/blind-spots.js';
import { asked, type Live, type LiveEndpoint } from '../judge/live/live.js';
import { badNode, goodNode } from '../judge/rule/examples.js';
import type { Draft, Rule } from '../judge/rule/rule.js';
import { isKnown } from '../kinds/index.js';

export const foreignNode: Rule = {
  id: 'foreign-node',
  severity: 'medium',
  title: 'What answers is not a Kaia node.',
  why: `The port numbers are shared: 8551 is the engine API of Ethereum clients, 8545 development servers. Another kind of node has other modules, flags and guards, so that only what holds for every kind is judged: interfaces, modules, reach, access checks and accounts.`,
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
    const open = endpoints.filter(isOpen);
    const foreign = open.filter((one) => one.kind !== null && !isKnown(one));
    const untold = live.kind === null ? open.map(({ name }) => blindSpot(name, untoldKind)) : [];
    return {
      findings: foreign.map((endpoint) => draft(endpoint, live)),
      blindSpots: [
        ...endpoints.flatMap((one) => blindTo(one, 'modules')),
        ...untold,
        ...(live.inPlaceOf === null
          ? []
          : [
              indeterminate(
                null,
                `the node of ${live.inPlaceOf} was not seen: another node answers in its place`,
              ),
            ]),
      ],
      applicable: endpoints.length > 0,
    };
  },
};

const untoldKind = notSeen(
  'indeterminate',
  'its answers do not tell what kind of node it is: only what holds for every kind was judged',
);

function draft({ name, kind, client }: LiveEndpoint, { inPlaceOf }: Live): Draft {
  const says = client.state === 'seen' ? client.value : kind;
  const compared = inPlaceOf === null ? '' : ` It was not compared with ${inPlaceOf}.`;
  return {
    subject: name,
    at: { endpoint: name },
    message: `${name} answers as ${says}, which is not a Kaia node: only what holds for every kind of node was judged.${compared}`,
    fix: advise('Check the address, or audit the node behind the gateway.'),
    evidence: { kind, client: says },
  };
}
