/** A flag this node binary does not have. */
import { closest } from '../util/closest.js';
import { forConf } from './conf.js';
import { refusals } from './refusal.js';
import type { Rule } from './rule.js';

export const unknownFlag: Rule = {
  id: 'unknown-flag',
  severity: 'medium',
  title: 'The node does not know a flag and refuses to start.',
  why: `An unknown flag is a usage error and the process exits; the seven binaries know different flags. LOG_MAXBACKUP does the same by itself: the launchers turn it into --log.maxbackup, which no node has (api/debug/flags.go has log.maxbackups).`,
  fix: 'Correct the flag or take it out.',
  needs: ['conf'],
  examples: {
    bad: { conf: 'ADDITIONAL="--allow-insecure-unlock"\nDATA_DIR=/var/kend/data\n' },
    good: { conf: 'ADDITIONAL="--txpool.nolocals"\nDATA_DIR=/var/kend/data\n' },
  },
  check: forConf((conf) =>
    refusals(conf, ['unknown-flag'], ({ flags }) => {
      const near = closest((flags[0] ?? '').replace(/^-+/, ''), Object.keys(conf.settings));
      return near === null ? `Take ${flags[0] ?? 'it'} out.` : `--${near}    (if that was meant)`;
    }),
  ),
};
