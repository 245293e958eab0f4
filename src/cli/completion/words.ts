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

/** The options that take a value, each with the key of its command. */
export function optionsWithValue(commands: readonly CommandOutline[]) {
  return commands.flatMap((command) =>
    command.options
      .filter(({ values }) => values.kind !== 'none')
      .map(({ names, values }) => ({ at: key(command), names, values })),
  );
}

/** In single quotes, without backslashes: fish reads them inside quotes. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
}

export function joinChoices(values: Values): string {
  return 'words' in values ? values.words.join(' ') : '';
}
