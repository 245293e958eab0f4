/** A flag this node binary does not have. */

import { closest } from '../../util/closest.js';
import { advise, takeOut } from '../judge/fix.js';
import { refusals } from '../judge/refusal.js';
import { conf, type Rule } from '../judge/rule.js';

export const unknownFlag: Rule = {
  id: 'unknown-flag',
  severity: 'medium',
  title: 'The node does not know a flag and refuses to start.',
  why: `An unknown flag is a usage error and the process exits; the seven binaries know different flags. LOG_MAXBACKUP does the same by itself: the launchers turn it into --log.maxbackup, which no node has (api/debug/flags.go has log.maxbackups).`,
  fix: 'Correct the flag or take it out.',
  examples: {
    bad: conf('ADDITIONAL="--allow-insecure-unlock"'),
    good: conf('ADDITIONAL="--txpool.nolocals"'),
  },
  on: 'settings',
  check: (settings) =>
    refusals(settings, ['unknown-flag'], ({ flags, variable, at }) => {
      if (variable !== null && variable !== 'ADDITIONAL')
        return advise(`Delete the line of ${variable}, or comment it out.`);
      const flag = flags[0]?.replace(/^-+/, '');
      if (flag === undefined) return advise('Write it as --name or --name=value, or take it out.');
      const near = closest(flag, Object.keys(settings.values));
      return near === null
        ? takeOut(settings, flag, { at })
        : advise(`Write --${near} if that was meant, or take --${flag} out.`);
    }),
};
