/** Subnets as an operator names them. */
import { isIP } from 'node:net';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

export interface Network {
  readonly family: 4 | 6;
  /** `10.20.0.0/16`; a single address has its full length. */
  readonly cidr: string;
}

/** Reads `10.20.0.0/16`, `fd00::/8` or an address. @throws {KaiactlError} when it is neither, or is everybody (exit 2) */
export function readNetwork(given: string): Network {
  const [, address = '', length] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(given) ?? [];
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if ((family !== 4 && family !== 6) || prefix > bits)
    throw new KaiactlError(`--monitoring ${visible(given, 60)}: it is not a subnet`, {
      hint: 'Write an address and its prefix, for example --monitoring 10.20.0.0/16.',
    });
  if (prefix === 0)
    throw new KaiactlError(`--monitoring ${given}: that is every address`, {
      hint: 'The port serves the profiler too: name the subnet your monitoring is in.',
    });
  return { family, cidr: `${address.toLowerCase()}/${prefix}` };
}
