/** Templates: the parts that are not known before rendering, and the command that renders them. */

import type { Range } from './text/line-index.js';
import { maskPlaceholders, unfilled } from './text/placeholders.js';

export interface Template {
  /** The text with its placeholders masked; all other text keeps its place. */
  readonly text: string;
  /** Lines of YAML that consist of placeholders: they may become any number of lines. */
  readonly inserted: readonly Range[];
  /** A note that says how to render the template; null: it is not a template. */
  readonly note: string | null;
}

/** `yaml`: lines that consist of placeholders are blanked, because they are not valid YAML. */
export function templateOf(path: string, raw: string, yaml: boolean): Template {
  const { text } = maskPlaceholders(raw);
  if (text === raw) return { text, inserted: [], note: null };
  const inserted = yaml
    ? [...text.matchAll(wholeLine)].map(({ index, 0: all }) => ({ start: index, end: index + all.length }))
    : [];
  const kept = yaml ? text.replaceAll(wholeLine, (all) => ' '.repeat(all.length)) : text;
  return {
    text: kept,
    inserted,
    note: `${path} is a template with unknown values; render it first: ${commandFor(raw)}`,
  };
}

const wholeLine = new RegExp(`^[ \\t]*${unfilled}+[ \\t]*$`, 'gm');

function commandFor(text: string): string {
  if (/\{\{-?\s*(?:include|toYaml|with|range)?[^}]*\.(?:Values|Release|Chart)\b/.test(text))
    return 'helm template CHART | kaiactl node lint -';
  if (/\$\{[A-Za-z_]\w*\./.test(text))
    return 'let terraform write it (local_file, templatefile) and lint the result';
  if (/\{\{-?\s*[.$]|\{\{-?\s*(?:if|range|end|define)\b/.test(text))
    return 'gomplate -f FILE | kaiactl node lint -';
  return 'jinja2 FILE VARIABLES.yml | kaiactl node lint -';
}
