/** Names of unknown parts of a text: as the file writes them, with their place. */
import type { Placed } from './placed.js';
import { unfilled } from './placeholders.js';

const forms = [
  String.raw`\$\((?:[^()]|\([^()]*\))*\)`,
  '`[^`]*`',
  String.raw`\$\{[^}]*\}`,
  String.raw`\$(?:[A-Za-z_]\w*|[\d@*])`,
  String.raw`\{\{.*?\}\}`,
  String.raw`\{%.*?%\}`,
  '<%.*?%>',
  String.raw`%\(\w+\)[a-z]`,
  '@[A-Z][A-Z0-9_]*@',
  '%[A-Za-z]',
  `${unfilled}+`,
];
/** What a shell, a unit, a container or a template expands. */
const expansion = new RegExp(forms.join('|'), 'gs');

/** The expansions in a text, in order; those of the shell have the name of their variable, or null. */
export function expansionsIn(text: Placed): { readonly at: Placed; readonly name: string | null }[] {
  return [...text.text.matchAll(expansion)].map(({ index, 0: all }) => ({
    at: text.slice(index, index + all.length),
    name: /^\$\{?[!#]?([A-Za-z_]\w*|[\d@*])/.exec(all)?.[1] ?? null,
  }));
}

/** A text for people: its unknown parts as the file writes them, such as `${DIR}/a.js`. */
export function showText(text: Placed): string {
  return text.text.replaceAll(new RegExp(`${unfilled}[${unfilled}\uFDD2]*`, 'g'), (run, at: number) => {
    const [name = ''] = text.source(at, at + run.length).written.match(expansion) ?? [];
    return /^[^\n\uFDD0-\uFDEF]{1,60}$/.test(name) ? name : '…';
  });
}

/** The same value with `…` in its texts for each part that a reader masked and nobody named. */
export function withoutPlaceholders<T>(value: T): T {
  return /[\uFDD0-\uFDEF]/.test(JSON.stringify(value)) ? (cleaned(value) as T) : value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\uFDD1\/?/g, '').replaceAll(/[\uFDD0-\uFDEF]+/g, '…');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleaned(one)]));
}

/** Characters of a name that are shown. */
const maxName = 60;

/** "$OPTS (run.sh:7)": the first unknown part of the text. `usual`: its name where the file expands nothing. */
export function unknownIn(text: Placed, usual?: string): string {
  const run = new RegExp(`${unfilled}+`).exec(text.text);
  const first = run?.index ?? 0;
  const { file, line, written } = text.source(first, run === null ? text.text.length : first + run[0].length);
  const name = (written.match(expansion)?.[0] ?? usual ?? written).trim().split('\n', 1)[0] || 'a text';
  const shown = name.length > maxName ? `${name.slice(0, maxName)}…` : name;
  return `${shown} (${file}:${line})`;
}
