/** A flag without its value, with a value it cannot take, or a word that is no flag at all. */
import { forConf } from './conf.js';
import { refusals } from './refusal.js';
import type { Rule } from './rule.js';

export const malformedFlag: Rule = {
  id: 'malformed-flag',
  severity: 'medium',
  title: 'The node cannot read its command line and refuses to start.',
  why: `The launcher splits the command line at blanks and removes no quotes: "klay, eth" inside ADDITIONAL reaches the node as two words with quotes in them, and a word that is no flag ends with "Unknown command". --flag false leaves such a word too; only --flag=false switches a boolean off.`,
  fix: 'Write --flag value or --flag=value, lists with commas only, and no quotes inside ADDITIONAL.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'ADDITIONAL="--grpc false"\nDATA_DIR=/var/kend/data\n' },
    good: { conf: 'ADDITIONAL="--grpc=false"\nDATA_DIR=/var/kend/data\n' },
  },
  check: forConf((conf) =>
    refusals(conf, ['stray-word', 'bad-value', 'missing-value'], ({ kind, flags }) =>
      kind === 'stray-word'
        ? 'Take the word out, or join it to its flag with = and no blanks.'
        : `${flags[0] ?? '--flag'}=<value>`,
    ),
  ),
};
