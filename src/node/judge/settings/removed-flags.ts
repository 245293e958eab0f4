/** Flags that only older releases of a node have, for kinds whose rule about them is removed-flag. */
import type { StartProblem } from '../../facts/settings.js';
import { gethFamily } from '../../kinds/families.js';
import type { NodeSettings } from '../../kinds/node.js';

export function isRemoved({ nodeKind }: NodeSettings, { flags: [flag] }: StartProblem): boolean {
  if (flag === undefined || !gethFamily.some((id) => id === nodeKind.id)) return false;
  return nodeKind.flags.period(flag)?.until !== undefined;
}
