/** The rows of a batch, JSON objects or CSV with a header row, and their options. */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { objectOf } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import type { JoinerOptions } from './join-tools.js';

const files = ['identityFile', 'signatureFile', 'keyFile', 'keystore', 'keystorePasswordFile', 'idTokenFile'];
const fields = ['commitment', 'signature', 'idToken', 'userId', 'account', ...files];

/** The fields of a row, of any type. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowReader {
  /** Whether the first line is a header row, not a join. */
  readonly hasHeader: boolean;
  /** @throws {KaiactlError} if the line is not a row (exit 2) */
  read(line: string, where: string): Row;
}

/** The batch cannot be used, whatever its lines hold. */
export class UnusableBatch extends KaiactlError {}

/**
 * The reader for a file with this first line. The line is a CSV header if it has one of the known fields.
 * @throws {UnusableBatch} for a header row with other separators or unknown columns
 */
export function rowReader(firstLine: string, where: string, ignoreUnknown: boolean): RowReader {
  const names = cells(firstLine);
  if (names === null || !names.some(isField)) {
    refuseSeparators(firstLine, where);
    return { hasHeader: false, read: readJson };
  }
  const unknown = names.filter((name) => !isField(name));
  if (unknown.length > 0 && !ignoreUnknown) throw new UnusableBatch(...unknownFields(where, unknown));
  return { hasHeader: true, read: (line, at) => readCells(names, line, at) };
}

const isField = (name: string): boolean => fields.includes(name);

function refuseSeparators(header: string, where: string): void {
  for (const [mark, called] of [
    [';', 'semicolons'],
    ['\t', 'tabs'],
  ] as const) {
    const names = header.split(mark).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
    if (names.length === 1 || !names.some(isField)) continue;
    throw new UnusableBatch(`${where} separates its columns by ${called}`, {
      hint: 'Save the table as CSV with commas.',
    });
  }
}

function unknownFields(where: string, names: readonly string[]): [message: string, more: { hint: string }] {
  const shown = names.map((name) => (name === '' ? '(no name)' : visible(name, 40))).join(', ');
  const one = names.length === 1 ? 'an unknown field' : 'unknown fields';
  const hint = `Known: ${fields.join(', ')}. --ignore-columns ignores the others.`;
  return [`${where} has ${one}: ${visible(shown, 300)}`, { hint }];
}

function readJson(line: string, where: string): Row {
  const value = objectOf(line);
  if (value !== null) return value;
  throw new KaiactlError(`${where} is not a JSON object`, {
    hint: 'Write one JSON object per line, or CSV with a header row.',
  });
}

/** An empty cell is an omitted field. */
function readCells(names: readonly string[], line: string, where: string): Row {
  const values = cells(line);
  if (values?.length !== names.length) {
    const count = values === null ? '' : `: ${values.length} instead of ${names.length}`;
    throw new KaiactlError(`${where} does not have as many cells as the header row${count}`, {
      hint: 'Quote a cell that contains a comma or a quote.',
    });
  }
  return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, value]) => value !== ''));
}

/** The cells of a line of CSV (RFC 4180, without line breaks inside cells); null if a quote is not closed. */
function cells(line: string): string[] | null {
  const found: string[] = [];
  const cell = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;
  for (;;) {
    const match = cell.exec(line);
    if (match === null) return null;
    found.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    if (match[3] === '') return found;
  }
}

/**
 * The options of a row. File names are relative to the folder of the batch.
 * @param ignoreUnknown whether unknown fields are skipped
 * @throws {KaiactlError} for an unknown field, or a value that is not a string (exit 2)
 */
export function optionsIn(row: Row, where: string, folder: string, ignoreUnknown: boolean): JoinerOptions {
  const own: Record<string, string> = {};
  const unknown = ignoreUnknown ? [] : Object.keys(row).filter((name) => !isField(name));
  if (unknown.length > 0) throw new KaiactlError(...unknownFields(where, unknown));
  for (const [name, given] of Object.entries(row)) {
    if (!isField(name)) continue;
    if (typeof given !== 'string') throw new KaiactlError(`${where}: ${name} is not a string`);
    own[name] = files.includes(name) && given !== '-' ? resolve(folder, given) : given;
  }
  return own;
}

/** The options of a line over those of the command line. A line's signer replaces every signer of the command line. */
export function merged(common: JoinerOptions, own: JoinerOptions): JoinerOptions {
  const signs = own.signature ?? own.signatureFile ?? own.keyFile ?? own.keystore;
  // Object.assign, since V8 keeps 30 MB more for 50,000 objects of two spreads.
  return Object.assign({}, common, signs === undefined ? {} : unsigned, own);
}

const unsigned: Readonly<Record<string, undefined>> = {
  signature: undefined,
  signatureFile: undefined,
  keyFile: undefined,
  keystore: undefined,
};
