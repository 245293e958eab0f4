/** Escapes untrusted text for each format. */
import { cellText } from '../../util/csv.js';
import { visible } from '../../util/visible.js';

/** Characters of one value; longer text is cut with an ellipsis. */
const maxLength = 8_000;

/** One line of text; control and invisible characters are written as `\u{…}`. */
export function line(text: string): string {
  return visible(text, maxLength);
}

/** Indented JSON; control and invisible characters are `\\uXXXX`, which a parser reads as the same text. */
export function jsonText(value: unknown): string {
  return `${jsonPart(value, '')}\n`;
}

/** JSON in one line, escaped in the same way. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unseen, escaped);
}

/** Part of a document: every line but the first begins with `indent`. */
export function jsonPart(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2).replace(unseen, escaped);
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}

const unseen =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|\udb40[\udc00-\udc7f]/g;

function escaped(mark: string): string {
  return mark
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * For Markdown inside a line, tables included: escapes markup and links. A comment after @ and # prevents mentions and
 * issue links.
 */
export function markdown(text: string): string {
  return line(text)
    .replace(/[\\`*_[\]<>&|~#@!$]|:(?=\S)|(?<=www)\./gi, '\\$&')
    .replace(/\\([@#])/g, '\\$1<!-- -->');
}

/** A code span, safe in a table and in a CI log (see logLines); a dash for empty text. */
export function code(text: string): string {
  const inside = line(text).replaceAll('|', '\\|').replaceAll('##[', '#\\#[');
  if (inside.trim() === '') return '–';
  const fence = '`'.repeat(Math.max(0, ...[...inside.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return fence.length > 1 ? `${fence} ${inside} ${fence}` : `\`${inside}\``;
}

/** A cell of RFC 4180. */
export function cell(value: string | number | null): string {
  return `"${cellText(value, maxLength).replaceAll('"', '""')}"`;
}

/** Escapes the commands of CI logs: `::error::` and `##[error]`. */
export function logLines(text: string): string {
  return text.replace(/^(\s*):(?=:[\w-]+[^\n]*::)/gm, '$1:\\').replaceAll('##[', '#\\#[');
}
