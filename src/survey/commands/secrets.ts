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

/** The options that take files of secrets, and what such a file contains. */
const contents = {
  'key-file': 'the key',
  keystore: 'the keystore',
  'keystore-password-file': 'the keystore’s password',
  'id-token-file': 'the id token',
  'signature-file': 'the signature',
  'identity-file': 'the identity',
  'manager-key-file': 'the manager’s key',
  'channel-secret-file': 'the channel secret',
  'operator-secret-file': 'the operator’s secret',
  'payment-credentials-file': 'credentials',
  'tls-key': 'the key of the certificate',
  'tls-cert': 'the certificate',
} as const;
type SecretOption = keyof typeof contents;

/** The start of a key, PEM or a token; credentials, JSON or base64; and a text too long to name a file. */
const secretShape =
  /^(?:0x)?[\da-fA-F]{32}|^-{5}BEGIN|^[\w-]+\.[\w-]{20,}\.|[\r\n{=]|[^/]{256}|^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+-][\w+/-]{19,}$/;

/** @throws {KaiactlError} that does not show the value, if it looks like the secret itself (exit 2) */
export function refuseSecret(value: string, option: string): void {
  if (!secretShape.test(value.trim())) return;
  throw new KaiactlError(`--${option} takes the path of a file, and got what looks like the secret itself`, {
    hint: 'Write the secret to a file with mode 600. Other users see the command line, and the shell keeps it.',
  });
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
    option: SecretOption,
    sensitivity: Sensitivity | ((text: string) => Sensitivity),
  ) => {
    const what = contents[option];
    const name = `${what} ${file}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const isStdin = file === '-';
    const { text, shared } = isStdin
      ? { text: await readStdin(stdin(what), what), shared: false }
      : readSecret(file, option, host);
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
export function serverSecrets(host: Host, notes: string[]) {
  return (option: SecretOption, env?: string, file?: string, found: Sensitivity = 'key'): string | null => {
    if (env !== undefined && env !== '') return env;
    if (file === undefined) return null;
    const { text, shared } = readSecret(file, option, host);
    const isJudged = shared && host.platform !== 'win32';
    const warning = isJudged ? sharedWarning(found, file, contents[option]) : null;
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

const maxBytes = 1 << 16;

async function readStdin(stdin: Input, what: string): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > maxBytes) throw new KaiactlError(`stdin is too long to be ${what}`);
  }
  if (text.trim() === '') throw new KaiactlError(`stdin is empty; it should contain ${what}`);
  return text.trim();
}

/**
 * Reads a secret file of at most 64 KiB and trims it. `shared`: group or others may read the file.
 * @throws {KaiactlError} if it cannot be read, is empty or too long (exit 2); a value that looks like a secret is masked
 */
export function readSecret(file: string, option: SecretOption, { cwd }: Pick<Host, 'cwd'>) {
  const path = resolve(cwd, file);
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
    refuseSecret(file, option);
    throw failure(`cannot read ${contents[option]} from ${path}`, error);
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
