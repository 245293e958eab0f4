/** An entry of an access list matches nothing, so who it was written for stays out. */

import { type AccessList, admits } from '../facts/access.js';
import type { Listener, Settings } from '../facts/settings.js';
import { advise } from '../judge/fix/fix.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { listenersOn } from '../judge/settings/listeners.js';
import { nameOf, placeOf } from '../judge/settings/setting.js';
import { listenerFlags } from '../kinds/index.js';

export const unmatchableEntry: Rule = {
  id: 'unmatchable-entry',
  severity: 'low',
  title: 'An entry of an access list matches nothing.',
  why: `An origin is a scheme, a host and perhaps a port, https://app.example, and is compared as it stands; http knows one * in an entry, ws none. A Host name is compared without its port, in lower case (networks/rpc/http.go, websocket.go). An entry that matches nothing fails silently, and the next step is often a *.`,
  fix: 'Write origins as https://app.example and Host names as node.example.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="app.example"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth"', 'RPC_CORSDOMAIN="https://app.example"'),
  },
  on: 'settings',
  /** A list that is not known is the wildcard rules’ question. */
  check: (settings) =>
    found(
      listenersOn(settings, 'http', 'ws').flatMap((listener) => [
        ...draft(settings, listener.kind === 'ws' ? 'ws' : 'cors', listener.origins, listener),
        ...draft(settings, 'vhosts', listener.vhosts, listener),
      ]),
    ),
};

function flagOf(settings: Settings, list: AccessList): string {
  const { http, ws } = listenerFlags(settings);
  return { cors: http.origins, ws: ws.origins, vhosts: http.vhosts }[list];
}

/** One finding a list, for all its entries. */
function draft(
  settings: Settings,
  list: AccessList,
  entries: readonly string[] | null,
  { kind }: Listener,
): Draft[] {
  const dead = (entries ?? []).filter((one) => admits(list, one).who === 'nobody');
  const [first] = dead;
  if (first === undefined) return [];
  const flag = flagOf(settings, list);
  const name = nameOf(settings, flag);
  const others = dead.length === 1 ? '' : ` (and ${dead.length - 1} more)`;
  return [
    {
      subject: name,
      at: placeOf(settings, flag),
      message: `${name} holds ${first}${others}, which matches nothing: ${admits(list, first).because}.`,
      fix: advise(`Correct the entry of ${name}, or take it out.`),
      evidence: { interface: kind, entries: dead },
    },
  ];
}
