/** The key of the participants' hashes, in a file apart from the store. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { KaiactlError } from '../../errors.js';
import { shellWord } from '../../util/shell-word.js';

const privately = { mode: 0o600, flag: 'wx', flush: true };

/**
 * Reads the secret, or creates it with mode 600 if the file is missing. The file appears atomically: servers that start
 * at the same time use the same secret.
 * @throws {KaiactlError} when the file cannot be read or created, holds no secret, or other users can read it (exit 2)
 */
export function participantSecret(path: string): readonly Buffer[] {
  if (!existsSync(path)) make(path);
  return readParticipantSecret(path);
}

function make(path: string): void {
  const written = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(written, `${randomBytes(32).toString('base64url')}\n`, privately);
    linkSync(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, (error as Error).message);
  } finally {
    rmSync(written, { force: true });
  }
}

/** Reads an existing secret: a key a line, the oldest first. @throws {KaiactlError} like `participantSecret` */
export function readParticipantSecret(path: string): readonly Buffer[] {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').trim().split('\n');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw unusable(path, code === 'ENOENT' ? 'there is no such file' : message);
  }
  if (!lines.every((line) => /^[\w-]{43,}$/.test(line)))
    throw unusable(path, 'it holds no secret of 32 bytes in base64url');
  if (platform() !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new KaiactlError(`the participants’ secret ${path} can be read by other users; it is not used`, {
      hint: `chmod 600 ${shellWord(path)}`,
    });
  return lines.map((line) => Buffer.from(line, 'base64url'));
}

/** Where a rotation writes the keys before the store has changed. */
export function rotatedPath(path: string): string {
  return `${path}.new`;
}

/** Writes the keys to keep and a new one to `rotatedPath`, with mode 600; returns all of them. */
export function writeRotated(path: string, kept: readonly Buffer[]): readonly Buffer[] {
  const rotated = [...kept, randomBytes(32)];
  rmSync(rotatedPath(path), { force: true });
  const text = rotated.map((key) => `${key.toString('base64url')}\n`).join('');
  writeFileSync(rotatedPath(path), text, privately);
  return rotated;
}

function unusable(path: string, why: string): KaiactlError {
  return new KaiactlError(`the participants’ secret ${path} cannot be used: ${why}`, {
    hint: 'It belongs to the store and is kept apart from it: name it with --participant-secret-file.',
  });
}
