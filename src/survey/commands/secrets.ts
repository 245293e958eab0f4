/** Reads secrets from files and stdin. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
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

export interface Secrets {
  /**
   * The text of a file, or of stdin for `-`.
   * @throws {KaiactlError} if it cannot be read or is empty, or if other users can read a key (exit 2)
   */
  read(
    file: string,
    what: string,
    sensitivity: Sensitivity | ((text: string) => Sensitivity),
  ): Promise<string>;
  /** Stdin, for one use. @throws {KaiactlError} if it has another (exit 2) */
  stdin(what: string): Input;
}

/** Reads each secret once. Only one of them can come from stdin. */
export function secrets(host: Host, session: Session): Secrets {
  let stdinFor: string | null = null;
  const known = new Map<string, string>();
  const remembered = (file: string, what: string, text: string): string => {
    known.set(`${what} ${file}`, text);
    return text;
  };
  const judge = async (found: Sensitivity, file: string, what: string): Promise<void> => {
    const hint = `chmod 600 ${shellWord(file)}`;
    switch (found) {
      case 'key':
        throw new KaiactlError(`${what} in ${file} can be read by other users; it is not used`, { hint });
      case 'lesser':
        return session.say(`warning: ${what} in ${file} can be read by other users; ${hint}`);
      case 'none':
    }
  };
  const stdin = (what: string): Input => {
    if (stdinFor !== null) {
      throw new KaiactlError(`stdin cannot be both ${stdinFor} and ${what}`, { hint: 'Put one in a file.' });
    }
    stdinFor = what;
    return host.stdin;
  };
  return {
    stdin,
    async read(file, what, sensitivity) {
      const before = known.get(`${what} ${file}`);
      if (before !== undefined) return before;
      if (file === '-') {
        return remembered(file, what, await textOf(stdin(what), what));
      }
      const path = resolve(host.cwd, file);
      const { text, shared } = readSecret(path, what);
      const found = typeof sensitivity === 'string' ? sensitivity : sensitivity(text);
      if (host.platform === 'win32' && found !== 'none') await session.say(`warning: ${noModes}`);
      else if (shared) await judge(found, file, what);
      return remembered(file, what, text);
    },
  };
}

const maxStdin = 1 << 16;

async function textOf(stdin: Input, what: string): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > maxStdin) throw new KaiactlError(`stdin is too long to be ${what}`);
  }
  if (text.trim() === '') throw new KaiactlError(`stdin is empty; it should contain ${what}`);
  return text.trim();
}

/** A secret, and the protection of its file. */
export interface Secret {
  readonly text: string;
  /** Whether group or others may read the file. */
  readonly shared: boolean;
}

const maxBytes = 1 << 16;

/**
 * Reads a secret file of at most 64 KiB and trims it.
 * @param what what the file contains, for messages
 * @throws {KaiactlError} if it cannot be read, is empty or too long (exit 2)
 */
export function readSecret(path: string, what: string): Secret {
  try {
    const handle = openSync(path, 'r');
    try {
      const text = readUp(handle).trim();
      if (text === '') throw new Error('it is empty');
      if (text.length > maxBytes) throw new Error('it is longer than 64 KiB');
      const shared = (fstatSync(handle).mode & 0o077) !== 0;
      return { text, shared };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new KaiactlError(`cannot read ${what} from ${path}: ${plain(error as Error)}`, { cause: error });
  }
}

/** Reads until the end or the limit; a pipe delivers its text in pieces. */
function readUp(handle: number): string {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
    read = readSync(handle, buffer, length, buffer.length - length, null);
  }
  return buffer.toString('utf8', 0, length);
}

/** The system's message without code and path. */
function plain({ message }: Error): string {
  return /^E[A-Z]+: (.*), (?:open|read)\b/.exec(message)?.[1] ?? message;
}
