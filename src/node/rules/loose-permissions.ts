/** The conf can be written by others, or read by others while it holds a secret. */

import { findSecrets } from '../../util/redact.js';
import { advise } from '../judge/fix.js';
import { found, type Rule } from '../judge/rule.js';
import { fileStart } from '../judge/setting.js';

export const loosePermissions: Rule = {
  id: 'loose-permissions',
  severity: 'high',
  title: 'Others may write the conf, or read a secret in it.',
  why: `The launcher runs the file as shell code: who can write it runs commands as the node’s user, which is root under the RPM packages (their systemd units name no user).`,
  fix: 'chmod 640, owned by root or by the node’s user.',
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n', mode: 0o666 },
    good: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n', mode: 0o640 },
  },
  on: 'settings',
  check: (settings) => {
    if (settings.source.file === null) return { ...found([]), applicable: false };
    const mode = settings.source.file.mode & 0o777;
    const octal = mode.toString(8).padStart(4, '0');
    const common = { subject: octal, at: fileStart(settings), evidence: { mode: octal } };
    if ((mode & 0o022) !== 0) {
      const who = (mode & 0o002) !== 0 ? 'every user of the machine' : 'every member of its group';
      const fix = advise('Take the write permission from group and others: mode 0640.');
      return found([
        {
          ...common,
          fix,
          message: `The file has mode ${octal}: ${who} can write it, and the launcher runs what it says.`,
        },
      ]);
    }
    if (
      (mode & 0o004) !== 0 &&
      settings.source.lines.some((line) => findSecrets(line.slice(0, 64_000)).length > 0)
    ) {
      const message = `The file has mode ${octal} and holds a secret: every user of the machine can read it.`;
      return found([
        {
          ...common,
          severity: 'medium',
          fix: advise('Take the read permission from others: mode 0640.'),
          message,
        },
      ]);
    }
    return found([]);
  },
};
