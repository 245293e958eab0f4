/** A network interface tells its callers which accounts the node keeps. */

import { bySeverityAndReach } from '../facts/reach.js';
import { isMoot } from '../facts/seen.js';
import { advise } from '../judge/fix/fix.js';
import { blindTo } from '../judge/live/blind-spots.js';
import { asked, type LiveEndpoint } from '../judge/live/live.js';
import { badNode, goodNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';

const account = '0x71562b71999873db5b286df957af199ec94617f7';

export const accountsListed: Rule = {
  id: 'accounts-listed',
  severity: 'medium',
  title: 'The node names its accounts to whoever asks.',
  why: `kaia_accounts and eth_accounts list the addresses of the keystore to every caller. That says which addresses are worth a password guess, and that one unlock is enough for whoever reaches the interface to spend from them: the node has no further guard.`,
  fix: 'Keep keystores off nodes that others reach; sign elsewhere.',
  examples: {
    bad: badNode('http names an account', { accounts: { state: 'seen', value: [account] } }),
    good: goodNode('http names none'),
  },
  on: 'live',
  check: (live) =>
    foundInEach(
      asked(live, 'http', 'ws').filter(({ accounts }) => !isMoot(accounts)),
      { findings: draft, blindSpots: (one) => blindTo(one, 'accounts') },
    ),
};

function draft(endpoint: LiveEndpoint): Draft[] {
  const { accounts } = endpoint;
  if (accounts.state !== 'seen' || accounts.value.length === 0) return [];
  const { kind } = endpoint.endpoint;
  const { reach } = endpoint;
  const count = accounts.value.length;
  const more = count > 1 ? ` and ${count - 1} more` : '';
  return [
    {
      subject: `${kind} accounts`,
      severity: bySeverityAndReach('medium', reach.reach),
      at: { endpoint: endpoint.name },
      message: `${kind} names ${accounts.value[0]}${more} as the node’s own; ${reach.because}. Whether one is unlocked shows only by signing, which is never tried.`,
      fix: advise('Move the keystore to a machine that only signs.'),
      evidence: { interface: kind, accounts: accounts.value.slice(0, 20), count, reach: reach.reach },
    },
  ];
}
