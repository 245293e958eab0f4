/** Files that a tool fills in before they are used: what is missing in them, and how to get the finished text. */

import type { Range } from './text/line-index.js';
import { maskPlaceholders, unfilled } from './text/placeholders.js';

export interface Template {
  /** The text with what is filled in masked, every place where it was. */
  readonly text: string;
  /** Lines of YAML of which nothing is known, not even how many they become. */
  readonly inserted: readonly Range[];
  /** For people: what is not known, and how to render it; null: it is not a template. */
  readonly note: string | null;
}

/** `yaml`: a line of which nothing is known is taken out, for no parser could tell what it is. */
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
    note: `${path} is a template: what it fills in is not known; render it first: ${commandFor(raw)}`,
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
