/** The file contains a key or password. */
import { encryptedKey } from '../../util/redact.js';
import { linesIn, type SecretFile } from '../facts/settings.js';
import { advise } from '../fix/proposal/fix.js';
import { hasAccountKey, inCheckout } from '../judge/exposure/tracked-secrets.js';
import { conf, decideVerdict, linux, type Rule } from '../judge/rule/rule.js';
import { type SecretInLine, secretSeverity, secretsIn } from '../judge/settings/secrets.js';
import { inside, placeOfFlags } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';

export const secretInConf: Rule = {
  id: 'secret-in-conf',
  anyRelease: true,
  severity: 'high',
  title: 'The file contains a key or password.',
  why: `A secret on the command line is visible to every user of the machine with ps, in logs that print the command line, and of programs written in Go at /debug/pprof/cmdline. A secret in a file is visible to everyone who can read the file, and packaged files are often readable by everyone (0644). A key, password or JWT secret in a git checkout is in every clone of the repository, and stays in its history after the file is deleted; a file that .gitignore lists is not in it.`,
  fix: 'Keep the secret in a file that only the node’s user can read (--nodekey FILE instead of --nodekeyhex), and replace it: assume that it was read.',
  ignore: 'If the key protects nothing of value, such as a key of a test network.',
  sources: [linux('man5/proc_pid_cmdline.5'), 'https://pkg.go.dev/net/http/pprof'],
  examples: {
    bad: conf('ADDITIONAL="--nodekeyhex 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"'),
    good: conf('ADDITIONAL="--nodekey /etc/kend/nodekey"'),
  },
  on: 'settings',
  check: (settings) => {
    const { source, secretFiles = [] } = settings;
    const files = [source.path, ...Object.keys(source.others ?? {})].filter(
      (file) => !isKey(linesIn(source, file)),
    );
    const lines = files.flatMap((file) =>
      secretsIn(linesIn(source, file)).map((secret) => inLine(settings, secret, file)),
    );
    const isKnown = ({ path, at }: SecretFile) =>
      lines.some(
        (one) => one.at.file === path || (at !== undefined && (inside(one.at, at) || inside(at, one.at))),
      );
    const { dataFolder } = settings.nodeKind.flags;
    const others = secretFiles.filter((one) => !isKnown(one));
    return decideVerdict([
      ...lines,
      ...inCheckout(others, ({ flag }) => placeOfFlags(settings, flag, dataFolder)),
    ]);
  },
  ofFiles: ({ files: secretFiles, source: { lines, path } }) => {
    const ofLines = secretsIn(lines).map((secret) => inLine({ secretFiles }, secret, path));
    return decideVerdict([...ofLines, ...inCheckout(secretFiles)]);
  },
};

/** Whether the file is a key and nothing else: it is a secret in a checkout, and where it belongs elsewhere. */
function isKey(lines: readonly string[]): boolean {
  const written = lines.filter((line) => /\S/.test(line));
  return written.length === 1 && /^\s*(?:0x)?[0-9a-f]{64}\s*$/i.test(written[0] ?? '');
}

/** What a line gives away; without a kind of node where its start is not judged. */
function inLine(settings: Partial<NodeSettings>, secret: SecretInLine, file: string) {
  const { start, nodeKind, secretFiles = [] } = settings;
  const { from, to, what, line } = secret;
  const at = { file, line, column: from + 1, endLine: line, endColumn: to + 1 };
  const word = start?.find((one) => one.at !== null && inside(at, one.at));
  const isUnused = word === undefined && /\.(?:sh|txt|ya?ml)$/.test(file);
  const shown =
    word === undefined
      ? ', for every user who can read the file'
      : (nodeKind?.interfaces.profilers.length ?? 0) > 0
        ? ': ps, the log and /debug/pprof/cmdline show it'
        : ': ps and the log show it';
  return {
    subject: word?.variable ?? 'line',
    severity: secretSeverity(secret, isUnused, hasAccountKey(secretFiles)),
    at,
    message:
      what === encryptedKey
        ? `This line contains ${what}: everyone who can read the file can try passwords on it.`
        : `This line contains a secret in clear text (${what})${shown}.`,
    fix: advise(
      /nodekeyhex|node-key-hex/.test(what)
        ? 'Create a new key, store it in a file with mode 0600 and pass that file with --nodekey.'
        : 'Replace the secret and store it in a file with mode 0600.',
    ),
  };
}
