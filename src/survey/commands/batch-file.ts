/** The file of a batch: one join per line. Only commitments and positions stay in memory. */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failure, KaiactlError, located } from '../../errors.js';
import { shellWord } from '../../util/shell-word.js';
import { lanes } from '../client/lanes.js';
import { type Bytes, bytesOf, type Line, linesOf } from '../client/lines.js';
import type { Scheme } from '../protocol/wire.js';
import { merged, optionsIn, type Row, type RowReader, rowReader, UnusableBatch } from './batch-rows.js';
import { commitmentFor } from './commitment.js';
import type { JoinerOptions, JoinTools } from './join-tools.js';

/** A line of a batch: a join, or the reason why it cannot be one. */
export type BatchLine =
  | {
      /** Counts from 1. */
      readonly number: number;
      /** Decimal. */
      readonly commitment: string;
      /** The options of the line, which override those of the command line. */
      readonly options: JoinerOptions;
    }
  | {
      readonly number: number;
      readonly code: 'malformed' | 'duplicate';
      readonly problem: KaiactlError;
    };

/** An open batch whose lines were validated. */
export interface Batch {
  /** Decimal, each once, in the order of the file. */
  readonly commitments: ReadonlyMap<string, unknown>;
  /** Reads the options of a join from the file. @throws {KaiactlError} if the file has changed (exit 2) */
  optionsOf(commitment: string): Promise<JoinerOptions>;
  close(): Promise<void>;
}

/** What the lines of a batch share. */
export interface BatchSource {
  /** Null: stdin. */
  readonly path: string | null;
  readonly ignoreColumns: boolean;
  readonly common: JoinerOptions;
  readonly scheme: Scheme;
  readonly tools: JoinTools;
}

/** Limit of a line in bytes: a token of 16 KiB and ten signatures fit. */
const maxLine = 1 << 16;
const blockBytes = 1 << 18;

interface Position extends Pick<Line, 'offset' | 'bytes'> {
  /** Counts from 1. */
  readonly number: number;
}

/** The line of each commitment. */
type Positions = Map<string, Position>;

/**
 * Validates every line, so that nothing is sent of a batch with a wrong line. File names in it are relative to its folder.
 * @throws {KaiactlError} for the first line that cannot be used (exit 2)
 */
export async function openBatch(source: BatchSource): Promise<Batch> {
  const input = await openInput(source);
  const name = nameOf(source);
  try {
    const positions: Positions = new Map();
    // A pipe cannot be read again.
    const kept = input.file === null ? new Map<string, JoinerOptions>() : null;
    const readRow = rowsOf(source);
    const textAt = input.file === null ? null : blockReader(input.file);
    for await (const line of readLines(input, source, readRow, positions)) {
      if ('problem' in line) throw line.problem;
      kept?.set(line.commitment, line.options);
    }
    if (positions.size === 0) throw new KaiactlError(`${name} holds no joins`);
    return {
      commitments: positions,
      async optionsOf(commitment) {
        const position = positions.get(commitment) ?? { number: 0, offset: 0, bytes: 0 };
        const row = textAt === null ? null : readRow((await textAt(position)).replace(/^\ufeff/, ''), name);
        const own = kept?.get(commitment) ?? ownOptions(row ?? {}, name, source);
        const options = merged(source.common, own);
        const isSame = own.commitment === undefined || (await commitmentOf(own, source)) === commitment;
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

/** An open file, or a stream. */
interface BatchInput {
  readonly bytes: Bytes;
  /** Null: it cannot be read again. */
  readonly file: FileHandle | null;
  /** Whether other users can read it. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

async function openInput({ path, tools }: BatchSource): Promise<BatchInput> {
  if (path === null) {
    const bytes = bytesOf(tools.secrets.stdin('the batch'));
    return { bytes, file: null, isShared: false, close: async () => undefined };
  }
  const handle = await open(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  const stats = await handle.stat();
  const isShared = tools.host.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  return { bytes: handle, file: stats.isFile() ? handle : null, isShared, close: () => handle.close() };
}

/** For messages. */
function nameOf({ path }: Pick<BatchSource, 'path'>): string {
  return path ?? 'stdin';
}

function ownOptions(row: Row, where: string, { path, tools, ignoreColumns }: BatchSource): JoinerOptions {
  return optionsIn(row, where, path === null ? tools.host.cwd : dirname(path), ignoreColumns);
}

async function* lines(bytes: Bytes, path: string): AsyncGenerator<Line> {
  try {
    yield* linesOf(bytes, maxLine);
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function cannotRead(path: string, error: unknown): KaiactlError {
  return failure(`cannot read the batch ${path}`, error);
}

/** The row of a line; null for the header row and empty lines. The first line decides on the format. */
type ReadRow = (text: string, where: string) => Row | null;

function rowsOf({ ignoreColumns }: BatchSource): ReadRow {
  let format: RowReader | null = null;
  return (text, where) => {
    if (text.trim() === '') return null;
    if (format !== null) return format.read(text, where);
    const first = text.replace(/^\ufeff/, '');
    format = rowReader(first, where, ignoreColumns);
    return format.hasHeader ? null : format.read(first, where);
  };
}

/** @param positions receives the line of each commitment */
async function* readLines(
  input: BatchInput,
  source: BatchSource,
  readRow: ReadRow,
  positions: Positions = new Map(),
): AsyncGenerator<BatchLine> {
  const name = nameOf(source);
  let number = 0;
  for await (const { text, offset, bytes } of lines(input.bytes, name)) {
    number += 1;
    const where = `${name}:${number}`;
    try {
      const row = readRow(text, where);
      if (row === null) continue;
      const options = ownOptions(row, where, source);
      if (input.isShared && (options.signature ?? options.idToken) !== undefined) throw shared(name);
      const commitment = await inLine(where, () => commitmentOf(options, source));
      const before = positions.get(commitment);
      if (before === undefined) {
        positions.set(commitment, { number, offset, bytes });
        yield { number, commitment, options };
      } else yield { number, code: 'duplicate', problem: repeated(where, before.number) };
    } catch (error) {
      if (!(error instanceof KaiactlError) || error instanceof UnusableBatch) throw error;
      yield { number, code: 'malformed', problem: error };
    }
  }
}

function repeated(where: string, before: number): KaiactlError {
  return new KaiactlError(`${where} repeats the commitment of line ${before}`);
}

function shared(path: string): UnusableBatch {
  return new UnusableBatch(
    `${path} holds signatures or tokens and can be read by other users; it is not used`,
    { hint: `chmod 600 ${shellWord(path)}` },
  );
}

/** Adds the place to an error. */
async function inLine<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw located(where, error);
  }
}

function commitmentOf(options: JoinerOptions, { common, scheme, tools }: BatchSource): Promise<string> {
  return commitmentFor(merged(common, options), scheme, tools);
}

/** Reads lines by position, in blocks: most lines are read in the order of the file. One read at a time fills the block. */
function blockReader(handle: FileHandle): (position: Position) => Promise<string> {
  const block = Buffer.allocUnsafe(blockBytes);
  const inTurn = lanes(1);
  let [start, length] = [0, 0];
  return ({ offset, bytes }) =>
    inTurn.use(async () => {
      if (offset < start || offset + bytes > start + length) {
        // Nothing is valid after a failed read.
        [start, length] = [offset, 0];
        length = (await handle.read(block, 0, blockBytes, offset)).bytesRead;
      }
      return block.toString('utf8', offset - start, Math.min(offset - start + bytes, length));
    });
}
