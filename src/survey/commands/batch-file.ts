/** The file of a batch: JSON objects, or CSV with a header row. Only commitments and positions of a file in UTF-8 stay in memory. */
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { addPlace, failure, KaiactlError } from '../../errors.js';
import { cellsOf } from '../../util/csv.js';
import { objectOf } from '../../util/json.js';
import { bytesOf, type Line, linesOf } from '../../util/lines.js';
import { shellWord } from '../../util/shell-word.js';
import { decodeStream, encodingOf, headBytes } from '../../util/utf16.js';
import { visible } from '../../util/visible.js';
import type { JoinerOptions, JoinTools } from './credentials.js';
import { commitmentFor } from './joiner.js';
import { noModes } from './secrets.js';

/** A line, counted from 1: a join, whose options override those of the command line, or why it is none. */
export type BatchLine = { readonly number: number } & (
  | { readonly commitment: string; readonly options: JoinerOptions }
  | { readonly code: 'malformed' | 'duplicate'; readonly problem: KaiactlError }
);

export type Batch = Awaited<ReturnType<typeof openBatch>>;

export interface BatchSource {
  /** Null: stdin. */
  readonly path: string | null;
  readonly ignoreColumns: boolean;
  readonly common: JoinerOptions;
  readonly tools: JoinTools;
}

/** Limit of a line in bytes: a token of 16 KiB and ten signatures fit. */
const maxLine = 1 << 16;

/** The line of each commitment; numbers count from 1. */
type Positions = Map<string, Pick<Line, 'offset' | 'bytes'> & { readonly number: number }>;

/** Validates every line, so that nothing is sent of a batch with a wrong one. @throws {KaiactlError} for it (exit 2) */
export async function openBatch(source: BatchSource) {
  const input = await openInput(source);
  const name = source.path ?? 'stdin';
  try {
    const positions: Positions = new Map();
    // A pipe cannot be read again, and text in UTF-16 has other positions.
    const kept = input.file === null ? new Map<string, JoinerOptions>() : null;
    const readRow = rowsOf(source);
    for await (const line of readLines(input, source, readRow, positions)) {
      if ('problem' in line) throw line.problem;
      kept?.set(line.commitment, line.options);
    }
    if (positions.size === 0) throw new KaiactlError(`${name} holds no joins`);
    return {
      /** Decimal, each once, in the order of the file. */
      commitments: positions as ReadonlyMap<string, unknown>,
      /** Reads the options of a join from the file. @throws {KaiactlError} if the file has changed (exit 2) */
      async optionsOf(commitment: string): Promise<JoinerOptions> {
        const { offset = 0, bytes = 0 } = positions.get(commitment) ?? {};
        const text = await input.file?.read(Buffer.alloc(bytes), 0, bytes, offset);
        const row = text === undefined ? null : readRow(String(text.buffer).replace(/^\ufeff/, ''), name);
        const own = kept?.get(commitment) ?? ownOptions(row ?? {}, name, source);
        const options = mergeOptions(source.common, own);
        const isSame =
          own.commitment === undefined || (await commitmentFor(options, source.tools)) === commitment;
        if (isSame) return options;
        throw new KaiactlError(`${name} has changed since it was read`, {
          hint: 'Run the same command again.',
        });
      },
      close: input.close,
    };
  } catch (error) {
    await input.close();
    throw error;
  }
}

/** Reads every line, also after a line that cannot be used. @throws {KaiactlError} if the file cannot be read (exit 2) */
export async function* readBatch(source: BatchSource): AsyncGenerator<BatchLine> {
  const input = await openInput(source);
  try {
    yield* readLines(input, source, rowsOf(source));
  } finally {
    await input.close();
  }
}

type BatchInput = Awaited<ReturnType<typeof openInput>>;

/** `file` is null if it cannot be read again; `isShared`: other users can read it. */
async function openInput({ path, tools }: BatchSource) {
  if (path === null) {
    const bytes = bytesOf(decodeStream(tools.secrets.stdin('the batch')));
    return { bytes, file: null, isShared: false, close: async () => undefined };
  }
  const handle = await open(path).catch((error: unknown) => {
    throw failure(`cannot read the batch ${path}`, error);
  });
  const stats = await handle.stat();
  if (tools.host.platform === 'win32') await tools.session.say(`warning: ${noModes}`);
  const isShared = tools.host.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  const close = () => handle.close();
  const head = stats.isFile() ? await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0) : null;
  if (head !== null && encodingOf(head.buffer.subarray(0, head.bytesRead)) === 'utf-8')
    return { bytes: handle, file: handle, isShared, close };
  const bytes = bytesOf(decodeStream(handle.createReadStream({ autoClose: false })));
  return { bytes, file: null, isShared, close };
}

/** The row of a line; null for the header row and empty lines. */
type ReadRow = (text: string, where: string) => BatchRow | null;

/** The first line decides on the format: it is a CSV header if it has one of the known fields. */
function rowsOf({ ignoreColumns }: BatchSource): ReadRow {
  let read: ReadRow | null = null;
  return (text, where) => {
    if (text.trim() === '') return null;
    if (read !== null) return read(text, where);
    const first = text.replace(/^\ufeff/, '');
    const namesBy = (mark: string) => cellsOf(first, mark)?.map(fieldOf) ?? [];
    const mark = [',', ';', '\t'].find((one) => namesBy(one).some(isField));
    if (mark !== undefined) {
      const names = namesBy(mark);
      const twice = names.find((name, at) => isField(name) && names.indexOf(name) !== at);
      if (twice !== undefined) throw new UnusableBatch(`${where} has two columns ${twice}`);
      const unknown = ignoreColumns ? null : unknownFields(where, names);
      if (unknown !== null) throw new UnusableBatch(...unknown);
      read = (line, at) => readCells(names, cellsOf(line, mark), at);
      return null;
    }
    read = readJson;
    return readJson(first, where);
  };
}

async function* readLines(
  input: BatchInput,
  source: BatchSource,
  readRow: ReadRow,
  positions: Positions = new Map(),
): AsyncGenerator<BatchLine> {
  const name = source.path ?? 'stdin';
  const unreadable = (error: unknown) => failure(`cannot read the batch ${name}`, error);
  for await (const { text, offset, bytes, number } of recordsOf(linesOf(input.bytes, maxLine, unreadable))) {
    const where = `${name}:${number}`;
    try {
      const row = readRow(text, where);
      if (row === null) continue;
      const options = ownOptions(row, where, source);
      if (input.isShared && (options.signature ?? options.idToken) !== undefined) {
        const message = `${name} holds signatures or tokens and can be read by other users; it is not used`;
        throw new UnusableBatch(message, { hint: `chmod 600 ${shellWord(name)}` });
      }
      const all = mergeOptions(source.common, options);
      const commitment = await commitmentFor(all, source.tools).catch((error: unknown) => {
        throw addPlace(where, error);
      });
      const before = positions.get(commitment);
      if (before === undefined) {
        positions.set(commitment, { number, offset, bytes });
        yield { number, commitment, options };
        continue;
      }
      const problem = new KaiactlError(`${where} repeats the commitment of line ${before.number}`);
      yield { number, code: 'duplicate', problem };
    } catch (error) {
      if (!(error instanceof KaiactlError) || error instanceof UnusableBatch) throw error;
      yield { number, code: 'malformed', problem: error };
    }
  }
}

type Numbered = Line & { readonly number: number };

/** A line, or those of a row of CSV with line breaks between quotes. Lines are counted from 1; the first of a row counts. */
async function* recordsOf(lines: AsyncIterable<Line>): AsyncGenerator<Numbered> {
  let open: Numbered | null = null;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const isJson: boolean = open === null && /^\s*\{/.test(line.text);
    const hasOddQuotes: boolean = !isJson && line.text.split('"').length % 2 === 0;
    const record: Numbered =
      open === null
        ? { ...line, number }
        : { ...open, text: `${open.text}\n${line.text}`, bytes: line.offset + line.bytes - open.offset };
    open = hasOddQuotes === (open === null) && record.bytes < maxLine ? record : null;
    if (open === null) yield record;
  }
  if (open !== null) yield open;
}

const files = ['identityFile', 'signatureFile', 'keyFile', 'keystore', 'keystorePasswordFile', 'idTokenFile'];
const fields = ['commitment', 'signature', 'idToken', 'userId', 'account', ...files];

type BatchRow = Readonly<Record<string, unknown>>;

/** The batch cannot be used, whatever its lines hold. */
class UnusableBatch extends KaiactlError {}

const isField = (name: string): boolean => fields.includes(name);

/** The field of a column: `ID Token` and `id_token` are idToken. */
function fieldOf(column: string): string {
  const bare = column.toLowerCase().replace(/[\s_-]/g, '');
  return fields.find((field) => field.toLowerCase() === bare) ?? column;
}

function unknownFields(where: string, given: readonly string[]): [string, { hint: string }] | null {
  const names = given.filter((name) => !isField(name));
  if (names.length === 0) return null;
  const shown = names.map((name) => (name === '' ? '(no name)' : visible(name, 40))).join(', ');
  const one = names.length === 1 ? 'an unknown field' : 'unknown fields';
  const hint = `Known: ${fields.join(', ')}. --ignore-columns ignores the others.`;
  return [`${where} has ${one}: ${visible(shown, 300)}`, { hint }];
}

function readJson(line: string, where: string): BatchRow {
  const value = objectOf(line);
  if (value !== null) return value;
  throw new KaiactlError(`${where} is not a JSON object`, {
    hint: 'Write one JSON object per line, or CSV with a header row.',
  });
}

/** An empty cell is an omitted field. */
function readCells(names: readonly string[], values: readonly string[] | null, where: string): BatchRow {
  if (values?.length !== names.length) {
    const why =
      values === null
        ? 'has a quote that is not closed, or inside a cell'
        : `does not have as many cells as the header row: ${values.length} instead of ${names.length}`;
    throw new KaiactlError(`${where} ${why}`, {
      hint: 'Quote a cell that contains a comma, a quote or a line break; double the quotes in it.',
    });
  }
  return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, value]) => value !== ''));
}

/** File names are relative to the folder of the batch. @throws {KaiactlError} for an unknown field (exit 2) */
function ownOptions(
  row: BatchRow,
  where: string,
  { path, tools, ignoreColumns }: BatchSource,
): JoinerOptions {
  const own: Record<string, string> = {};
  const folder = path === null ? tools.host.cwd : dirname(path);
  const unknown = ignoreColumns ? null : unknownFields(where, Object.keys(row));
  if (unknown !== null) throw new KaiactlError(...unknown);
  for (const [name, given] of Object.entries(row).filter(([name]) => isField(name))) {
    if (typeof given !== 'string') throw new KaiactlError(`${where}: ${name} is not a string`);
    own[name] = files.includes(name) && given !== '-' ? resolve(folder, given) : given;
  }
  return own;
}

/** The options of a line over those of the command line. A line's signer replaces every signer of the command line. */
export function mergeOptions(common: JoinerOptions, own: JoinerOptions): JoinerOptions {
  const signs = own.signature ?? own.signatureFile ?? own.keyFile ?? own.keystore;
  // Object.assign, since V8 keeps 30 MB more for 50,000 objects of two spreads.
  return Object.assign({}, common, signs === undefined ? {} : unsigned, own);
}

const unsigned = Object.fromEntries(
  ['signature', 'signatureFile', 'keyFile', 'keystore'].map((name) => [name, undefined]),
);
