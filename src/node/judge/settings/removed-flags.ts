/** Flags that only older releases of a node have, for kinds whose rule about them is removed-flag. */
import type { StartProblem } from '../../facts/settings.js';
import { gethFamily } from '../../kinds/families.js';
import type { NodeSettings } from '../../kinds/node.js';

export function isRemoved({ nodeKind }: NodeSettings, { kind, flags: [flag] }: StartProblem): boolean {
  if (kind !== 'unknown-flag' || flag === undefined || !gethFamily.some((id) => id === nodeKind.id))
    return false;
  return nodeKind.flags.period(flag)?.until !== undefined;
}
