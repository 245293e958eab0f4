/** The conf can be written by others, or read by others while it holds a secret. */

import { findSecrets } from '../../util/redact.js';
import type { SecretFile, Settings } from '../facts/settings.js';
import { advise } from '../judge/fix/fix.js';
import { type Draft, found, type Rule } from '../judge/rule/rule.js';
import { fileStart, placeOf } from '../judge/settings/setting.js';

export const loosePermissions: Rule = {
  id: 'loose-permissions',
  severity: 'high',
  title: 'Others may write the conf, or read a key or password of the node.',
  why: `The launcher runs the file as shell code: who can write it runs commands as the node’s user, which is root under the RPM packages (their systemd units name no user). The password files of SCSIGNER and of the bridges, the node key and the keystore are looked at too: their modes, never what they hold.`,
  fix: 'Mode 0640 for the conf, 0600 for keys and passwords, 0700 for their folders.',
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n', mode: 0o666 },
    good: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n', mode: 0o640 },
  },
  on: 'settings',
  check: (settings) => {
    const { source, secretFiles = [] } = settings;
    const { file } = source;
    const others = secretFiles.flatMap((one) => ofSecretFile(settings, one)).slice(0, most);
    return {
      ...found([...(file === null ? [] : ofConf(settings, file.mode)), ...others]),
      applicable: file !== null || secretFiles.length > 0,
    };
  },
};

/** Files beyond these are not told one by one. */
const most = 20;

/** `0640`. */
function octalOf(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

function ofConf(settings: Settings, mode: number): Draft[] {
  const octal = octalOf(mode);
  const common = { subject: octal, at: fileStart(settings), evidence: { mode: octal } };
  const holdsSecret = () =>
    settings.source.lines.some((line) => findSecrets(line.slice(0, 64_000)).length > 0);
  if ((mode & 0o022) !== 0) {
    const message = `The file has mode ${octal}: ${who(mode)} can write it, and the launcher runs what it says.`;
    return [
      { ...common, message, fix: advise('Take the write permission from group and others: mode 0640.') },
    ];
  }
  if ((mode & 0o004) === 0 || !holdsSecret()) return [];
  const message = `The file has mode ${octal} and holds a secret, which every user of the machine can read.`;
  const fix = advise('Take the read permission from others: mode 0640.');
  return [{ ...common, severity: 'medium', fix, message }];
}

function ofSecretFile(settings: Settings, { path, mode, flag, holds }: SecretFile): Draft[] {
  const octal = octalOf(mode);
  const write = (mode & 0o022) !== 0;
  if (!write && (mode & 0o004) === 0) return [];
  const does = write ? `${who(mode)} can replace it` : 'every user of the machine can read it';
  return [
    {
      subject: path,
      severity: write ? 'high' : 'medium',
      at: placeOf(settings, flag, 'datadir'),
      message: `${path} holds ${holds} and has mode ${octal}: ${does}.`,
      fix: advise(`Leave ${path} to the node’s user alone.`),
      evidence: { path, mode: octal },
    },
  ];
}

function who(mode: number): string {
  return (mode & 0o002) !== 0 ? 'every user of the machine' : 'every member of its group';
}
