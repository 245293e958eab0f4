/** ws accepts a handshake from every web page. */

import { accessChecks } from '../judge/access/wildcard.js';
import { conf, kaia, type Rule, rfc } from '../judge/rule/rule.js';
export const wildcardOrigins: Rule = {
  id: 'wildcard-origins',
  severity: 'critical',
  title: 'Any web page can open a WebSocket to the node.',
  why: `Browsers send no preflight before a WebSocket handshake, so the Origin list is the only barrier between a foreign page and every module that ws offers, on loopback too. With *, any page that a user inside the network opens gets through. Some kinds of node check no Origin, whatever the list says (reth, erigon): a low finding then says so, and rules about modules count every web page as a caller. Otherwise the severity is low where any address reaches the interface anyway, and else it follows from the most dangerous module offered. The entry null also lets any page in.`,
  fix: 'List the origins of the applications that need access. Without a list, only localhost and the host’s own name pass.',
  ignore: 'If every web page may call every module that ws offers.',
  sources: [kaia('networks/rpc/websocket.go'), rfc(6455, '10.2')],
  examples: {
    bad: conf('WS_ENABLE=1', 'WS_API="klay,eth"', 'WS_ORIGINS="*"'),
    good: conf('WS_ENABLE=1', 'WS_API="klay,eth"', 'WS_ORIGINS="https://app.example"'),
  },
  ...accessChecks('ws', 'origins', {
    declared: 'any web page that a user opens can connect to the node',
    proven:
      'the node accepted a handshake from https://kaiactl.invalid: any web page that a user opens can connect to the node',
  }),
};
