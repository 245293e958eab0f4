/** The launcher restarts the node by itself, without reading the conf again. */

import { advise } from '../judge/fix/fix.js';
import { conf, found, type Rule } from '../judge/rule/rule.js';
import { effectiveAssignment } from '../judge/settings/assignments.js';
import { fileStart } from '../judge/settings/setting.js';

export const staleRestart: Rule = {
  id: 'stale-restart',
  severity: 'info',
  title: 'The node is restarted without its conf being read again.',
  why: `With AUTO_RESTART_NODE=1 the launcher script stays in a loop and starts the node again when it ends, with the variables it read when the script itself was started. An edit of this file, a closed interface for one, takes effect only when the script is restarted. AUTO_RESTART=1 does read it again.`,
  fix: 'After an edit restart through the launcher (kend restart), not by ending the node.',
  examples: {
    bad: conf('AUTO_RESTART_NODE=1'),
    good: conf('AUTO_RESTART_NODE=0'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const variable = 'AUTO_RESTART_NODE';
    const value = shell.variables[variable];
    if (!shell.reads.includes(variable) || value?.trim() !== '1') return found([]);
    return found([
      {
        subject: variable,
        at: effectiveAssignment(shell, variable)?.at ?? fileStart(settings),
        message: `${variable} starts the node again without reading this file: an edit counts from the next ${settings.launcher} restart.`,
        fix: advise(`After an edit run ${settings.launcher} restart.`),
      },
    ]);
  },
};
