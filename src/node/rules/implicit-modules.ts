/** An interface is on and no module list is given. */
import { joinWords } from '../../util/words.js';
import { bySeverityAndReach, reachOf } from '../facts/reach.js';
import type { Key, Settings } from '../facts/settings.js';
import { advise, listPublic } from '../fix/proposal/fix.js';
import { conf, kaia, type Rule } from '../judge/rule/rule.js';
import { listenerBlindSpots, listenersOn, placeOfList } from '../judge/settings/listeners.js';

export const implicitModules: Rule = {
  id: 'implicit-modules',
  severity: 'low',
  title: 'No module list is given, so the built-in list applies.',
  why: `Without a module list an interface is not closed: the node offers a built-in one, which a new release may change. To some kinds of node an empty list means the same, to others every module or none.`,
  fix: 'List the modules explicitly, or switch the interface off to offer none.',
  ignore: 'If every module in the built-in list of the installed release may be public.',
  sources: [kaia('node/defaults.go'), kaia('networks/rpc/endpoints.go')],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API=""'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net,web3"'),
  },
  on: 'settings',
  check: (settings) => ({
    findings: listenersOn(settings, 'http', 'ws').flatMap((listener) => {
      const { api, enable } = settings.nodeKind.interfaces.flags[listener.kind];
      if (!listener.builtInList || api === null) return [];
      const switchName = (enable === null ? undefined : settings.keys[enable]?.name) ?? 'its switch';
      const key = settings.keys[api];
      if (key?.malformed === true) return []; // malformed-assignment reports it
      const reach = reachOf(listener);
      const offers = (listener.modules ?? settings.nodeKind.modules.builtIn).filter((name) => name !== 'rpc');
      const what =
        offers.length === 0
          ? 'the node has no module of its built-in list and offers only rpc'
          : `the node offers its built-in list, ${joinWords(offers)}`;
      return [
        {
          subject: listener.kind,
          severity: bySeverityAndReach('low', reach.reach, reach),
          at: key?.at ?? placeOfList(settings, listener.kind),
          message: `${listener.kind} is on and ${unlisted(settings, api, switchName)}: ${what}; ${reach.because}.`,
          fix: isWritten(key)
            ? advise(`Switch ${listener.kind} on with ${switchName}, or list the modules in --${api}.`)
            : listPublic(settings, api, [], { beside: enable }),
          evidence: { interface: listener.kind, modules: offers, reach: reach.reach },
        },
      ];
    }),
    blindSpots: listenerBlindSpots(settings, 'http', 'ws'),
  }),
};

/** Whether the launcher does not pass the list: it passes a list only together with its own switch. */
function isWritten(key: Key | undefined): boolean {
  return typeof key?.value === 'string' && key.value !== '';
}

function unlisted(settings: Settings, api: string, switchName: string): string {
  const key = settings.keys[api];
  return isWritten(key)
    ? `${key?.name} is not passed, because ${switchName} is off`
    : `${key?.name ?? `--${api}`} lists no module`;
}
