/** The conf contains a command, which the launcher runs. */

import { sentence } from '../../util/words.js';
import { advise } from '../fix/proposal/fix.js';
import { bash, conf, decideVerdict, launchers, type Rule } from '../judge/rule/rule.js';
import { setsVariables } from './opaque-value.js';

export const embeddedCommand: Rule = {
  id: 'embedded-command',
  severity: 'low',
  title: 'The conf contains a command, which the launcher runs.',
  why: `The launcher sources the file, so a command in it runs at every start, stop and status call with the launcher’s rights: as root under the RPM packages. Its effect on variables cannot be known offline.`,
  fix: 'Move the command to the service unit or to a separate script.',
  ignore:
    'If the command must run before every launcher call and does not change a variable that the launcher reads.',
  sources: [...launchers, bash('Bourne-Shell-Builtins')],
  examples: {
    bad: conf('RPC_ENABLE=0', 'ulimit -n 65536'),
    good: conf('RPC_ENABLE=0', '# ulimit -n 65536: see the service unit'),
  },
  on: 'shell',
  check: (shell, settings) => {
    const marked = shell.syntaxIssues.some(({ kind }) => kind === 'byte-order-mark');
    const commands = shell.syntaxIssues.filter(
      (one) =>
        one.kind === 'command' &&
        !one.likelyMistake &&
        !setsVariables(settings, one) &&
        !(marked && one.at.line === 1),
    );
    const [first, ...others] = commands;
    if (first === undefined) return decideVerdict([]);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return decideVerdict([
      {
        subject: 'command',
        at: first.at,
        message: `${sentence(first.becomes.replace(/\.$/, '') + more)} kaiactl runs no commands.`,
        fix: advise('Delete the line, or move the command to the service unit.'),
        related: others.slice(0, 3).map(({ at }) => ({ at, note: 'also a command' })),
        evidence: { commands: commands.length },
      },
    ]);
  },
};
