/** A YAML file named with --conf also sets values. */

import { advise } from '../fix/proposal/fix.js';
import { conf, decideVerdict, kaia, notApplicable, type Rule } from '../judge/rule/rule.js';
export const secondSource: Rule = {
  id: 'second-source',
  severity: 'medium',
  title: 'Settings also come from a YAML file that was not read.',
  why: `--conf names a YAML file. Its settings apply wherever neither a flag nor the environment sets a value, so it can switch interfaces on and fill empty lists. kaiactl did not read the file, so its effect is undetermined.`,
  fix: 'Move its settings into this file, or audit the running node, which shows the result.',
  ignore: 'If the YAML file was linted on its own and opens nothing.',
  sources: [kaia('cmd/utils/nodecmd/defaultcmd.go'), kaia('cmd/utils/config.go')],
  names: ['--conf'],
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
    return decideVerdict([
      {
        subject: path,
        at: word.at,
        message: `${path} was not read. Its settings apply wherever no flag and no environment variable sets a value, so it may open interfaces that this file leaves closed.`,
        fix: advise('Move its settings here, or audit the running node, which shows the result.'),
      },
    ]);
  },
};
