/** Runs a program in this process, with a host that remembers what was written. */
import { PassThrough, Readable } from 'node:stream';
import type { Host, Output } from '../../src/host.js';
import { withTime } from '../peers/outcome.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** True when stdout is a terminal. */
  readonly terminal?: boolean;
  /** Of both streams; undefined for a pipe. Default: 80. */
  readonly columns?: number | undefined;
  readonly signal?: AbortSignal;
  readonly platform?: NodeJS.Platform;
}

/** Runs a program with this command line: exit code and both streams. */
export async function runWith(
  program: (host: Host) => Promise<number>,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const width = 'columns' in options ? options.columns : 80;
  const [stdout, out] = sink(options.terminal === true, width);
  const [stderr, err] = sink(false, width);
  const host: Host = {
    argv: withTime(argv),
    env: { HOME: '/nowhere', ...options.env },
    cwd: options.cwd ?? '/',
    platform: options.platform ?? 'linux',
    stdin: Readable.from([Buffer.from(options.stdin ?? '')]),
    stdout,
    stderr,
    now: () => Date.UTC(2026, 1, 11),
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await program(host);
  return { code, out: out(), err: err() };
}

function sink(terminal: boolean, columns: number | undefined): [Output, () => string] {
  const stream = new PassThrough() as PassThrough & { isTTY?: boolean; columns?: number };
  stream.isTTY = terminal;
  if (columns !== undefined) stream.columns = columns;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return [stream, () => Buffer.concat(chunks).toString()];
}
