/** The YAML documents of a text, within limits. */
import { type Document, isScalar, parseDocument, visit } from 'yaml';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../text/line-index.js';
import { type Targets, targetsOf, YamlNode } from './node.js';

/** Characters; a larger document is generated and starts no node. */
const maxDocument = 1 << 20;
const maxDocuments = 2_000;
/** Characters parsed of one file. */
const maxParsed = 8 << 20;

export interface YamlDocument {
  readonly root: YamlNode | null;
  /** Why it cannot be read as a whole. */
  readonly problem: { readonly message: string; readonly at: Span } | null;
}

/**
 * The documents of a text. A broken document has a problem, and a root if part of it can be read.
 * @param wanted selects documents by their text; the others are not parsed
 */
export function readYaml(file: LineIndex, wanted: (text: string) => boolean = () => true): YamlDocument[] {
  const documents: YamlDocument[] = [];
  let parsed = 0;
  for (const { start, end } of rangesOf(file.text)) {
    const text = file.text.slice(start, end);
    if (!wanted(text)) continue;
    const at = () => file.span({ start, end: Math.min(end, start + 3) });
    parsed += text.length;
    if (text.length > maxDocument) {
      const message = `the YAML document is larger than ${maxDocument >> 10} KiB`;
      documents.push({ root: null, problem: { message, at: at() } });
    } else documents.push(readOne(file, text, start));
    if (documents.length >= maxDocuments || parsed > maxParsed) {
      const message = `only the first ${documents.length} YAML documents are read`;
      return [...documents, { root: null, problem: { message, at: at() } }];
    }
  }
  return documents;
}

function* rangesOf(text: string): Generator<{ start: number; end: number }> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const { index } of text.matchAll(/^---(?=\s|$)/gm)) {
    if (!isEmpty(text.slice(start, index))) yield { start, end: index };
    start = index + 3;
  }
  if (!isEmpty(text.slice(start))) yield { start, end: text.length };
}

/** Whether they are comments and directives alone, such as those before the first `---`. */
function isEmpty(document: string): boolean {
  return document.split('\n').every((line) => /^\s*(?:[#%]|$)/.test(line));
}

function readOne(file: LineIndex, text: string, base: number): YamlDocument {
  const document = parseText(text);
  if (file.isMasked) document.errors = document.errors.filter(({ message }) => !ofBlanks.test(message));
  const targets = targetsOf(document);
  const root = YamlNode.root(document, targets, file, base);
  const problem = problemOf(document, targets);
  if (problem === null) return { root, problem };
  const { message, from, to } = problem;
  return { root, problem: { message, at: file.span({ start: base + from, end: base + to }) } };
}

/** A statement at the beginning of a block scalar is masked by blanks, and the parser reads the lines behind it. */
const ofBlanks = /more-indented leading empty lines/;

const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** Values that go on in lines that are not indented are joined where the parser does not read them. */
function parseText(text: string): Document {
  const document = parseDocument(text, options);
  const [error] = document.errors;
  const oneLine = error === undefined || error.code === 'RESOURCE_EXHAUSTION' ? text : joinLines(text);
  if (error === undefined || oneLine === text) return document;
  const again = parseDocument(oneLine, options);
  if ((again.errors[0]?.pos[0] ?? text.length) <= error.pos[0]) return document;
  foldLines(again);
  return again;
}

/** Why a document cannot be read as a whole. An alias without anchor is no error of the parser. */
function problemOf(document: Document, targets: Targets) {
  const [error] = document.errors;
  if (error !== undefined) {
    const [from, to] = error.pos;
    if (error.code === 'RESOURCE_EXHAUSTION')
      return { message: 'the YAML is nested too deeply to read', from, to };
    return { message: `it is not YAML: ${error.message.split('\n', 1)[0] ?? ''}`, from, to };
  }
  const lost = [...targets.keys()].find((alias) => targets.get(alias) === undefined);
  if (lost === undefined) return null;
  const [from, to] = lost.range ?? [0, 0];
  return { message: `it is not YAML: nothing before it is called &${lost.source}`, from, to };
}

/** Stand for the folded line ends of a quoted scalar: nothing, and a line end. Noncharacters: they occur in no text. */
const folded = '\uFDD3';
const lineEnd = '\uFDD4';

/** What may stand before a value on its line: indentation, items and keys, and properties such as an anchor. */
const beforeValue =
  /[ \t]*(?:-[ \t]+)*(?:(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#"'[\]{},&*!|>%@`-][^\n:#]*)[ \t]*:[ \t]+)?(?:[&!]\S*[ \t]+)*/y;

/** The same text, character by character, with each quoted scalar and flow collection on one line. */
function joinLines(text: string): string {
  const out: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at + lengthOf(beforeValue, text, at);
    const isFlow = /["'[{]/.test(text[start] ?? '');
    const valueEnd = isFlow ? endOfValue(text, start) : start;
    if (valueEnd === null) break;
    const end = /[|>]/.test(text[start] ?? '') ? endOfBlock(text, at) : lineAfter(text, valueEnd);
    out.push(text.slice(at, start), joinValue(text.slice(start, valueEnd)), text.slice(valueEnd, end));
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

/** The end of the quoted scalar or flow collection that begins here; null if it is not closed. */
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

function joinValue(value: string): string {
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
function foldLines(document: Document): void {
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === 'string')
      node.value = node.value.replaceAll(folded, '').replaceAll(lineEnd, '\n');
  });
}
