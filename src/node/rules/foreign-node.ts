/** The endpoint answers as a kind of node that kaiactl does not know. */
import { blindSpot, indeterminate, notSeen } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { isOpen } from '../judge/live/answers.js';
import { factBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import type { Live } from '../judge/live/live.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { badNode, goodNode } from '../judge/rule/examples.js';
import type { Draft, Rule } from '../judge/rule/rule.js';

export const foreignNode: Rule = {
  id: 'foreign-node',
  severity: 'medium',
  title: 'The endpoint answers as another kind of node, or as one that kaiactl does not know.',
  why: `Different kinds of node use the same ports: 8551 is also the engine API of Ethereum clients, and 8545 is common for development servers. Another kind of node has other modules, flags and access checks. kaiactl therefore judges only what holds for every node: interfaces, modules, reach, access checks and accounts.`,
  fix: 'Check the address. If a gateway answers in front of the node, audit the node behind it.',
  ignore: 'If the node behind the address is of that kind on purpose.',
  sources: [
    'docs/audit.md#other-kinds-of-node',
    'https://github.com/ethereum/execution-apis/blob/main/src/engine/authentication.md',
  ],
  examples: {
    bad: badNode('Nethermind answers', {
      modules: { state: 'seen', value: { eth: '1.0', net: '1.0', web3: '1.0' } },
      client: { state: 'seen', value: 'Nethermind/v1.35.2+faa9b9e6/linux-x64/dotnet9.0.10' },
    }),
    good: goodNode('Klaytn/v2.2.1 answers'),
  },
  on: 'live',
  check: (live) => {
    const endpoints = relevantEndpoints(live, 'http', 'ws', 'ipc');
    const open = endpoints.filter(isOpen);
    const foreign = open.filter(
      (one) => one.kind !== null && (one.nodeKind === null || live.inPlaceOf !== null),
    );
    const untold = live.kind === null ? open.map(({ name }) => blindSpot(name, untoldKind)) : [];
    return {
      findings: foreign.map((endpoint) => draft(endpoint, live)),
      blindSpots: [
        ...endpoints.flatMap((one) => factBlindSpots(one, 'modules')),
        ...untold,
        ...(live.inPlaceOf === null
          ? []
          : [
              indeterminate(
                null,
                `the node of ${live.inPlaceOf} was not seen: another kind of node answers at its addresses`,
              ),
            ]),
      ],
      applicable: endpoints.length > 0,
    };
  },
};

const untoldKind = notSeen(
  'indeterminate',
  'its answers do not show which kind of node it is: only the checks that hold for every node were made',
);

function draft({ name, kind, client, nodeKind }: LiveEndpoint, { inPlaceOf }: Live): Draft {
  const says = client.state === 'seen' ? client.value : kind;
  const compared = inPlaceOf === null ? '' : ` It was not compared with ${inPlaceOf}.`;
  const which =
    nodeKind === null
      ? 'a kind of node that kaiactl does not know: only the checks that hold for every node were made'
      : 'another kind of node than the settings are for';
  return {
    subject: name,
    at: { endpoint: name },
    message: `${name} answers as ${says}, ${which}.${compared}`,
    fix: advise('Check the address, or audit the node behind the gateway.'),
    evidence: { kind, client: says },
  };
}
