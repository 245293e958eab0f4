/** The stores that every test of this folder runs against. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import type { Storage } from '../../../src/survey/store/storage.js';

export const secret = Buffer.alloc(32, 7);

export interface Backend {
  readonly name: string;
  /** Null: it can be had here. */
  readonly missing: string | null;
  /** An empty store; opened again it is the same one. */
  make(): Promise<{ open(): Promise<Storage>; remove(): Promise<void> }>;
}

const sqlite: Backend = {
  name: 'sqlite',
  missing: null,
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-store-'));
    return {
      open: () => openSqlite(join(folder, 'survey.db'), secret),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

export const backends: readonly Backend[] = [sqlite];
