/** Text of unknown origin made inert, format by format. */
import { visible } from '../../util/visible.js';

/** Characters of one value that are kept; the rest is cut with an ellipsis. */
const longest = 8_000;

/** One line of text: what a terminal would act on, or an eye would miss, is written as `\u{…}`. */
export function line(text: string): string {
  return visible(text, longest);
}

/** JSON, indented; what a terminal would act on stands as `\\uXXXX`, which a parser reads as the same text. */
export function jsonText(value: unknown): string {
  return `${jsonPart(value, '')}\n`;
}

/** The same inside a document: `indent` stands before its lines but the first. */
export function jsonPart(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2).replace(unseen, escaped);
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}

const unseen =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|\udb40[\udc00-\udc7f]/g;

function escaped(mark: string): string {
  return [...mark.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\ufffe': '\\u{fffe}',
  '\uffff': '\\u{ffff}',
};

/** For XML and HTML, as text and inside quotes; what XML 1.0 cannot hold is written as `\u{…}`. */
export function xml(text: string): string {
  return line(text).replace(/[&<>"'\ufffe\uffff]/g, (mark) => entities[mark] ?? '');
}

/**
 * For Markdown inside a line, tables included: what could be markup or a link is escaped, and a comment after @ and #
 * keeps a name from being called and a number from being linked.
 */
export function markdown(text: string): string {
  return line(text)
    .replace(/[\\`*_[\]<>&|~#@!$]|:(?=\S)|(?<=www)\./gi, '\\$&')
    .replace(/\\([@#])/g, '\\$1<!-- -->');
}

/** A code span that may stand in a table, or in a CI log (see logLines); empty text becomes a dash. */
export function code(text: string): string {
  const inside = line(text).replaceAll('|', '\\|').replaceAll('##[', '#\\#[');
  if (inside.trim() === '') return '–';
  const fence = '`'.repeat(Math.max(0, ...[...inside.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return fence.length > 1 ? `${fence} ${inside} ${fence}` : `\`${inside}\``;
}

/** A cell of RFC 4180; what a spreadsheet would calculate gets an apostrophe before it. */
export function cell(value: string | number | null): string {
  const text = value === null ? '' : line(String(value));
  const harmless = /^\s*[=+\-@|%]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** For lines that a CI log may read as its commands: `::error::` and `##[error]` lose their meaning. */
export function logLines(text: string): string {
  return text.replace(/^(\s*):(?=:[\w-]+[^\n]*::)/gm, '$1:\\').replaceAll('##[', '#\\#[');
}
