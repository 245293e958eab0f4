/** How the file of a store is opened: an answer that was given is on disk, and deleted rows are overwritten. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { openFile } from '../../../src/survey/store/sqlite-file.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every commit is flushed, deleted rows are overwritten, and the file is the owner’s alone', () => {
  const path = join(folder, 'survey.db');
  const { database, wasOpen } = openFile(Libsql, path);
  const pragma = (name: string) => (database.prepare(`PRAGMA ${name}`).raw().all() as unknown[][])[0]?.[0];
  expect(['synchronous', 'secure_delete', 'locking_mode'].map(pragma)).toEqual([2, 1, 'exclusive']);
  expect({ wasOpen, mode: statSync(path).mode & 0o777 }).toEqual({ wasOpen: false, mode: 0o600 });
  database.close();
});
