/** How wide text may be. */
import type { Host, Output } from '../host.js';

/** The terminal's columns; for a file or a pipe what COLUMNS says, else 80. At least 20. */
export function widthOf(stream: Output, { env }: Pick<Host, 'env'>): number {
  const preset = /^\d{1,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 80;
  return Math.max(20, stream.columns ?? preset);
}
