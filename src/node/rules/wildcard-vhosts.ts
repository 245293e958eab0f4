/** http answers every Host name. */

import { openAccess } from '../judge/access/live-wildcard.js';
import { wildcard } from '../judge/access/wildcard.js';
import { conf, type Rule } from '../judge/rule/rule.js';
export const wildcardVhosts: Rule = {
  id: 'wildcard-vhosts',
  severity: 'high',
  title: 'The node answers to any Host name.',
  why: `The Host list is the guard against DNS rebinding: a page whose name is re-pointed at the node’s address counts as same-origin and needs no CORS. With * the guard is off. It never guards callers that use an IP address: those are always accepted. It is worth what it opens: low where any address gets in anyway, else as bad as the worst module behind it.`,
  fix: 'List the names clients really use.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="*"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="localhost,en.example"'),
  },
  on: 'either',
  ofSettings: (settings) =>
    wildcard(settings, {
      kind: 'http',
      setting: 'vhosts',
      message: 'a web page can reach the node under its own name (DNS rebinding)',
    }),
  ofLive: (live) =>
    openAccess(live, {
      kind: 'http',
      fact: 'foreignHost',
      setting: 'vhosts',
      list: 'hosts',
      message:
        'a request for the Host kaiactl.invalid was answered: a web page that rebinds its own name to this address can call the node',
    }),
};
