/** The key of the participants' hashes, in a file apart from the store. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { KaiactlError } from '../../errors.js';

/**
 * Reads the secret, or creates it with mode 600 if the file is missing. The file appears atomically: servers that start
 * at the same time use the same secret.
 * @throws {KaiactlError} when the file cannot be read or created, or holds no secret (exit 2)
 */
export function participantSecret(path: string): Buffer {
  if (!existsSync(path)) make(path);
  return readParticipantSecret(path);
}

function make(path: string): void {
  const written = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(written, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    linkSync(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, (error as Error).message);
  } finally {
    rmSync(written, { force: true });
  }
}

/** Reads an existing secret. @throws {KaiactlError} like `participantSecret` */
export function readParticipantSecret(path: string): Buffer {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unusable(path, (error as Error).message);
  }
  if (!/^[\w-]{43,}$/.test(text)) throw unusable(path, 'it holds no secret of 32 bytes in base64url');
  return Buffer.from(text, 'base64url');
}

function unusable(path: string, why: string): KaiactlError {
  return new KaiactlError(`the participants’ secret ${path} cannot be used: ${why}`, {
    hint: 'It belongs to the store and is kept apart from it: name it with --participant-secret-file.',
  });
}
