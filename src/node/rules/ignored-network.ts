/** NETWORK and NETWORK_ID are both set. */

import { advise, deleteLines } from '../fix/proposal/fix.js';
import { launchers, type Rule } from '../judge/rule/rule.js';
import { startProblems } from '../judge/rule/start-problems.js';
import { isScripted } from '../kinds/find.js';

const say =
  'Delete NETWORK, which has no effect; or delete NETWORK_ID if the data folder belongs to the network that NETWORK names.';

export const ignoredNetwork: Rule = {
  id: 'ignored-network',
  needs: isScripted,
  severity: 'medium',
  title: 'NETWORK is ignored because NETWORK_ID is set.',
  why: `When both are set, the launchers pass only NETWORK_ID and print a warning. The node then joins a private network with that id, without the bootnodes and the genesis of mainnet or kairos, even when the id is 8217.`,
  fix: 'Set only one of the two.',
  ignore: 'If the node belongs to a private network and NETWORK only documents where its conf came from.',
  sources: launchers,
  examples: {
    bad: { conf: 'NETWORK="mainnet"\nNETWORK_ID=8217\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'NETWORK="mainnet"\nNETWORK_ID=\nDATA_DIR=/srv/kend\n' },
  },
  on: 'settings',
  check: (settings) =>
    startProblems(settings, ['network-ignored'], ({ at }) =>
      at === null ? advise(say) : deleteLines(settings, [at], say),
    ),
};
