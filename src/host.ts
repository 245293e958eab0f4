/** The rim: everything the program takes from its process, so that a test can hand it something else. */
import type { Readable, Writable } from 'node:stream';

/** A stream results or notes are written to. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };
/** Where `-` reads from. */
export type Input = Readable & { readonly isTTY?: boolean };

export interface Host {
  /** Words after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Milliseconds since 1970. */
  now(): number;
  /** Aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
  readonly signal: AbortSignal;
}

/** The real process. A reader that closes our stdout early (`| head`) is not an error. */
export function nodeHost(): Host {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(name));
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    signal: abort.signal,
  };
}

/** Writes text and waits until the stream has taken it, so that no exit can cut it off. */
export function print(stream: Output, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (text === '' || stream.destroyed) resolve();
    else stream.write(text, () => resolve());
  });
}
