/** Shared by the completion scripts. */
import { formats } from '../../node/report/index.js';
import type { CommandOutline } from '../outline.js';

/** The formats of `--report`. */
export const reports = Object.keys(formats);

/** `/node/lint`. */
export function key({ path }: CommandOutline): string {
  return path.map((word) => `/${word}`).join('');
}

/** In single quotes, without backslashes: fish reads them inside quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
}
