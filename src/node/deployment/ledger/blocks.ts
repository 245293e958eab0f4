/** Parts of a text around a place, by line ends and indentation alone: the ledger knows no grammar. */
import type { Range } from '../../sources/text/line-index.js';

/** Characters of one part. */
const maxLength = 8_192;
/** Characters of a value. */
const maxValue = 1_024;

/** The line of a place, and the lines that continue it: after a backslash, or as items of a list. */
export function statementAt(text: string, at: number): Range {
  let start = lineStart(text, at);
  while (start > 0 && at - start < maxLength && text[start - 2] === '\\') start = lineStart(text, start - 1);
  let end = lineEnd(text, at);
  while (end < text.length && end - start < maxLength) {
    const next = lineEnd(text, end + 1);
    const goesOn = /\\\r?$/.test(text.slice(Math.max(start, end - 2), end));
    if (
      !goesOn &&
      !/^\s*(?:-{1,2}[\w'"]|- ?["'$-]|["'][^"'\n]*["']?,?\s*\]?,?\s*$|\]|,)/.test(text.slice(end + 1, next))
    )
      break;
    end = next;
  }
  return { start, end: Math.min(end, start + maxLength) };
}

/** The command of a statement that holds a part of it, in scripts; a separator in quotes ends it too. */
export function commandAt(text: string, { start, end, within }: Range & { readonly within: Range }): Range {
  const separator = /[;&|]/;
  const after = text.slice(end, within.end).search(separator);
  let from = start;
  while (from > within.start && !separator.test(text[from - 1] ?? '')) from -= 1;
  return { start: from, end: after < 0 ? within.end : end + after };
}

/** The beginning of a map that stands on one line, as the value of a key or as an item. */
const inBraces = /^[ \t]*(?:- +|["']?[\w.-]+["']?[ \t]*:[ \t]*)\{(?!\{)[^}]*$/;

/** The lines around a place that are at least as far indented: a service, a container, a block in braces. */
export function blockAt(text: string, at: number): Range {
  const own = lineStart(text, at);
  const depth = indentOf(text, own);
  if (depth === 0) return containerAt(text, at) ?? statementAt(text, at);
  if (inBraces.test(text.slice(Math.max(own, at - maxLength), at)))
    return { start: own, end: lineEnd(text, at) };
  let start = own;
  while (start > 0 && own - start < maxLength && !isItem(text, start, depth)) {
    const above = lineStart(text, start - 1);
    if (!isBlank(text, above) && indentOf(text, above) < depth) break;
    start = above;
  }
  let end = lineEnd(text, at);
  while (end < text.length && end - start < maxLength) {
    const below = end + 1;
    if (!isBlank(text, below) && (indentOf(text, below) < depth || isItem(text, below, depth))) break;
    end = lineEnd(text, below);
  }
  return { start, end };
}

/** The section of a quadlet that describes its container, around a place; null if the place is in none. */
function containerAt(text: string, at: number): Range | null {
  const start = text.lastIndexOf('\n[', at) + 1;
  if (!text.startsWith('[Container]', start)) return null;
  const end = text.indexOf('\n[', at);
  return { start, end: Math.min(end < 0 ? text.length : end, start + maxLength) };
}

/** The smallest block around a place that has a match, where that is not the whole file; else null. */
export function blockWith(match: RegExp, text: string, at: number): Range | null {
  let block = blockAt(text, at);
  let depth = Number.POSITIVE_INFINITY;
  for (let start = lineStart(text, at); ; start = lineStart(text, start - 1)) {
    const own = indentOf(text, start);
    if (match.test(text.slice(block.start, block.end))) return block;
    if (start === 0 || depth === 0 || at - start > maxLength) return null;
    if (!isBlank(text, start) && own < depth) {
      depth = own;
      block = blockAt(text, start);
    }
  }
}

/** The rest of a line from a place on, and the lines that continue it: after a backslash, further in, or as a list. */
export function valueAt(text: string, from: number): string {
  const before = text.slice(Math.max(0, from - 256), from);
  const value = text.slice(from, from + maxValue);
  const depth = indentOf(before, lineStart(before, before.length));
  const goesOn = (end: number) =>
    /\\\r?$/.test(value.slice(Math.max(0, end - 2), end)) || indentOf(value, end + 1) > depth;
  let end = lineEnd(value, 0);
  while (end < value.length && goesOn(end)) end = lineEnd(value, end + 1);
  return value.slice(0, end);
}

/**
 * The words of a part; null for a word with a variable or a placeholder. Keys and list marks are no words; a list as the value
 * of an option, `--modules=[eth,net]`, has no brackets.
 */
export function wordsIn(text: string): (string | null)[] {
  const plain = text
    .replaceAll(/(?:^|\s)#[^\n]*/g, ' ')
    .replaceAll(/\{\{[^}]*\}\}/g, '$')
    .replaceAll(/=\[([^\s"'[\]]*)\]/g, '=$1')
    .replaceAll(/=(["'])([^\s"'`]{0,400})\1/g, '=$2');
  return (plain.match(/[^\s"'`[\]]+/g) ?? []).flatMap((raw) => {
    const word = raw.replace(/^,+|,+$/g, '');
    if (/^(?:-|\\|>-?|\|-?|[{}()]+|)$/.test(word) || /^[\w.-]+:$/.test(word)) return [];
    return [/[$<>]|^@/.test(word) ? null : word];
  });
}

/**
 * The words of a command, with `$` for what is not known: a quoted value after `=` is part of its word, and `<(…)` is one
 * word.
 */
export function commandIn(text: string): string[] {
  const glued = text
    .replaceAll(/<\([^()\n]*\)/g, '$')
    .replaceAll(/=(["'])(?:(?!\1)[^\n]){0,400}\1[^\s"'`,\]]*/g, (value) =>
      /[\s$<>]/.test(value) ? '=$' : value.replaceAll(/["']/g, ''),
    );
  return (glued.replaceAll(/\{\{[^}]*\}\}/g, '$').match(/[^\s"'`[\],]+/g) ?? []).flatMap((word) => {
    if (/^(?:-|\\|>-?|\|-?|[{}()]|)$/.test(word) || /^[\w.-]+:$/.test(word)) return [];
    if (!/[$<>]|^@/.test(word)) return [word];
    return [/^--?[A-Za-z][\w.-]*=/.exec(word)?.[0].concat('$') ?? '$'];
  });
}

/** The start of the line of a place, or of the last 64 KiB of a longer line. */
export function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - 65_536);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

/** The end of the line of a place, without its line feed. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The mark of a list counts as indentation. */
function indentOf(text: string, start: number): number {
  return (/^[ \t]*(?:- +)?/.exec(text.slice(start, start + 256)) as RegExpExecArray)[0].length;
}

/** Whether a line begins an item whose content is indented by `depth`. */
function isItem(text: string, start: number, depth: number): boolean {
  const mark = /^[ \t]*- +/.exec(text.slice(start, start + 256));
  return mark !== null && mark[0].length === depth;
}

function isBlank(text: string, start: number): boolean {
  return /^[ \t]*\r?(?:#|\n|$)/.test(text.slice(start, start + 256));
}
