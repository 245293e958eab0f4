/** Whether colour is wanted. */
import type { Host, Output } from '../host.js';

/**
 * --no-color, then NO_COLOR (any value), then FORCE_COLOR (0 and false say no), then whether the stream is a terminal
 * that is not dumb.
 */
export function wantsColor(
  options: { readonly color: boolean },
  host: Pick<Host, 'env'>,
  stream: Output,
): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = host.env;
  if (!options.color || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY === true && TERM !== 'dumb';
}
