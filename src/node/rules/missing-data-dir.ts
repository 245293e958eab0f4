/** DATA_DIR is empty: as packaged, before the operator fills it in. */

import { advise } from '../judge/fix/fix.js';
import { conf, found, type Rule } from '../judge/rule/rule.js';
import { refusals } from '../judge/rule/start-problems.js';
import { isBroken } from '../judge/settings/assignments.js';
export const missingDataDir: Rule = {
  id: 'missing-data-dir',
  severity: 'info',
  title: 'DATA_DIR is empty, so the launcher refuses to start.',
  why: `The packaged tar confs leave DATA_DIR empty and the launcher exits with "DATA_DIR not defined" until it is set. Everything else in the file already says what the node will expose once it is. It stands on the last lines: an unclosed quote above it swallows it.`,
  fix: 'Set DATA_DIR to the folder that holds the chain data.',
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=\n' },
    good: conf('RPC_ENABLE=0'),
  },
  on: 'shell',
  check: (shell, settings) =>
    isBroken(shell)
      ? found([])
      : refusals(settings, ['data-dir-missing'], () =>
          advise('Set DATA_DIR to the folder that holds the chain data.'),
        ),
};
