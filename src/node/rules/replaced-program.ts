/** The launcher sets BIN, the folder of the node’s program; a conf that sets it selects another program. */
import { advise } from '../fix/proposal/fix.js';
import { conf, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';

export const replacedProgram: Rule = {
  id: 'replaced-program',
  severity: 'high',
  title: 'The conf selects the program that the launcher runs.',
  why: `The launcher sets BIN to its own folder, sources the conf and then runs $BIN/ken. A conf that sets BIN makes the launcher run a program from another folder as the node, with the launcher’s rights.`,
  fix: 'Delete the line. To run another build, link the launcher to it.',
  ignore: 'If the other program is a build of the node that you made yourself.',
  sources: launchers,
  examples: {
    bad: conf('BIN=/tmp/build/bin', 'RPC_ENABLE=0'),
    good: conf('RPC_ENABLE=0'),
  },
  on: 'shell',
  check: (shell) => {
    const last = shell.assignments.findLast(({ variable, effective }) => variable === 'BIN' && effective);
    if (last === undefined || last.kind === 'unset') return decideVerdict([]);
    const folder = last.value ?? 'a folder that cannot be resolved offline';
    return decideVerdict([
      {
        subject: 'BIN',
        at: last.at,
        message: `The launcher runs the node’s program from ${folder} instead of its own folder.`,
        fix: advise('Delete the line.'),
        evidence: { value: last.value },
      },
    ]);
  },
};
