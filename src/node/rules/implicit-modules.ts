/** An interface is on and no module list is given. */

import { listed } from '../../util/words.js';
import { bySeverityAndReach, reachOf } from '../facts/reach.js';
import type { Key, Settings } from '../facts/settings.js';
import { advise, listPublic } from '../judge/fix/fix.js';
import { conf, type Rule } from '../judge/rule/rule.js';
import { blindListeners, listenersOn, placeOfList } from '../judge/settings/listeners.js';
import { kindOf, listenerFlags } from '../kinds/index.js';

export const implicitModules: Rule = {
  id: 'implicit-modules',
  severity: 'medium',
  title: 'No module list is given, so the built-in one applies.',
  why: `An empty list is neither nothing nor everything: the launcher passes no flag and the node offers net, web3, kaia and eth (cmd/utils/config.go). Who emptied the list to close the interface has not closed it, and a new release may change what is built in.`,
  fix: 'Write the list out; to offer nothing, switch the interface off.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API=""'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'settings',
  check: (settings) => ({
    findings: listenersOn(settings, 'http', 'ws').flatMap((listener) => {
      if (!listener.builtInList) return [];
      const { api, enable } = listenerFlags(settings)[listener.kind];
      const key = settings.keys[api];
      if (key?.malformed === true) return []; // malformed-assignment says it
      const reach = reachOf(listener);
      const offers = (listener.modules ?? kindOf(settings.kind).modules.builtIn).filter(
        (name) => name !== 'rpc',
      );
      const what =
        offers.length === 0
          ? 'the node has none of its built-in list and offers rpc alone'
          : `the node offers its built-in list, ${listed(offers)}`;
      return [
        {
          subject: listener.kind,
          severity: bySeverityAndReach('medium', reach.reach),
          at: key?.at ?? placeOfList(settings, listener.kind),
          message: `${listener.kind} is on and ${unlisted(settings, api, enable)}: ${what}; ${reach.because}.`,
          fix: isWritten(key)
            ? advise(
                `Switch ${listener.kind} on with ${settings.keys[enable]?.name}, or list the modules in --${api}.`,
              )
            : listPublic(settings, api, [], { beside: enable }),
          evidence: { interface: listener.kind, modules: offers, reach: reach.reach },
        },
      ];
    }),
    blindSpots: blindListeners(settings, 'http', 'ws'),
  }),
};

/** True for a list that stands there and is not passed: the launcher does so only with the switch of its own. */
function isWritten(key: Key | undefined): boolean {
  return typeof key?.value === 'string' && key.value !== '';
}

function unlisted(settings: Settings, api: string, enable: string): string {
  const key = settings.keys[api];
  return isWritten(key)
    ? `${key?.name} is not passed, because ${settings.keys[enable]?.name} is off`
    : `${key?.name ?? `--${api}`} names no module`;
}
