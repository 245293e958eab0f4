/** The conf runs a command when it is sourced. */

import { sentence } from '../../util/words.js';
import { advise } from '../judge/fix/fix.js';
import { conf, found, type Rule } from '../judge/rule/rule.js';
import { setsVariables } from './opaque-value.js';

export const embeddedCommand: Rule = {
  id: 'embedded-command',
  severity: 'low',
  title: 'The launcher runs a command that stands in the conf.',
  why: `The file is sourced, so a command in it runs at every start, stop and status call, with the launcher’s rights: root under the RPM packages. What it does to variables cannot be known offline.`,
  fix: 'Move it to the service unit or to a script of its own.',
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
    if (first === undefined) return found([]);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return found([
      {
        subject: 'command',
        at: first.at,
        message: `${sentence(first.becomes.replace(/\.$/, '') + more)} kaiactl ran nothing.`,
        fix: advise('Delete the line, or move the command to the service unit.'),
        related: others.slice(0, 3).map(({ at }) => ({ at, note: 'this too' })),
        evidence: { commands: commands.length },
      },
    ]);
  },
};
