/** Under which name a proxy is reached. */
import { isIP } from 'node:net';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Settings } from '../facts/settings.js';

/** True for a host name with a dot in it: nothing else can stand in a proxy's file unquoted. */
function isServerName(name: string): boolean {
  return (
    name.length <= 253 &&
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(name) &&
    isIP(name) === 0 &&
    !name.endsWith('.localhost')
  );
}

/** The first host name of those the node answers to; null: it lists none. */
export function serverNameOf({ listeners }: Settings): string | null {
  return listeners.flatMap(({ vhosts }) => vhosts ?? []).find(isServerName) ?? null;
}

/** @throws {KaiactlError} when it is not a host name (exit 2) */
export function readServerName(given: string): string {
  const name = given.toLowerCase();
  if (isServerName(name)) return name;
  throw new KaiactlError(`--server-name ${visible(given, 60)}: it is not a host name`, {
    hint: 'Write the name clients use, for example --server-name en.example.com.',
  });
}
