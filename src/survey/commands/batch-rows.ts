/** The lines of a batch: JSON objects, or CSV with a header. */

import { KaiactlError } from '../../errors.js';
import { objectOf } from '../../util/json.js';

/** The fields of a line, of whatever type. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * How to read the lines of a batch, by the first that is not empty: an object, or the names of a table's columns.
 * The function @throws {KaiactlError} for a line that is neither (exit 2).
 */
export function rowReader(
  lines: readonly string[],
  fields: readonly string[],
): (line: string, where: string) => Row | 'header' {
  const head = lines.find((line) => line.trim() !== '') ?? '';
  const names = cells(head);
  if (names === null || !names.some((name) => fields.includes(name))) return readJson;
  return (line, where) => (line === head ? 'header' : readRow(names, line, where));
}

function readJson(line: string, where: string): Row {
  const value = objectOf(line);
  if (value !== null) return value;
  throw new KaiactlError(`${where} is not a JSON object`, {
    hint: 'One join a line; or CSV, its first line the names of the fields.',
  });
}

/** An empty cell is a field left out. */
function readRow(names: readonly string[], line: string, where: string): Row {
  const values = cells(line);
  if (values?.length !== names.length) {
    throw new KaiactlError(`${where} has not as many cells as the first line`, {
      hint: 'A cell with a comma or a quote in it stands in quotes.',
    });
  }
  return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, value]) => value !== ''));
}

/** The cells of a line of CSV (RFC 4180, without line breaks inside cells); null when its quotes do not close. */
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
