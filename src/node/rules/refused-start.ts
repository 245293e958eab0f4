/** The launcher exits before it starts the node. */

import { advise } from '../fix/proposal/fix.js';
import { decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { startProblems } from '../judge/rule/start-problems.js';
import { isBroken } from '../judge/settings/assignments.js';
export const refusedStart: Rule = {
  id: 'refused-start',
  severity: 'medium',
  title: 'The launcher refuses to start the node.',
  why: `kcnd, kpnd and kend exit when neither NETWORK nor NETWORK_ID names a network. kspnd and ksend exit when NETWORK_ID is empty. kbnd exits when the key file that its conf names is missing.`,
  fix: 'Set the variable to a value that the launcher accepts.',
  ignore: 'If the conf is a template and the variable is set when the node is installed.',
  sources: launchers,
  examples: {
    bad: { conf: 'NETWORK_ID=\nDATA_DIR=/srv/ksend\n', launcher: 'ksend' },
    good: { conf: 'NETWORK_ID=3000\nDATA_DIR=/srv/ksend\n', launcher: 'ksend' },
  },
  on: 'shell',
  check: (shell, settings) =>
    isBroken(shell)
      ? decideVerdict([])
      : startProblems(settings, ['launcher-refuses'], ({ variable }) =>
          advise(`Set ${variable ?? 'the variable'} to a value that the launcher accepts.`),
        ),
};
