/** A key or a password stands in the file. */

import { findSecrets } from '../../util/redact.js';
import type { Settings } from '../facts/settings.js';
import { advise } from '../judge/fix/fix.js';
import { conf, type Draft, found, type Rule } from '../judge/rule/rule.js';
import { inside } from '../judge/settings/setting.js';

export const secretInConf: Rule = {
  id: 'secret-in-conf',
  severity: 'high',
  title: 'A key or password stands in the file.',
  why: `What ADDITIONAL says becomes the node’s command line: any user of the machine reads it with ps, start-docker prints it to the log, and /debug/pprof/cmdline serves it. The RPM packages install the conf readable by everyone (0644).`,
  fix: 'Use a file only the node’s user can read (--nodekey FILE instead of --nodekeyhex), and replace the secret: it has been seen.',
  examples: {
    bad: conf('ADDITIONAL="--nodekeyhex 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"'),
    good: conf('ADDITIONAL="--nodekey /etc/kend/nodekey"'),
  },
  on: 'settings',
  check: (settings) => found(settings.source.lines.flatMap((text, at) => inLine(settings, text, at + 1))),
};

/** Secrets in a line; a comment may hold one too, and is read by the same eyes. */
function inLine({ source, start }: Settings, text: string, line: number): Draft[] {
  return findSecrets(text.slice(0, longest)).map(({ from, to, what }) => {
    const at = { file: source.path, line, column: from + 1, endLine: line, endColumn: to + 1 };
    const word = start?.find((one) => one.at !== null && inside(at, one.at));
    const shown =
      word === undefined
        ? ', for everyone who can read the file'
        : ': ps, the log and /debug/pprof/cmdline show it';
    return {
      subject: word?.variable ?? 'line',
      at,
      message: `A secret stands here in clear (${what})${shown}.`,
      fix: advise(
        /nodekeyhex|node-key-hex/.test(what)
          ? 'Make a new key, keep it in a file with mode 0600 and name that with --nodekey.'
          : 'Replace the secret and keep it in a file with mode 0600.',
      ),
    };
  });
}

const longest = 64_000;
