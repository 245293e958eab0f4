/** Reads secrets from files and stdin. */
import { closeSync, fchmodSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { failure, KaiactlError } from '../../errors.js';
import type { Host, Input } from '../../host.js';
import { shellWord } from '../../util/shell-word.js';
import type { Session } from './session.js';

/**
 * Decides what happens if other users can read the file. key: it is rejected, as ssh does; lesser: a warning (the secret
 * is encrypted, or expires soon); none: ignored.
 */
export type Sensitivity = 'key' | 'lesser' | 'none';

/** Said once: Windows has no modes. */
export const noModes =
  'Windows has no file modes: whether other users can read the files with secrets is not checked (icacls shows it)';

/** The warning about a file that other users can read; null if there is none. @throws {KaiactlError} for a key (exit 2) */
function sharedWarning(found: Sensitivity, file: string, what: string): string | null {
  const hint = `chmod 600 ${shellWord(file)}`;
  if (found === 'key')
    throw new KaiactlError(`${what} in ${file} can be read by other users; it is not used`, { hint });
  return found === 'none' ? null : `${what} in ${file} can be read by other users; ${hint}`;
}

export type Secrets = ReturnType<typeof secrets>;

/** Reads each secret once. Only one of them can come from stdin. */
export function secrets(host: Host, session: Session) {
  let stdinFor: string | null = null;
  const known = new Map<string, string>();
  /** Stdin, for one use. @throws {KaiactlError} if it has another (exit 2) */
  const stdin = (what: string): Input => {
    if (stdinFor !== null)
      throw new KaiactlError(`stdin cannot be both ${stdinFor} and ${what}`, { hint: 'Put one in a file.' });
    stdinFor = what;
    return host.stdin;
  };
  /** The text of a file, or of stdin for `-`. @throws {KaiactlError} if others can read a key (exit 2) */
  const read = async (
    file: string,
    what: string,
    sensitivity: Sensitivity | ((text: string) => Sensitivity),
  ) => {
    const name = `${what} ${file}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const isStdin = file === '-';
    const { text, shared } = isStdin
      ? { text: await readStdin(stdin(what), what), shared: false }
      : readSecret(resolve(host.cwd, file), what);
    const found = isStdin ? 'none' : typeof sensitivity === 'string' ? sensitivity : sensitivity(text);
    const isWindows = host.platform === 'win32' && found !== 'none';
    const warning = isWindows ? noModes : shared ? sharedWarning(found, file, what) : null;
    if (warning !== null) await session.say(`warning: ${warning}`);
    known.set(name, text);
    return text;
  };
  return { stdin, read };
}

export type ServerSecret = ReturnType<typeof serverSecrets>;

/**
 * Returns a function that reads a secret of a server from the environment, else from a file; null when neither is given. It
 * throws a KaiactlError when the file cannot be read, or other users can read a key (exit 2).
 * @param notes receives the warnings
 */
export function serverSecrets({ cwd, platform }: Host, notes: string[]) {
  return (what: string, env?: string, file?: string, sensitivity: Sensitivity = 'key'): string | null => {
    if (env !== undefined && env !== '') return env;
    if (file === undefined) return null;
    const { text, shared } = readSecret(resolve(cwd, file), what);
    const warning = shared && platform !== 'win32' ? sharedWarning(sensitivity, file, what) : null;
    if (warning !== null) notes.push(warning);
    return text;
  };
}

/** Gives the file that stdout is redirected to mode 600, before a copy of the store is in it. */
export function keepPrivate({ stdout: { fd } }: Host): void {
  try {
    if (fd !== undefined && fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
  } catch {
    // Another user's file.
  }
}

const maxStdin = 1 << 16;

async function readStdin(stdin: Input, what: string): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > maxStdin) throw new KaiactlError(`stdin is too long to be ${what}`);
  }
  if (text.trim() === '') throw new KaiactlError(`stdin is empty; it should contain ${what}`);
  return text.trim();
}

const maxBytes = 1 << 16;

/**
 * Reads a secret file of at most 64 KiB and trims it. `shared`: group or others may read the file.
 * @param what what the file contains, for messages
 * @throws {KaiactlError} if it cannot be read, is empty or too long (exit 2)
 */
export function readSecret(path: string, what: string): { readonly text: string; readonly shared: boolean } {
  try {
    const handle = openSync(path, 'r');
    try {
      const text = readUp(handle).trim();
      if (text === '') throw new Error('it is empty');
      if (text.length > maxBytes) throw new Error('it is longer than 64 KiB');
      return { text, shared: (fstatSync(handle).mode & 0o077) !== 0 };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw failure(`cannot read ${what} from ${path}`, error);
  }
}

/** Reads until the end or the limit; a pipe delivers its text in pieces. */
function readUp(handle: number): string {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= maxBytes; length += read)
    read = readSync(handle, buffer, length, buffer.length - length, null);
  return buffer.toString('utf8', 0, length);
}
