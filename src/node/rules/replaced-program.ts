/** BIN is the launcher's own: where the node's program lies. A conf that sets it decides what is run. */
import { advise } from '../judge/fix/fix.js';
import { conf, found, type Rule } from '../judge/rule/rule.js';

export const replacedProgram: Rule = {
  id: 'replaced-program',
  severity: 'high',
  title: 'The conf decides which program the launcher runs.',
  why: `The launcher sets BIN to its own folder, then sources the conf, then runs $BIN/ken: a conf that sets BIN has the launcher run a program from elsewhere, with the launcher’s rights, as the node.`,
  fix: 'Delete the line; link the launcher to another build where one is wanted.',
  examples: {
    bad: conf('BIN=/tmp/build/bin', 'RPC_ENABLE=0'),
    good: conf('RPC_ENABLE=0'),
  },
  on: 'shell',
  check: (shell) => {
    const last = shell.assignments.findLast(({ variable, effective }) => variable === 'BIN' && effective);
    if (last === undefined || last.kind === 'unset') return found([]);
    const folder = last.value ?? 'a folder that cannot be known offline';
    return found([
      {
        subject: 'BIN',
        at: last.at,
        message: `The launcher runs the node’s program from ${folder}, not from its own folder.`,
        fix: advise('Delete the line.'),
        evidence: { value: last.value },
      },
    ]);
  },
};
