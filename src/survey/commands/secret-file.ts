/** Secrets from files and the environment, never from arguments. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { KaiactlError } from '../../errors.js';

/** A secret, and how its file is kept. */
export interface Secret {
  readonly text: string;
  /** Whether group or others may read the file. */
  readonly shared: boolean;
}

const maxBytes = 1 << 16;

/**
 * Reads a short secret file, without blanks around it.
 * @param what the thing in it, for messages
 * @throws {KaiactlError} when it cannot be read, is empty or far too long (exit 2)
 */
export function readSecret(path: string, what: string): Secret {
  try {
    const handle = openSync(path, 'r');
    try {
      const text = readUp(handle).trim();
      if (text === '') throw new Error('it is empty');
      if (text.length > maxBytes) throw new Error('it is too long to be one');
      const shared = (fstatSync(handle).mode & 0o077) !== 0;
      return { text, shared };
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new KaiactlError(`cannot read ${what} from ${path}: ${plain(error as Error)}`, { cause: error });
  }
}

/** A pipe gives its text in pieces. */
function readUp(handle: number): string {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
    read = readSync(handle, buffer, length, buffer.length - length, null);
  }
  return buffer.toString('utf8', 0, length);
}

/** The system's words without its code and without the path, which the sentence has already. */
function plain({ message }: Error): string {
  return /^E[A-Z]+: (.*), (?:open|read)\b/.exec(message)?.[1] ?? message;
}
