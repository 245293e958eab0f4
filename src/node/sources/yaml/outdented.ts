/**
 * Quoted scalars and flow collections that continue on a line that is not indented more than their key. libyaml and
 * go-yaml read them, as docker compose does; the parser of this program does not.
 */
import { type Document, isScalar, visit } from 'yaml';

/** Stand for the folded line ends of a quoted scalar: nothing, and a line end. Noncharacters: they occur in no text. */
const folded = '\uFDD3';
const lineEnd = '\uFDD4';

/** What may stand before a value on its line: indentation, items and keys, and properties such as an anchor. */
const beforeValue =
  /[ \t]*(?:-[ \t]+)*(?:(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#"'[\]{},&*!|>%@`-][^\n:#]*)[ \t]*:[ \t]+)?(?:[&!]\S*[ \t]+)*/y;

/** The same text, character by character, with each quoted scalar and flow collection on one line. */
export function joinLines(text: string): string {
  const out: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at + lengthOf(beforeValue, text, at);
    const isFlow = /["'[{]/.test(text[start] ?? '');
    const valueEnd = isFlow ? endOfValue(text, start) : start;
    if (valueEnd === null) break;
    const end = /[|>]/.test(text[start] ?? '') ? endOfBlock(text, at) : lineAfter(text, valueEnd);
    out.push(text.slice(at, start), joined(text.slice(start, valueEnd)), text.slice(valueEnd, end));
    at = end;
  }
  return out.join('') + text.slice(at);
}

function lengthOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0].length ?? 0;
}

function lineAfter(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}

const tokens = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|(?<=\s)#.*|[[\]{}]|\r?\n/g;

/** The end of the quoted scalar or flow collection that begins here; null: it is not closed. */
function endOfValue(text: string, start: number): number | null {
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [word] = token;
    if (depth === 0 && token.index > start) return null;
    if (word === '[' || word === '{') depth += 1;
    else if (word === ']' || word === '}') depth -= 1;
    if (depth === 0) return token.index + word.length;
  }
  return null;
}

/** The end of a block scalar: the next line that is indented no more than its first one. */
function endOfBlock(text: string, at: number): number {
  const indent = lengthOf(/ */y, text, at);
  const body = new RegExp(`(?: {${indent + 1}}.*|[ \\t]*)(?:\\r?\\n|$)`, 'y');
  let end = lineAfter(text, at);
  for (let size = -1; size !== 0 && end < text.length; end += size) size = lengthOf(body, text, end);
  return end;
}

function joined(value: string): string {
  return value.replaceAll(tokens, (token) => {
    if (token.startsWith('"') || token.startsWith("'")) return onOneLine(token);
    return /^(?:#|\r?\n)/.test(token) ? ' '.repeat(token.length) : token;
  });
}

const folds = /[ \t]*(?:\r?\n[ \t]*)+/g;
/** In double quotes a backslash may escape the line end. */
const foldsOrEscapes = /\\[^\r\n]|\\?[ \t]*(?:\r?\n[ \t]*)+/g;

/** One line end folds to a blank, more of them to one less; an escaped one to nothing. */
function onOneLine(quoted: string): string {
  return quoted.replaceAll(quoted.startsWith('"') ? foldsOrEscapes : folds, (all) => {
    const lines = all.split('\n').length - 1;
    if (lines === 0) return all;
    const kept = all.startsWith('\\') ? '' : lines === 1 ? ' ' : lineEnd.repeat(lines - 1);
    return kept.padEnd(all.length, folded);
  });
}

/** Puts the folded lines back into the scalars of a document. */
export function foldLines(document: Document): void {
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === 'string')
      node.value = node.value.replaceAll(folded, '').replaceAll(lineEnd, '\n');
  });
}
