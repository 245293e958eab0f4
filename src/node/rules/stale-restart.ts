/** The launcher restarts the node without reading the conf again. */

import { advise } from '../fix/proposal/fix.js';
import { conf, decideVerdict, kaia, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';
import { fileStart } from '../judge/settings/setting.js';

export const staleRestart: Rule = {
  id: 'stale-restart',
  severity: 'info',
  title: 'The launcher restarts the node without reading the conf again.',
  why: `With AUTO_RESTART_NODE=1 the launcher script runs in a loop and starts the node again when it ends, with the variables that the script read at its own start. An edit of this file takes effect only when the script is restarted. AUTO_RESTART=1 does read the file again.`,
  fix: 'After an edit, restart the node with the launcher (kend restart) instead of stopping it.',
  ignore: 'If operators always restart the node through its launcher.',
  sources: [kaia('build/packaging/linux/bin/kend')],
  names: ['AUTO_RESTART_NODE'],
  examples: {
    bad: conf('AUTO_RESTART_NODE=1'),
    good: conf('AUTO_RESTART_NODE=0'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const variable = 'AUTO_RESTART_NODE';
    const value = shell.variables[variable];
    if (!shell.reads.includes(variable) || value?.trim() !== '1') return decideVerdict([]);
    return decideVerdict([
      {
        subject: variable,
        at: effectiveAssignment(shell, variable)?.at ?? fileStart(settings),
        message: `${variable} restarts the node without reading this file: an edit takes effect only after ${settings.launcher} restart.`,
        fix: advise(`After an edit run ${settings.launcher} restart.`),
      },
    ]);
  },
};
