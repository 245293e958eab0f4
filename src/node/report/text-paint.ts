/** Colours of severities. */
import type { Severity } from '../facts/severity.js';

export type Paint = (severity: Severity, text: string) => string;

/** No colour. */
export const plain: Paint = (_severity, text) => text;

/** Loads chalk. */
export async function colours(): Promise<Paint> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const by: Readonly<Record<Severity, (text: string) => string>> = {
    critical: chalk.bold.red,
    high: chalk.red,
    medium: chalk.yellow,
    low: chalk.cyan,
    info: chalk.dim,
  };
  return (severity, text) => by[severity](text);
}
