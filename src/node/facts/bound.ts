/** Whether a socket is the one that a setting binds. */
import { isIP } from 'node:net';

/** True for the address of a socket that a listener with this host binds, or may bind: a name is not resolved. */
export function isBoundTo(host: string | null, address: string): boolean {
  const bare = (host ?? '').replace(/^\[|\]$/g, '');
  const wildcards = ['::', '0.0.0.0'];
  if (host === null) return true;
  if (['', '*', ...wildcards].includes(bare)) return wildcards.includes(address);
  if (bare === 'localhost') return ['127.0.0.1', '::1'].includes(address);
  return isIP(bare) === 0 || bare === address;
}
