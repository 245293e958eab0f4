/** An interface is on and no module list is given. */

import { bySeverityAndReach, reachOf } from '../facts/reach.js';
import { blindListeners, forConf, listed, listenersOn } from '../judge/conf.js';
import type { Rule } from '../judge/rule.js';
import { placeOf, settingsOf } from '../judge/setting.js';
import { builtInModules } from '../kinds/kaia/modules.js';

export const implicitModules: Rule = {
  id: 'implicit-modules',
  severity: 'medium',
  title: 'No module list is given, so the built-in one applies.',
  why: `An empty list is neither nothing nor everything: the launcher passes no flag and the node offers net, web3, kaia and eth (cmd/utils/config.go). Who emptied the list to close the interface has not closed it, and a new release may change what is built in.`,
  fix: 'Write the list out; to offer nothing, switch the interface off.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API=""\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net,web3"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  check: forConf((conf) => ({
    findings: listenersOn(conf, 'http', 'ws').flatMap((listener) => {
      if (!listener.builtInList) return [];
      const settings = settingsOf[listener.kind === 'ws' ? 'ws' : 'http'];
      const [flag, variable] = settings.api;
      if (conf.syntaxIssues.some((one) => one.variable === variable && one.likelyMistake)) return []; // said there
      const written = conf.assignments.findLast((one) => one.variable === variable);
      const reach = reachOf(listener);
      const modules = listed(builtInModules);
      return [
        {
          subject: listener.kind,
          severity: bySeverityAndReach('medium', reach.reach),
          at: written?.at ?? placeOf(conf, flag, settings.enable[0]),
          message: `${listener.kind} is on and ${variable} names no module: the node offers its built-in list, ${modules}; ${reach.because}.`,
          fix: conf.reads.includes(variable)
            ? `${variable}="klay,eth,net,web3"`
            : `ADDITIONAL="$ADDITIONAL --${flag} klay,eth,net,web3"`,
          evidence: { interface: listener.kind, modules: builtInModules, reach: reach.reach },
        },
      ];
    }),
    blindSpots: blindListeners(conf, 'http', 'ws'),
  })),
};
