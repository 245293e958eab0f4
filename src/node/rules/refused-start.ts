/** The launcher itself exits before it starts the node. */

import { advise } from '../judge/fix/fix.js';
import { found, type Rule } from '../judge/rule/rule.js';
import { refusals } from '../judge/rule/start-problems.js';
import { isBroken } from '../judge/settings/assignments.js';
export const refusedStart: Rule = {
  id: 'refused-start',
  severity: 'medium',
  title: 'The launcher refuses to start the node.',
  why: `kcnd, kpnd and kend exit when neither NETWORK nor NETWORK_ID names a network, kspnd and ksend when NETWORK_ID is empty, and kbnd when the key file it names is missing.`,
  fix: 'Give the variable the value the launcher asks for.',
  examples: {
    bad: { conf: 'NETWORK_ID=\nDATA_DIR=/srv/ksend\n', launcher: 'ksend' },
    good: { conf: 'NETWORK_ID=3000\nDATA_DIR=/srv/ksend\n', launcher: 'ksend' },
  },
  on: 'shell',
  check: (shell, settings) =>
    isBroken(shell)
      ? found([])
      : refusals(settings, ['launcher-refuses'], ({ variable }) =>
          advise(`Give ${variable ?? 'the variable'} the value the launcher asks for.`),
        ),
};
