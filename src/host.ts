/** Everything the program takes from its process; tests pass their own. */
import type { Readable, Writable } from 'node:stream';
import { keepCompiled } from './compile-cache.js';
import { KaiactlError } from './errors.js';

export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly fd?: number;
};
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
  /** The folder of the kernel's process table; absent for /proc. */
  readonly proc?: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Enables the cache of compiled code; absent where there is none. */
  readonly keepCompiled?: () => void;
  /** Calls back on every SIGHUP, which otherwise ends the process; absent in tests. */
  readonly onHangup?: (reload: () => void) => void;
  /** Aborts at the first SIGINT or SIGTERM during `interruptible` work. */
  readonly signal: AbortSignal;
  /** The texts of files that are open in an editor, by real path: they count instead of what is on disk. */
  readonly open?: ReadonlyMap<string, string>;
  /** Lets SIGINT and SIGTERM abort `signal`, until the returned function has been called; absent in tests. */
  readonly catchSignals?: () => () => Promise<void>;
  /** Runs the same command line in a child process; present in the first process of a container. */
  readonly runInChild?: () => Promise<number>;
}

/**
 * Runs work that has something to clean up: a signal aborts `host.signal`, and a second one ends the process at once. Outside
 * of such work, as while files are read, the first signal ends the process at once.
 */
export async function interruptible<T>(host: Host, work: () => T | Promise<T>): Promise<T> {
  const release = host.catchSignals?.();
  try {
    return await work();
  } finally {
    await release?.();
  }
}

/** The real process. Streams are opened at first use. */
export function nodeHost(): Host {
  const abort = new AbortController();
  // Without a handler, the signal lets other users' programs debug this process on a loopback port.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
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
    signal: abort.signal,
    catchSignals: () => catchSignals((name) => abort.abort(name)),
    ...(process.pid === 1 ? { runInChild } : {}),
  };
}

/** A reader that closes our output early (`| head`) is not an error; `print` returns false. */
function withoutErrors(stream: Output): Output {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  return stream;
}

function catchSignals(caught: (name: string) => void): () => Promise<void> {
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.once(name, caught);
  return async () => {
    // A signal that arrived during synchronous work is delivered in the next turn of the event loop.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const name of names) process.off(name, caught);
  };
}

/**
 * The kernel keeps signals without a handler from the first process of a container. A handler runs between two steps of work
 * only, so the work is done in a child process, which gets every signal.
 */
async function runInChild(): Promise<number> {
  const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
  const words = [...process.execArgv, ...process.argv.slice(1)];
  // In its own session: else Ctrl-C would reach it twice.
  const child = spawn(process.execPath, words, { stdio: 'inherit', detached: true });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill(name));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, name) => resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])));
  });
}

/** A file of the installed package, whose root is one folder above both src and dist. */
export function packageFile(path: string): URL {
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
