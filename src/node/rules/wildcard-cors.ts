/** http grants access to the origin of every web page. */

import { accessChecks } from '../judge/access/wildcard.js';
import { conf, kaia, type Rule } from '../judge/rule/rule.js';
export const wildcardCors: Rule = {
  id: 'wildcard-cors',
  severity: 'critical',
  title: 'Any web page can call the node from a visitor’s browser.',
  why: `The node accepts only JSON content types, so a foreign page needs a successful preflight before it can call the node, and CORS * grants every preflight. Any page that a user inside the network opens can then call every module that http offers, through firewalls and on loopback. The severity is low where any address reaches the interface anyway; otherwise it follows from the most dangerous module offered. The entry null and patterns such as *example.com also let any page in.`,
  fix: 'List the origins of the applications that need access, or leave the list empty to allow no browser access.',
  ignore: 'If every web page may call every module that http offers.',
  sources: [kaia('networks/rpc/http.go'), 'https://fetch.spec.whatwg.org/#http-cors-protocol'],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="*"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="https://app.example"'),
  },
  ...accessChecks('http', 'origins', {
    declared: 'any web page that a user opens can call the node',
    proven:
      'the node granted a preflight from https://kaiactl.invalid: any web page that a user opens can call the node',
  }),
};
