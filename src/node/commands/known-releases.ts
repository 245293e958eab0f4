/** The releases of each kind of node whose flags, modules and variables are known, as `kaiactl --version -v` prints them. */
import { kinds } from '../kinds/index.js';
import { anyRelease, rangeName } from '../kinds/release.js';

export function knownReleases(): string {
  return kinds.map((kind) => `${kind.label}: ${rangeName(anyRelease(kind))}`).join('\n');
}
