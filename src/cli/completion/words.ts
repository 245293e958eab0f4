/** Shared by the completion scripts. */
import { formats } from '../../node/report/index.js';
import type { CommandOutline, Values } from '../outline.js';

/** The formats of `--report`. */
export const reports = Object.keys(formats);

/** `/node/lint`. */
export function key({ path }: CommandOutline): string {
  return path.map((word) => `/${word}`).join('');
}

/** What may follow a command: its own words, or the commands below it. */
export function below({ values, children }: CommandOutline): readonly string[] {
  return values.kind === 'words' ? values.words : children.map(({ name }) => name);
}

/** In single quotes, without backslashes: fish reads them inside quotes. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
}

export function joinChoices(values: Values): string {
  return 'words' in values ? values.words.join(' ') : '';
}
