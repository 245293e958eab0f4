/** A YAML file named with --conf also sets what the node does. */

import { advise } from '../judge/fix/fix.js';
import { conf, found, notApplicable, type Rule } from '../judge/rule/rule.js';
export const secondSource: Rule = {
  id: 'second-source',
  severity: 'medium',
  title: 'Settings also come from a YAML file.',
  why: `--conf names a YAML file whose settings apply wherever neither the command line nor the environment speaks: it can switch interfaces on and fill lists this file leaves alone. kaiactl does not read it, so what it could decide stays open.`,
  fix: 'Move its settings into the conf, or audit the running node, which shows the result.',
  examples: {
    bad: conf('RPC_ENABLE=0', 'ADDITIONAL="--conf /etc/kend/node.yaml"'),
    good: conf('RPC_ENABLE=0', 'ADDITIONAL=""'),
  },
  on: 'settings',
  check: (settings) => {
    const words = settings.start ?? [];
    const at = words.findIndex(({ text }) => /^--?conf(?:=|$)/.test(text ?? ''));
    const word = words[at];
    if (word === undefined || word.at === null) return notApplicable;
    const unread = Object.values(settings.values).some(
      ({ origin, indeterminate }) => origin.kind === 'yaml' && indeterminate !== null,
    );
    if (!unread) return notApplicable;
    const inline = word.text?.split('=')[1];
    const path = inline ?? words[at + 1]?.text ?? 'a file not known offline';
    return found([
      {
        subject: path,
        at: word.at,
        message: `${path} sets whatever no flag and no environment variable sets; it was not read, so it may open interfaces this file leaves closed.`,
        fix: advise('Move its settings here, or audit the running node, which shows the result.'),
      },
    ]);
  },
};
