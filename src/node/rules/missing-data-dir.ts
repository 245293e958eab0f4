/** DATA_DIR is empty, as in the packaged conf. */

import { advise } from '../fix/proposal/fix.js';
import { conf, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { startProblems } from '../judge/rule/start-problems.js';
import { isBroken } from '../judge/settings/assignments.js';
export const missingDataDir: Rule = {
  id: 'missing-data-dir',
  severity: 'info',
  title: 'DATA_DIR is empty, so the launcher refuses to start.',
  why: `The packaged tar confs leave DATA_DIR empty, and the launcher exits with "DATA_DIR not defined" until it is set. The rest of the file already decides what the node will expose. DATA_DIR is near the end of the file, so an unclosed quote above it also hides it.`,
  fix: 'Set DATA_DIR to the folder that holds the chain data.',
  ignore: 'If the conf is a template and DATA_DIR is set when the node is installed.',
  sources: launchers,
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=\n' },
    good: conf('RPC_ENABLE=0'),
  },
  on: 'shell',
  check: (shell, settings) =>
    isBroken(shell)
      ? decideVerdict([])
      : startProblems(settings, ['data-dir-missing'], () =>
          advise('Set DATA_DIR to the folder that holds the chain data.'),
        ),
};
