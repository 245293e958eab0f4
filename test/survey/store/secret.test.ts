/** The secret of a store, and which store a place names. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isShared } from '../../../src/survey/store/open.js';
import { participantSecret, readParticipantSecret } from '../../../src/survey/store/participant-secret.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const refused = expect.objectContaining({ hint: expect.stringContaining('--participant-secret-file') });

test('the secret is created once, readable by its owner only, and stays the same', () => {
  const path = join(folder, 'secret');
  const made = participantSecret(path);
  expect(made.map((key) => key.length)).toEqual([32]);
  expect(participantSecret(path)).toEqual(made);
  expect(readParticipantSecret(path)).toEqual(made);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toMatch(/^[\w-]{43}\n$/);
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(participantSecret(join(folder, 'other'))).not.toEqual(made);
});

test.each([
  ['too short', 'x'.repeat(42)],
  ['a character of another alphabet', `${'x'.repeat(43)}+`],
  ['a blank', `${'x'.repeat(43)} ${'x'.repeat(43)}`],
  ['nothing', ''],
])('a file that holds %s is rejected and not changed', (_, text) => {
  const path = join(folder, 'secret');
  writeFileSync(path, text, { mode: 0o600 });
  expect(() => participantSecret(path)).toThrow(refused);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a secret that is missing is said to be', () => {
  const path = join(folder, 'secret');
  expect(() => readParticipantSecret(path)).toThrow(`${path} cannot be used: there is no such file`);
});

test('a secret that can neither be read nor created is an error', () => {
  expect(() => readParticipantSecret(join(folder, 'secret'))).toThrow(refused);
  expect(() => participantSecret(join(folder, 'no', 'secret'))).toThrow(refused);
  expect(() => participantSecret(folder)).toThrow(refused);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['postgres://u@h/d', true],
  ['postgresql://u@h/d', true],
  ['./postgres://x', false],
  ['postgres:', false],
  ['store.db', false],
])('%s is a database that servers share: %j', (place, shared) => expect(isShared(place)).toBe(shared));
