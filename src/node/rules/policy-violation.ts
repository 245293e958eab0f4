/** The node offers more than the policy it is judged by. */

import { judgeLive, judgeSettings } from '../judge/policy/policy.js';
import { found, type Rule } from '../judge/rule/rule.js';

export const policyViolation: Rule = {
  id: 'policy-violation',
  perModule: true,
  byPolicy: true,
  severity: 'high',
  title: 'The node offers more than its policy allows.',
  why: `A policy says, interface by interface, the most that a node of its role may offer: modules, who reaches it, which pages and Host names are let in. --policy names one, built in or a file; a role in the inventory picks the built-in one of that name. What is stricter than the policy is fine; what could not be seen is undetermined. The built-in policies follow Kaia’s official guides, and the finding quotes the sentence.`,
  fix: 'Close what is beyond the policy, or allow it there on purpose.',
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
  ofSettings: (settings, policy) => (policy === null ? found([]) : judgeSettings(settings, policy)),
  ofLive: (live, policy) => (policy === null ? found([]) : judgeLive(live, policy)),
};
