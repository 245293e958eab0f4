/** The node offers more than its policy allows. */

import { judgeLive, judgeSettings } from '../judge/policy/policy.js';
import { decideVerdict, type Rule } from '../judge/rule/rule.js';

export const policyViolation: Rule = {
  id: 'policy-violation',
  perModule: true,
  byPolicy: true,
  severity: 'high',
  title: 'The node offers more than its policy allows.',
  why: `A policy limits, for each interface, what a node of its role may offer: modules, the addresses that reach it, and the pages and Host names it accepts. --policy names a built-in policy or a file; a role in the inventory selects the built-in policy of that name. Stricter settings pass; facts that were not seen are undetermined. Where a limit follows an official guide, the finding quotes it.`,
  fix: 'Close what exceeds the policy, or allow it in the policy.',
  ignore: 'If the node is an agreed exception; a policy file of its own is better.',
  sources: ['docs/policies.md', 'https://docs.kaia.io/nodes/core-cell/node-security/'],
  examples: {
    bad: {
      role: 'validator',
      conf: '# role = validator, in the inventory\nRPC_ENABLE=1\nRPC_API="eth,net,web3"\nNETWORK="mainnet"\nDATA_DIR=/srv/kcnd\n',
      launcher: 'kcnd',
    },
    good: {
      role: 'validator',
      conf: '# role = validator, in the inventory\nRPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kcnd\n',
      launcher: 'kcnd',
    },
  },
  on: 'either',
  ofSettings: (settings, policy) => (policy === null ? decideVerdict([]) : judgeSettings(settings, policy)),
  ofLive: (live, policy) => (policy === null ? decideVerdict([]) : judgeLive(live, policy)),
};
