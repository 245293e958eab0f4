/** Flags that the node's release does not have, and others do: it does not start with them. */

import { groupBy } from '../../util/group-by.js';
import { joinWords } from '../../util/words.js';
import type { StartProblem } from '../facts/settings.js';
import { combineFixes, removeFlag } from '../fix/proposal/fix.js';
import { type Draft, decideVerdict, geth, type Rule } from '../judge/rule/rule.js';
import { isInAnother, isRemoved, otherReleasesWith } from '../judge/rule/start-problems.js';
import { addDashes, fileStart } from '../judge/settings/setting.js';
import type { NodeSettings } from '../kinds/node.js';
import { foundName } from '../kinds/release.js';

export const removedFlag: Rule = {
  id: 'removed-flag',
  needs: ({ flags }) => flags.removedTogether,
  severity: 'medium',
  title: 'The node’s release does not have a flag, and does not start with it.',
  why: `The node prints an error and exits when it meets a flag that it does not have. geth v1.9.14 added --http and its companions, and geth v1.10.9 removed --rpc and those beside it; geth v1.17.4 removed --unlock, --allow-insecure-unlock, --mine and others that had been without effect for some time. Where the release is not known, releases that refuse a flag are named in the findings about the others.`,
  fix: 'Remove the flag, or replace it by the one that the release has.',
  ignore: 'If the node is another release, which has the flag; --node-version names it.',
  sources: [
    geth('cmd/utils/flags_legacy.go'),
    'https://github.com/ethereum/go-ethereum/releases/tag/v1.17.4',
  ],
  examples: {
    bad: { command: 'geth --nousb', release: 'v1.17.8' },
    good: { command: 'geth --nousb', release: 'v1.13.15' },
  },
  on: 'settings',
  check: (settings) => {
    const removed = settings.problems.filter(
      (one) => isRemoved(settings, one) && !isInAnother(settings, one),
    );
    return decideVerdict(removed.length === 0 ? [] : [draft(settings, removed)]);
  },
};

function draft(settings: NodeSettings, removed: readonly StartProblem[]): Draft {
  const { release } = settings;
  const byFlag = new Map(removed.map((problem) => [problem.flags[0] as string, problem]));
  const byPeriod = groupBy([...byFlag.keys()], (flag) => otherReleasesWith(settings, flag));
  const periods = [...byPeriod].map(([period, flags]) => `${joinWords(flags.map(addDashes))} (${period})`);
  const [at = fileStart(settings), ...others] = removed.flatMap((one) => one.at ?? []);
  return {
    subject: [...byFlag.keys()].join(', '),
    at,
    message: `${release === undefined ? 'The node' : foundName(release)} refuses to start with ${joinWords(periods)}.`,
    fix: combineFixes(
      `Remove ${joinWords([...byFlag.keys()].map(addDashes))}, or replace them by flags that the release has.`,
      removed.map((problem) => removeFlag(settings, problem.flags[0] as string, problem)),
    ),
    related: others.map((place) => ({ at: place, note: 'another such flag' })),
    evidence: { flags: [...byFlag.keys()], fatal: true },
  };
}
