/** ws accepts a handshake from every web page. */

import { openAccess } from '../judge/access/live-wildcard.js';
import { wildcard } from '../judge/access/wildcard.js';
import { conf, type Rule } from '../judge/rule/rule.js';
export const wildcardOrigins: Rule = {
  id: 'wildcard-origins',
  severity: 'high',
  title: 'Any web page may open a WebSocket to the node.',
  why: `Browsers send no preflight before a WebSocket: the Origin list is the only thing between a foreign page and every module ws offers, on loopback too. With * every page someone inside the network opens gets through (networks/rpc/websocket.go). It is worth what it opens: low where any address gets in anyway, else as bad as the worst module behind it. The entry null lets everyone in too.`,
  fix: 'Name the origins of the applications that need it; without a list only localhost and the host’s own name pass.',
  examples: {
    bad: conf('WS_ENABLE=1', 'WS_API="klay,eth"', 'WS_ORIGINS="*"'),
    good: conf('WS_ENABLE=1', 'WS_API="klay,eth"', 'WS_ORIGINS="https://app.example"'),
  },
  on: 'either',
  ofSettings: (settings) =>
    wildcard(settings, {
      kind: 'ws',
      setting: 'origins',
      message: 'any web page its visitor opens can connect to this node',
    }),
  ofLive: (live) =>
    openAccess(live, {
      kind: 'ws',
      fact: 'foreignOrigin',
      setting: 'origins',
      list: 'origins',
      message:
        'a handshake from https://kaiactl.invalid was accepted: any web page can open a WebSocket through the browser of someone who can reach it',
    }),
};
