/** Other users can write the conf, or can read it while it contains a secret. */

import { linesIn, modesOf, octalOf, type SecretFile, type Settings } from '../facts/settings.js';
import { advise } from '../fix/proposal/fix.js';
import { type Draft, decideVerdict, launchers, linux, type Rule } from '../judge/rule/rule.js';
import { secretsIn } from '../judge/settings/secrets.js';
import { fileStart, placeOfFlags } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const loosePermissions: Rule = {
  id: 'loose-permissions',
  anyRelease: true,
  severity: 'high',
  title: 'Other users can write the conf, or can read a key or password of the node.',
  why: `A launcher runs its conf as shell code: whoever can write the file runs commands as the node’s user, often root. kaiactl also checks the modes of the node key, the keystore, the JWT secret and the password files that a start names or mounts. It reads none but the JWT secret, to compare it with those that public repositories print. Modes of other files of a git checkout are not checked: git keeps none.`,
  fix: 'Use mode 0640 for the conf, 0600 for keys and passwords, and 0700 for their folders.',
  ignore: 'If every member of the group that can write or read the file may also control the node.',
  sources: [...launchers, linux('man7/inode.7')],
  examples: {
    bad: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n', mode: 0o666 },
    good: { conf: 'RPC_ENABLE=0\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n', mode: 0o640 },
  },
  on: 'settings',
  check: (settings) => {
    // Those in a checkout are for secret-in-conf: a umask decides their modes.
    const secretFiles = (settings.secretFiles ?? []).filter(({ isTracked }) => isTracked !== true);
    // A cluster, and the machines of a playbook, have copies of the files.
    const isCopied = ['kubernetes', 'ansible'].includes(settings.source.kind);
    const files = isCopied ? [] : [...modesOf(settings)];
    const drafts = [
      ...files.flatMap(([path, mode]) => ofFile(settings, path, mode)),
      ...secretFiles.flatMap((one) => ofSecretFile(settings, one)),
    ];
    return { ...decideVerdict(drafts.slice(0, most)), applicable: files.length + secretFiles.length > 0 };
  },
};

/** Findings are limited to this many files. */
const most = 20;

function ofFile(settings: Settings, path: string, mode: number): Draft[] {
  const { source } = settings;
  const octal = octalOf(mode & 0o777);
  const start = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const at = path === source.path ? fileStart(settings) : start;
  const common = { subject: octal, at, evidence: { mode: octal } };
  if ((mode & 0o022) !== 0) {
    const isConf = source.kind === 'conf' && path === source.path;
    const runs = isConf ? 'the launcher runs its contents' : 'it decides how the node is started';
    const to = isConf ? 'Set mode 0640' : 'Use chmod go-w';
    const message = `The file has mode ${octal}: ${who(mode)} can write it, and ${runs}.`;
    return [{ ...common, message, fix: advise(`${to}, so that group and others cannot write it.`) }];
  }
  if ((mode & 0o004) === 0 || secretsIn(linesIn(source, path)).length === 0) return [];
  const message = `The file has mode ${octal} and contains a secret, which every user of the machine can read.`;
  return [{ ...common, severity: 'medium', fix: advise('Let only its owner and group read it.'), message }];
}

function ofSecretFile(settings: NodeSettings, { path, mode, flag, holds }: SecretFile): Draft[] {
  const octal = octalOf(mode & 0o777);
  const write = (mode & 0o022) !== 0;
  if (!write && (mode & 0o004) === 0) return [];
  const does = write ? `${who(mode)} can replace it` : 'every user of the machine can read it';
  return [
    {
      subject: path,
      severity: write ? 'high' : 'medium',
      at: placeOfFlags(settings, flag, settings.nodeKind.flags.dataFolder),
      message: `${path} contains ${holds} and has mode ${octal}: ${does}.`,
      fix: advise(`Let only the node’s user access ${path}.`),
      evidence: { path, mode: octal },
    },
  ];
}

function who(mode: number): string {
  return (mode & 0o002) !== 0 ? 'every user of the machine' : 'every member of its group';
}
