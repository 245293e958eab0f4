/** Names that no release known here has: what another release makes of them. */
import { listedFirst } from '../../../util/words.js';
import { type Assumed, reachOf } from '../../facts/reach.js';
import { type BlindSpot, indeterminate } from '../../facts/seen.js';
import type { Settings } from '../../facts/settings.js';
import { kindOf, olderKind } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { listenersOn } from './listeners.js';

/** "not a flag of the releases known here (v2.2.1)" */
export function knownHere({ kind }: Pick<NodeIdentity, 'kind'>): string {
  return `the releases known here (${kindOf(kind ?? olderKind).releases})`;
}

/** True when others than users of this machine are let in. */
export function isBeyondMachine({ reach }: Pick<Assumed, 'reach'>): boolean {
  return reach === 'private' || reach === 'any';
}

/** True when others than users of this machine reach an interface that serves JSON-RPC or gRPC. */
export function isNodeReached(settings: Settings): boolean {
  return listenersOn(settings, 'http', 'ws', 'grpc').some((one) => isBeyondMachine(reachOf(one)));
}

/** What these names open in another release cannot be known. `about`: the interface; null: the node. */
export function unknownTo(
  node: Pick<NodeIdentity, 'kind'>,
  about: string | null,
  names: readonly string[],
): BlindSpot[] {
  if (names.length === 0) return [];
  const reason = `${knownHere(node)} do not know ${listedFirst([...new Set(names)], 3)}: another release may`;
  return [indeterminate(about, reason)];
}
