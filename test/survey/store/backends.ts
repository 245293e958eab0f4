/** The stores that tests of this folder run against: in each run SQLite, and in `npm run test:postgres` PostgreSQL, too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../../src/survey/store/postgres.js';
import type { Secret } from '../../../src/survey/store/schema.js';
import { openSqlite } from '../../../src/survey/store/sqlite.js';
import type { Storage } from '../../../src/survey/store/storage.js';
import { bounded } from '../../peers/bounded.js';
import { type Cluster, noPostgres, notOnPostgres, startPostgres } from './postgres.js';

export const secret = Buffer.alloc(32, 7);

export interface Backend {
  readonly name: string;
  /** Null: it is available here. */
  readonly missing: string | null;
  /** An empty store; opened again it is the same one. */
  make(): Promise<{ place: string; open(own?: Secret): Promise<Storage>; remove(): Promise<void> }>;
}

const sqlite: Backend = {
  name: 'sqlite',
  missing: null,
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-store-'));
    return {
      place: join(folder, 'survey.db'),
      open: async (own = secret) => bounded(await openSqlite(join(folder, 'survey.db'), own)),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

let cluster: Promise<Cluster> | null = null;

/** Ends what the tests of a file started. */
export async function stopBackends(): Promise<void> {
  await (await cluster)?.stop();
  cluster = null;
}

const postgres: Backend = {
  name: 'postgres',
  missing: notOnPostgres,
  async make() {
    cluster ??= startPostgres();
    const url = (await cluster).database();
    return {
      place: url,
      open: async (own = secret) => bounded(await openPostgres(url, own)),
      remove: async () => undefined,
    };
  },
};

export const backends: readonly Backend[] = [sqlite, postgres];

/** Both in each run: for the tests of the storage itself. */
export const bothBackends: readonly Backend[] = [sqlite, { ...postgres, missing: noPostgres }];
