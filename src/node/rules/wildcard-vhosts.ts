/** http answers requests for every Host name. */

import { accessChecks } from '../judge/access/wildcard.js';
import { conf, kaia, type Rule } from '../judge/rule/rule.js';
export const wildcardVhosts: Rule = {
  id: 'wildcard-vhosts',
  severity: 'critical',
  title: 'The node accepts any Host name.',
  why: `The Host list protects against DNS rebinding: a page whose name resolves to the node’s address counts as same-origin and needs no CORS. With *, this protection is off. Callers that use an IP address are always accepted. Some kinds of node check no Host name, and no setting makes them (reth): a low finding then says so, and rules about modules count every web page as a caller, at medium at most where only this machine reaches the node otherwise. A proxy that sends a Host that the node accepts has the same effect on its own address: medium. Otherwise the severity is low where any address reaches the interface anyway, and else it follows from the most dangerous module offered.`,
  fix: 'List the Host names that clients use.',
  ignore: 'If a proxy in front of the node checks the Host name.',
  sources: [kaia('networks/rpc/http.go')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="*"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_VHOSTS="localhost,en.example"'),
  },
  ...accessChecks('http', 'vhosts', {
    declared: 'a web page can reach the node under its own name (DNS rebinding)',
    proven:
      'the node answered a request for Host kaiactl.invalid: a web page that rebinds its own name to this address can call the node',
  }),
};
