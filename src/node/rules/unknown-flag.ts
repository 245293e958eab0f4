/** A flag that no release known here has, or that only prints a text. */

import { closest, distance } from '../../util/closest.js';
import type { Settings, StartProblem } from '../facts/settings.js';
import { advise, type Fix, renameFlag } from '../judge/fix/fix.js';
import { conf, found, type Rule } from '../judge/rule/rule.js';
import { refusals } from '../judge/rule/start-problems.js';
import { unknownTo } from '../judge/settings/unknown-names.js';

export const unknownFlag: Rule = {
  id: 'unknown-flag',
  severity: 'medium',
  title: 'A flag is not known.',
  why: `A release that does not know a flag prints its usage and exits; another release may know it. Until then nothing says whether it takes a value, so what stands behind it is read both ways and judged by the worse. The seven binaries know different flags. LOG_MAXBACKUP does the same by itself: the launchers turn it into --log.maxbackup, which no node has (api/debug/flags.go has log.maxbackups).`,
  fix: 'Correct the flag, or make sure that the node’s release has it.',
  examples: {
    bad: conf('ADDITIONAL="--allow-insecure-unlock"'),
    good: conf('ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    found(
      refusals(settings, ['unknown-flag', 'bad-syntax', 'ending-flag'], (one) => fix(settings, one)).findings,
      unknownTo(settings, null, unknownFlags(settings)),
    ),
};

/** Those of the launcher's own words no other release reads otherwise. */
function unknownFlags({ problems }: Settings): string[] {
  return problems
    .filter(
      ({ kind, variable }) => kind === 'unknown-flag' && (variable === null || variable === 'ADDITIONAL'),
    )
    .map(({ flags: [flag = ''] }) => `--${flag}`);
}

function fix(settings: Settings, { kind, flags: [flag], variable, at }: StartProblem): Fix {
  if (variable !== null && variable !== 'ADDITIONAL')
    return advise(`Delete the line of ${variable}, or comment it out.`);
  if (flag === undefined) return advise('Write it as --name or --name=value, or take it out.');
  if (kind === 'ending-flag') return advise(`Take --${flag} out.`);
  const near = closest(flag, Object.keys(settings.values));
  if (near === null) return advise(`Take --${flag} out, unless the node’s release has it.`);
  const say = `Write --${near} if that was meant, or take --${flag} out.`;
  return distance(flag, near) === 1 ? renameFlag(settings, { at }, flag, near, say) : advise(say);
}
