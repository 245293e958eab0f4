/** A network interface lists the node’s accounts. */

import { bySeverityAndReach } from '../facts/reach.js';
import { isMoot } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { factBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { badNode, goodNode } from '../judge/rule/examples.js';
import { type Draft, foundInEach, kaia, type Rule } from '../judge/rule/rule.js';
import { otherAnswering } from '../kinds/others.js';

const account = '0x71562b71999873db5b286df957af199ec94617f7';

export const accountsListed: Rule = {
  id: 'accounts-listed',
  severity: 'medium',
  title: 'The node lists its accounts to every caller.',
  why: `eth_accounts and similar methods list the addresses in the keystore to every caller. An attacker learns for which addresses to guess passwords. If an account is unlocked, whoever reaches the interface can spend from it. A development server (anvil, hardhat, ganache) signs with its accounts for every caller, with keys that are public unless it was given others: critical where any address reaches it.`,
  fix: 'Keep keystores off nodes that others reach, and sign on another machine.',
  ignore:
    'If the accounts are there on purpose, are never unlocked, and only trusted machines reach the interface.',
  sources: [kaia('api/api_eth.go'), kaia('api/api_kaia_account.go')],
  examples: {
    bad: badNode('http lists an account', { accounts: { state: 'seen', value: [account] } }),
    good: goodNode('http lists no account'),
  },
  on: 'live',
  check: (live) =>
    foundInEach(
      relevantEndpoints(live, 'http', 'ws').filter(({ accounts }) => !isMoot(accounts)),
      { findings: draft, blindSpots: (one) => factBlindSpots(one, 'accounts') },
    ),
};

function draft(endpoint: LiveEndpoint): Draft[] {
  const { accounts } = endpoint;
  if (accounts.state !== 'seen' || accounts.value.length === 0) return [];
  const { kind } = endpoint.endpoint;
  const other = otherAnswering(endpoint);
  const isDevelopment = other?.role === 'development';
  const { reach, because } = isDevelopment ? endpoint.bound : endpoint.reach;
  const count = accounts.value.length;
  const more = count > 1 ? ` and ${count - 1} more` : '';
  const whose = isDevelopment
    ? `accounts of ${other.name}, which signs with them for every caller, and whose usual keys are public`
    : 'the node’s accounts';
  return [
    {
      subject: `${kind} accounts`,
      severity: isDevelopment ? bySocket[reach] : bySeverityAndReach('medium', reach),
      at: { endpoint: endpoint.name },
      message: `${kind} lists ${accounts.value[0]}${more} as ${whose}; ${because}.`,
      fix: advise(
        isDevelopment
          ? 'Bind the development server to 127.0.0.1, and keep nothing of value on its accounts.'
          : 'Move the keystore to a machine that only signs.',
      ),
      evidence: { interface: kind, accounts: accounts.value.slice(0, 20), count, reach },
    },
  ];
}

/** Of a development server, by who reaches its socket: a page in a browser of its developer gains nothing by public keys. */
const bySocket = { any: 'critical', private: 'high', loopback: 'low', ipc: 'info' } as const;
