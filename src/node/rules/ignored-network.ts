/** NETWORK and NETWORK_ID are both set. */

import { advise, takeLinesOut } from '../judge/fix/fix.js';
import type { Rule } from '../judge/rule/rule.js';
import { refusals } from '../judge/rule/start-problems.js';

const say =
  'Delete the line of NETWORK, which is ignored; or NETWORK_ID, if the data folder is of the network named.';

export const ignoredNetwork: Rule = {
  id: 'ignored-network',
  severity: 'medium',
  title: 'NETWORK is ignored because NETWORK_ID is set.',
  why: `The launchers pass NETWORK_ID alone when both are set, with a warning nobody sees: the node then joins a private network of that id, without the bootnodes and the genesis of mainnet or kairos, even when the id is 8217.`,
  fix: 'Set one of the two.',
  examples: {
    bad: { conf: 'NETWORK="mainnet"\nNETWORK_ID=8217\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'NETWORK="mainnet"\nNETWORK_ID=\nDATA_DIR=/srv/kend\n' },
  },
  on: 'settings',
  check: (settings) =>
    refusals(settings, ['network-ignored'], ({ at }) =>
      at === null ? advise(say) : takeLinesOut(settings, [at], say),
    ),
};
