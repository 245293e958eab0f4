/** The rows of a batch, JSON objects or CSV with a header row, and their options. */
import { dirname, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { objectOf } from '../../util/json.js';
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

/** The reader for a file with this first line. The line is a CSV header if it has one of the known fields. */
export function rowReader(firstLine: string): RowReader {
  const names = cells(firstLine);
  if (names === null || !names.some((name) => fields.includes(name)))
    return { hasHeader: false, read: readJson };
  return { hasHeader: true, read: (line, where) => readCells(names, line, where) };
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
    throw new KaiactlError(`${where} does not have as many cells as the header row`, {
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
 * @throws {KaiactlError} for an unknown field, or a value that is not a string (exit 2)
 */
export function optionsIn(row: Row, where: string, path: string): JoinerOptions {
  const own: Record<string, string> = {};
  for (const [name, given] of Object.entries(row)) {
    if (!fields.includes(name)) {
      throw new KaiactlError(`${where} has an unknown field`, { hint: `Known: ${fields.join(', ')}.` });
    }
    if (typeof given !== 'string') throw new KaiactlError(`${where}: ${name} is not a string`);
    own[name] = files.includes(name) && given !== '-' ? resolve(dirname(path), given) : given;
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
