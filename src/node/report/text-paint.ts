/** Colours of severities. */
import type { RuleInfo } from '../facts/report.js';
import { forSeverities, type Severity } from '../facts/severity.js';
import { rulePage } from './listing.js';

export interface Paint {
  (severity: Severity, text: string): string;
  /** The name of a rule as a link to its page; absent if the terminal shows none. */
  readonly rule?: (id: string) => string;
}

/** No colour. */
export const plain: Paint = (_severity, text) => text;

/** Links the names of rules to their pages on the web (OSC 8). */
export function linking(paint: Paint, rules: readonly RuleInfo[]): Paint {
  const pages = new Map(rules.map(({ id }) => [id, rulePage(rules, id)]));
  const rule = (id: string): string => {
    const page = pages.get(id);
    return page?.startsWith('http') ? `\u001b]8;;${encodeURI(page)}\u001b\\${id}\u001b]8;;\u001b\\` : id;
  };
  return Object.assign((severity: Severity, text: string) => paint(severity, text), { rule });
}

/** Loads chalk. */
export async function colours(): Promise<Paint> {
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const by = forSeverities(chalk.bold.red, chalk.red, chalk.yellow, chalk.cyan, chalk.dim);
  return (severity, text) => by[severity](text);
}
