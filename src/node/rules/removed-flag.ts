/** A flag that a release of the node no longer has: it does not start with it. */

import { removeFlag } from '../judge/fix/fix.js';
import { type Draft, found, type Rule } from '../judge/rule/rule.js';
import { geth } from '../judge/rule/sources.js';
import { startProblems } from '../judge/rule/start-problems.js';
import { isRemoved } from '../judge/settings/removed-flags.js';
import { placeOf } from '../judge/settings/setting.js';
import { gethFamily } from '../kinds/families.js';
import type { NodeSettings } from '../kinds/node.js';
import { isExact, releaseName } from '../kinds/release.js';

export const removedFlag: Rule = {
  id: 'removed-flag',
  kinds: gethFamily,
  severity: 'medium',
  title: 'A release of the node no longer has a flag.',
  why: `The node prints an error and exits when it meets a flag that it does not have. geth v1.10.9 removed --rpc and its companions; geth v1.17.4 removed --unlock, --allow-insecure-unlock, --mine and others that had been without effect for some time. An image whose tag moves then no longer starts.`,
  fix: 'Remove the flag, or replace it by the one that took its place.',
  ignore: 'If the node stays at a release that has the flag.',
  sources: [
    geth('cmd/utils/flags_legacy.go'),
    'https://github.com/ethereum/go-ethereum/releases/tag/v1.17.4',
  ],
  examples: {
    bad: { command: 'geth --nousb' },
    good: { command: 'geth' },
  },
  on: 'settings',
  check: (settings) =>
    found([
      ...startProblems(removedOnly(settings), ['unknown-flag'], (problem) =>
        removeFlag(settings, problem.flags[0] ?? '', problem),
      ).findings,
      ...laterRemoved(settings),
    ]),
};

function removedOnly(settings: NodeSettings): NodeSettings {
  return { ...settings, problems: settings.problems.filter((problem) => isRemoved(settings, problem)) };
}

/** Flags that the node's release has, and a later one has not. */
function laterRemoved(settings: NodeSettings): Draft[] {
  const { nodeKind, values, release } = settings;
  if (release === undefined || !isExact(release)) return [];
  return Object.entries(values).flatMap(([flag, { origin, indeterminate }]) => {
    // The period of a flag takes a search; most values are defaults.
    const isGiven = indeterminate === null && (origin.kind === 'flag' || origin.kind === 'environment');
    const until = isGiven ? nodeKind.flags.period(flag)?.until : undefined;
    if (until === undefined) return [];
    const at = placeOf(settings, flag);
    const message = `The last release with --${flag} is ${releaseName(until)}: a later one does not start with it.`;
    const fix = removeFlag(settings, flag, { at });
    return [{ subject: flag, severity: 'low' as const, at, message, fix, evidence: { flag, until } }];
  });
}
