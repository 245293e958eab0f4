/** A flag without its value, with an invalid value, or a word that is not a flag. */

import { indeterminate } from '../facts/seen.js';
import { advise } from '../fix/proposal/fix.js';
import { mayBeOfFork } from '../judge/exposure/unknown-names.js';
import { bash, conf, kaia, type Rule } from '../judge/rule/rule.js';
import { startProblems } from '../judge/rule/start-problems.js';
import { addDashes, variableOf } from '../judge/settings/setting.js';
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
      [
        'stray-word',
        'dropped-line',
        'lone-backslash',
        'one-argument',
        'typographic-mark',
        'expanded-word',
        'bad-value',
        'missing-value',
      ],
      (problem) => {
        if (problem.kind === 'stray-word')
          return advise('Remove the word, or join it to its flag with = and without blanks.');
        if (problem.kind === 'dropped-line')
          return advise('End the line above with a backslash and nothing behind it, or delete this line.');
        if (problem.kind === 'lone-backslash') return advise('Delete the backslash, or a blank behind it.');
        if (problem.kind === 'one-argument')
          return advise(
            'Write each argument by itself: an item of its own in a list, without quotes around several.',
          );
        if (problem.kind === 'typographic-mark')
          return advise('Type hyphens (-) and straight quotes (" or \').');
        if (problem.kind === 'expanded-word') return advise('Write it in quotes: "*".');
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
