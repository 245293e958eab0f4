/** Flags that other releases of a node have. */
import type { StartProblem } from '../../facts/settings.js';
import { gethFamily } from '../../kinds/families.js';
import type { NodeSettings } from '../../kinds/node.js';
import { isBefore, isExact } from '../../kinds/release.js';

/** True for a flag that older releases have, for kinds whose rule about it is removed-flag. */
export function isRemoved({ nodeKind }: NodeSettings, { kind, flags: [flag] }: StartProblem): boolean {
  if (kind !== 'unknown-flag' || flag === undefined || !gethFamily.some((id) => id === nodeKind.id))
    return false;
  return nodeKind.flags.period(flag)?.until !== undefined;
}

/** True if a release that the node may be has the flag: what the flag does is judged there. */
export function isInAnother(
  { nodeKind, release }: NodeSettings,
  { kind, flags: [flag] }: StartProblem,
): boolean {
  const period = kind === 'unknown-flag' && flag !== undefined ? nodeKind.flags.period(flag) : null;
  if (period === null || release === undefined || isExact(release)) return false;
  const { since = release.since, until = release.until } = period;
  return !isBefore(nodeKind, release.until, since) && !isBefore(nodeKind, until, release.since);
}
