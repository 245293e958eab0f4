/** What the completion scripts of all shells are written with. */
import { formats } from '../../node/report/index.js';
import type { CommandOutline } from '../outline.js';

/** The formats of `--report`. */
export const reports = Object.keys(formats);

/** `/node/lint`. */
export function key({ path }: CommandOutline): string {
  return path.map((word) => `/${word}`).join('');
}

/** Single quotes mean the same in all three; fish also reads backslashes inside them. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
}
