/** Parses `--assume-reach http=private`. */
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import { reaches } from '../facts/reach.js';
import type { AssumedReach } from '../facts/settings.js';
import { listenerKinds } from '../facts/settings.js';

const kinds = listenerKinds.filter((kind) => kind !== 'ipc');
const possible = reaches.filter((reach) => reach !== 'ipc');

/**
 * Parses comma-separated `kind=reach` pairs; the last of a kind counts. undefined: no pairs.
 * @throws {KaiactlError} on an invalid pair (exit 2)
 */
export function readAssumedReach(words: readonly string[] = []): AssumedReach | undefined {
  const pairs = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value] = pair.split('=').map((part) => part.trim());
      const kind = kinds.find((one) => one === name);
      const reach = possible.find((one) => one === value);
      if (kind !== undefined && reach !== undefined && pair.split('=').length === 2) return [kind, reach];
      throw new KaiactlError(`--assume-reach ${visible(pair, 60)} is not <interface>=<reach>`, {
        hint: `Interfaces: ${kinds.join(', ')}. Reaches: ${possible.join(', ')}. Example: http=private.`,
      });
    }),
  );
}
