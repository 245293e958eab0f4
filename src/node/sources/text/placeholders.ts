/** Placeholders of templates. Only the template's own tool knows their values. */

import type { Range } from './line-index.js';

/** Replaces each character of a placeholder, so that offsets stay the same. Unicode noncharacter: it occurs in no text. */
export const unfilled = '\uFDD0';

/** A text without blanks that is known only when the program starts, such as the address of a pod. */
export const oneWord = `${unfilled}\uFDD2`;

/** The folder of the file that is read, in a path that a script computes from its own. Another noncharacter. */
export const ownFolder = '\uFDD1';

/** Behind a * without quotes, which the shell replaces by the names of files. Another noncharacter. */
export const fileNames = '\uFDD3';

export interface Masked {
  readonly text: string;
  /** From the first control statement to the last: the template decides which of these lines exist. */
  readonly optional: Range | null;
}

/** Opens a Jinja2 statement, but no `{%` of bash. */
const statement =
  '\\{%(?=[-+]?\\s*(?:if|elif|else|endif|for|endfor|set|endset|block|endblock|include|import|from|extends|macro|endmacro|raw|endraw|with|endwith|filter|endfilter|call|endcall|do)\\b)';
/** Opens an element of a Terraform list, but no array element of bash. */
const element = '\\[(?!\\$|0\\d|[A-Z]|[@*]\\][^.[])';
const openers = new RegExp(
  String.raw`\{\{|(?<!\$)(?:\{#(?=[-\s])|${statement})|<%|(?<!\\)\$\{[A-Za-z_]\w*(?:[.(]|${element})|@(?=[A-Z][A-Z0-9_]*@)`,
  'g',
);
/** Names that the text itself assigns or declares, and arrays that bash sets: the elements of these are none of Terraform. */
const assigned =
  /\b([A-Za-z_]\w*)(?:\[[^\]\n]{0,80}\])?\+?=|\b(?:mapfile|readarray|read|declare|local|typeset)[ \t]([^\n;|&<]{0,200})/g;
const ofBash = /^(?:BASH_\w+|FUNCNAME|PIPESTATUS|MAPFILE|COPROC|DIRSTACK|GROUPS)$/;
/** Before a text that docker, kubectl or another tool fills in with what it prints. */
const format = /(?:\s-f[= \t]*["'][^"'\n]*|(?:--format|--template|-template)[= \t]*(?:"[^"\n]*|'[^'\n]*)?)$/;
/** Before the text that an expression of sed searches for. */
const searched = /(?<![^\s"';])s([/|#])(?:(?!\1)[^\n])*$/;
/** A cheap test first: most texts hold no placeholder. */
const mayOpen = /[{@]|<%/;
const closers: Readonly<Record<string, string>> = {
  '{{': '}}',
  '{%': '%}',
  '{#': '#}',
  '<%': '%>',
  '@': '@',
};
const control = /^(?:\{\{-?\s*(?:if|else|end|range|with|block|define)\b|\{%)/;
/** On one line and without ${X}: in bash, {{ and a later }} need not belong together. */
const expression = /\{\{(?:(?!\}\}|\$\{)[^\n]){0,300}\}\}/y;
const comment = /^(?:\{#|\{\{-?\s*\/\*)/;

/**
 * Replaces the placeholders of Jinja2, Helm, Go templates, Terraform, ERB and `@NAME@`, character by character. Comments
 * and control statements become blanks. An unclosed placeholder stays as it is.
 */
export function maskPlaceholders(text: string): Masked {
  if (!mayOpen.test(text)) return { text, optional: null };
  let out = '';
  let at = 0;
  let optional = null as Masked['optional'];
  const unclosed = new Set<string>();
  const own = new Set(
    [...text.matchAll(assigned)].flatMap(([, name = '', names = '']) => [name, ...names.split(/\s+/)]),
  );
  openers.lastIndex = 0;
  for (let match = openers.exec(text); match !== null; match = openers.exec(text)) {
    const start = match.index;
    const closer = closers[match[0]] ?? '}';
    const close = unclosed.has(closer) ? -1 : text.indexOf(closer, start + match[0].length);
    if (close < 0) {
      unclosed.add(closer);
      continue;
    }
    const end = close + closer.length;
    const head = text.slice(start, start + 40);
    const blank = control.test(head) || comment.test(head);
    expression.lastIndex = start;
    if (match[0] === '{{' && !blank && !expression.test(text)) continue;
    const array = /^\$\{(\w+)\[/.exec(head)?.[1];
    if (array !== undefined && (own.has(array) || ofBash.test(array))) continue;
    const before = text.slice(Math.max(0, start - 120), start);
    if (searched.test(before) || (match[0] === '{{' && format.test(before))) continue;
    if (control.test(head)) optional = { start: optional?.start ?? start, end };
    out += text.slice(at, start) + (blank ? ' ' : unfilled).repeat(end - start);
    at = end;
    openers.lastIndex = end;
  }
  return { text: at === 0 ? text : out + text.slice(at), optional };
}
