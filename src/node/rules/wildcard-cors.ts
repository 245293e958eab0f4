/** http answers every web page’s origin. */

import { openAccess } from '../judge/access/live-wildcard.js';
import { wildcard } from '../judge/access/wildcard.js';
import { conf, type Rule } from '../judge/rule/rule.js';
export const wildcardCors: Rule = {
  id: 'wildcard-cors',
  severity: 'high',
  title: 'Any web page may call the node from its visitor’s browser.',
  why: `The node accepts only JSON content types, which a foreign page may send only after a preflight; CORS * answers that preflight with yes. So any page that someone inside the network opens can call every module http offers, through firewalls and on loopback alike (networks/rpc/http.go). It is worth what it opens: low where any address gets in anyway, else as bad as the worst module behind it. null and patterns such as *example.com let everyone in too.`,
  fix: 'Name the origins of the applications that need it, or leave the list empty: no browser access.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="*"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="https://app.example"'),
  },
  on: 'either',
  ofSettings: (settings) =>
    wildcard(settings, {
      kind: 'http',
      setting: 'origins',
      message: 'any web page its visitor opens can call this node',
    }),
  ofLive: (live) =>
    openAccess(live, {
      kind: 'http',
      fact: 'foreignOrigin',
      setting: 'origins',
      list: 'origins',
      message:
        'a preflight from https://kaiactl.invalid was granted: any web page its visitor opens can call this node',
    }),
};
