/** A flag without its value, with an invalid value, or a word that is not a flag. */

import { indeterminate } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { mayBeOfFork } from '../judge/exposure/unknown-names.js';
import { bash, conf, kaia, type Rule } from '../judge/rule/rule.js';
import { startProblems } from '../judge/rule/start-problems.js';
import { addDashes, variableOf } from '../judge/settings/setting.js';

/** What to do about words that no flag takes. */
const remedies = {
  'stray-word': 'Remove the word, or join it to its flag with = and without blanks.',
  'dropped-line': 'End the line above with a backslash and nothing behind it, or delete this line.',
  'lone-backslash': 'Delete the backslash, or a blank behind it.',
  'one-argument':
    'Write each argument by itself: an item of its own in a list, without quotes around several.',
  'typographic-mark': 'Type hyphens (-) and straight quotes (" or \').',
  'expanded-word': 'Write it in quotes: "*".',
} as const;

export const malformedFlag: Rule = {
  id: 'malformed-flag',
  severity: 'medium',
  title: 'The node cannot parse its command line and refuses to start.',
  why: `A word that is neither a flag nor the value of one stops the node with an error. Quotes inside a variable are not removed: "eth, net" inside a variable of flags reaches the node as two words with quotes. A boolean flag takes a value only after =: --flag=false. In --flag false, false is a stray word. A shell replaces * without quotes by the names of files.`,
  fix: 'Write --flag value or --flag=value, separate list items with commas only, and use no quotes inside variables of flags.',
  ignore: 'Never: the node does not start.',
  sources: [kaia('cmd/utils/flags.go'), bash('Word-Splitting')],
  examples: {
    bad: conf('ADDITIONAL="--txpool.nolocals true"'),
    good: conf('ADDITIONAL="--txpool.nolocals=true"'),
  },
  on: 'settings',
  check: (settings) => ({
    ...startProblems(
      settings,
      [...(Object.keys(remedies) as (keyof typeof remedies)[]), 'bad-value', 'missing-value'],
      (problem) => {
        const remedy = remedies[problem.kind as keyof typeof remedies];
        if (remedy !== undefined) return advise(remedy);
        const [flag] = problem.flags;
        const where = variableOf(settings, problem) ?? (flag === undefined ? null : addDashes(flag));
        return advise(
          where === null ? 'Correct the file at this place.' : `Give ${where} a value that the node accepts.`,
        );
      },
      // A name that is no flag is a key of the node's own file.
      ({ flags: [name] }) =>
        name !== undefined &&
        settings.nodeKind.flags.ofAnyProgram(name) === null &&
        mayBeOfFork(settings, name)
          ? 'low'
          : undefined,
    ),
    blindSpots: settings.problems
      .filter(({ kind }) => kind === 'typographic-mark')
      .slice(0, 1)
      .map(({ message }) =>
        indeterminate(
          null,
          `${message}; what the node makes of the words behind it is not known, and they are judged as they are meant`,
        ),
      ),
  }),
};
