/** A flag without its value, with a value it cannot take, or a word that is not a flag at all. */

import { advise } from '../judge/fix/fix.js';
import { conf, type Rule } from '../judge/rule/rule.js';
import { refusals } from '../judge/rule/start-problems.js';
import { dashed } from '../judge/settings/setting.js';
export const malformedFlag: Rule = {
  id: 'malformed-flag',
  severity: 'medium',
  title: 'The node cannot read its command line and refuses to start.',
  why: `The launcher splits the command line at blanks and removes no quotes: "klay, eth" inside ADDITIONAL reaches the node as two words with quotes in them, and a word that is not a flag ends with "Unknown command". --flag false leaves such a word too; only --flag=false switches a boolean off.`,
  fix: 'Write --flag value or --flag=value, lists with commas only, and no quotes inside ADDITIONAL.',
  examples: {
    bad: conf('ADDITIONAL="--txpool.nolocals true"'),
    good: conf('ADDITIONAL="--txpool.nolocals=true"'),
  },
  on: 'settings',
  check: (settings) =>
    refusals(settings, ['stray-word', 'bad-value', 'missing-value'], ({ kind, flags, variable }) => {
      const where =
        variable !== null && variable !== 'ADDITIONAL' ? variable : dashed(flags[0] ?? 'the flag');
      return advise(
        kind === 'stray-word'
          ? 'Take the word out, or join it to its flag with = and no blanks.'
          : `Give ${where} a value that the node accepts.`,
      );
    }),
};
