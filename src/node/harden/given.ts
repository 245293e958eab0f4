/** Validates what the operator gives: subnets and host names. */
import { isIP } from 'node:net';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Settings } from '../facts/settings.js';

export interface Network {
  readonly family: 4 | 6;
  /** `10.20.0.0/16`; for a single address `/32` or `/128`. */
  readonly cidr: string;
}

/** Parses `10.20.0.0/16`, `fd00::/8` or an address. @throws {KaiactlError} when invalid or every address (exit 2) */
export function readNetwork(given: string): Network {
  const [, address = '', length] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(given) ?? [];
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if ((family !== 4 && family !== 6) || prefix > bits)
    throw new KaiactlError(`--monitoring ${visible(given, 60)} is not a subnet`, {
      hint: 'Write an address and its prefix, for example --monitoring 10.20.0.0/16.',
    });
  if (prefix === 0)
    throw new KaiactlError(`--monitoring ${given} is every address`, {
      hint: 'The port also serves the profiler: name the subnet of your monitoring.',
    });
  return { family, cidr: `${address.toLowerCase()}/${prefix}` };
}

/** Whether the host name has a dot: it is safe unquoted in a proxy's file. */
function isServerName(name: string): boolean {
  return (
    name.length <= 253 &&
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(name) &&
    isIP(name) === 0 &&
    !name.endsWith('.localhost')
  );
}

/** The first host name in the node's list of Host names; null when there is none. */
export function serverNameOf({ listeners }: Settings): string | null {
  return listeners.flatMap(({ vhosts }) => vhosts ?? []).find(isServerName) ?? null;
}

/** Parses --server-name. @throws {KaiactlError} when it is not a host name (exit 2) */
export function readServerName(given: string): string {
  const name = given.toLowerCase();
  if (isServerName(name)) return name;
  throw new KaiactlError(`--server-name ${visible(given, 60)} is not a host name`, {
    hint: 'Give the name that clients use, for example --server-name en.example.com.',
  });
}
