/** The conf runs a command when it is sourced. */
import { forConf, found } from './conf.js';
import type { Rule } from './rule.js';

export const embeddedCommand: Rule = {
  id: 'embedded-command',
  severity: 'low',
  title: 'The launcher runs a command that stands in the conf.',
  why: `The file is sourced, so a command in it runs at every start, stop and status call, with the launcher’s rights: root under the RPM packages. What it does to variables cannot be known offline.`,
  fix: 'Move it to the service unit or to a script of its own.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nulimit -n 65536\nDATA_DIR=/var/kend/data\n' },
    good: { conf: 'RPC_ENABLE=0\n# ulimit -n 65536: see the service unit\nDATA_DIR=/var/kend/data\n' },
  },
  check: forConf((conf) =>
    found(
      conf.accidents
        .filter(({ kind, likelyMistake }) => kind === 'command' && !likelyMistake)
        .map(({ at, becomes }) => ({
          subject: 'command',
          at,
          message: `${becomes.charAt(0).toUpperCase()}${becomes.slice(1).replace(/\.$/, '')}. kaiactl ran nothing.`,
          fix: 'Delete the line, or move the command to the service unit.',
        })),
    ),
  ),
};
