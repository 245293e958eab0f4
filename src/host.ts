/** Everything the program takes from its process; tests pass their own. */
import type { Readable, Writable } from 'node:stream';
import { keepCompiled } from './compile-cache.js';
import { KaiactlError } from './errors.js';

export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };
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
  /** Enables the cache of compiled code; absent where there is none. */
  readonly keepCompiled?: () => void;
  /** Calls back on every SIGHUP, which otherwise ends the process; absent in tests. */
  readonly onHangup?: (reload: () => void) => void;
  /** Aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
  readonly signal: AbortSignal;
}

/** The real process. Streams and signal handlers are opened at first use. */
export function nodeHost(): Host {
  let abort: AbortController | undefined;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return withoutErrors(process.stdout);
    },
    get stderr() {
      return withoutErrors(process.stderr);
    },
    now: Date.now,
    keepCompiled: () => keepCompiled(process.env),
    onHangup: (reload) => void process.on('SIGHUP', reload),
    get signal() {
      abort ??= interruptible();
      return abort.signal;
    },
  };
}

/** A reader that closes our output early (`| head`) is not an error; `print` returns false. */
function withoutErrors(stream: Output): Output {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  return stream;
}

function interruptible(): AbortController {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(name));
  return abort;
}

/** A file of the installed package, whose root is one folder above both src and dist. */
export function packaged(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

/**
 * Writes text or bytes, and waits until the stream has accepted it, so that an exit does not lose it; false when the reader is
 * gone. Errors of stderr are ignored.
 * @throws {KaiactlError} when the text cannot be written, as on a full disk (exit 2)
 */
export function print(stream: Output, text: string | Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (text.length === 0 || stream.destroyed) return resolve(!stream.destroyed);
    stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error == null) return resolve(true);
      if (error.code === 'EPIPE' || stream === process.stderr) return resolve(false);
      const reason = error.code === 'ENOSPC' ? 'no space is left there' : error.message;
      reject(new KaiactlError(`cannot write the output: ${reason}`, { cause: error }));
    });
  });
}
