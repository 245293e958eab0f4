/** A conf as the options describe it. */
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import { loadNodes, theNode } from '../deployment/load.js';
import type { LoadOptions } from '../deployment/load-options.js';
import type { Conf } from '../facts/facts.js';
import { reaches } from '../facts/reach.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import { type AssumedReach, isLocal, listenerKinds } from '../facts/settings.js';
import type { Kind, KindReleases } from '../kinds/kind.js';
import type { Target } from '../probe/target.js';
import type { Editables } from '../sources/text/editable.js';
import type { ConfOptions } from './options/shared.js';

/** @throws {KaiactlError} when an --env is not NAME=value (exit 2) */
export function readConfOptions(options: ConfOptions, kinds: readonly Kind[]) {
  const env: Record<string, string> = {};
  for (const given of options.env ?? []) {
    const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(given);
    if (match === null) {
      const shown = visible(given.replace(/=.*$/s, '=…'), 60);
      throw new KaiactlError(`--env ${shown}: write it as NAME=value`, {
        hint: 'Example: --env RPC_API=klay',
      });
    }
    env[match[1] as string] = match[2] as string;
  }
  const nodeVersion = knownVersion(kinds, options.nodeVersion);
  return { ...options, kinds, nodeVersion, env } satisfies LoadOptions;
}

/** @throws {KaiactlError} when no kind of node has versions of this form (exit 2) */
export function knownVersion(
  kinds: readonly KindReleases[],
  text: string | undefined,
  place = '--node-version ',
): string | undefined {
  if (text === undefined || kinds.some(({ evidence }) => evidence.ofVersion(text) !== null)) return text;
  throw new KaiactlError(`${place}${visible(text, 60)} is not a version`, {
    hint: 'Example: --node-version v1.12.1',
  });
}

/** Whether the node is asked for: without --service, every node is. */
export function isAsked(conf: Seen<Conf> | null, { service }: Pick<LoadOptions, 'service'>): boolean {
  return service === undefined || (conf?.state === 'seen' && conf.value.settings.name === service);
}

/** No source starts the node of --service. */
export function noService(service: string): KaiactlError {
  return new KaiactlError(`no node is named ${visible(service, 60)}`, {
    hint: '--service is the name of a service, a unit or such as Deployment/geth; without it, the report names them.',
  });
}

/** A target with the files that edits of its settings are tried on; absent if there is none. */
export interface ReadTarget extends Target {
  readonly editables?: Editables | undefined;
}

/** The conf, or why it cannot be read, and the file that edits are tried on. */
export async function openConf(
  path: string,
  how: LoadOptions,
  host: Host,
): Promise<{ readonly conf: Seen<Conf>; readonly editables?: Editables | undefined }> {
  const loaded = await seenOrUnreadable(() => loadNodes(path, how, host));
  if (loaded.state !== 'seen') return { conf: loaded };
  const conf = await seenOrUnreadable(async () => theNode(visible(path), loaded.value, how));
  return { conf, editables: loaded.value.editables };
}

/** What `read` returns, or why it fails with a KaiactlError: an unreadable file affects only its own target. */
export async function seenOrUnreadable<T>(read: () => Promise<T>): Promise<Seen<T>> {
  try {
    return seen(await read());
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    return notSeen('unreadable', error.message);
  }
}

const stated = listenerKinds.filter((kind) => !isLocal(kind));
const possible = reaches.filter((reach) => reach !== 'ipc');

/**
 * Parses comma-separated `kind=reach` pairs, such as `http=private`; the last of a kind counts. Returns undefined
 * without pairs.
 * @throws {KaiactlError} on an invalid pair (exit 2)
 */
export function readAssumedReach(words: readonly string[] = []): AssumedReach | undefined {
  const pairs = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value] = pair.split('=').map((part) => part.trim());
      const kind = stated.find((one) => one === name);
      const reach = possible.find((one) => one === value);
      if (kind !== undefined && reach !== undefined && pair.split('=').length === 2) return [kind, reach];
      throw new KaiactlError(`--assume-reach ${visible(pair, 60)} is not <interface>=<reach>`, {
        hint: `Interfaces: ${stated.join(', ')}. Reaches: ${possible.join(', ')}. Example: http=private.`,
      });
    }),
  );
}
