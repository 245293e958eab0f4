/** Decisions of admins, kept also in a file beside the participants' secret: a restored store that lacks some is older. */
import { appendFileSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { failure, KaiactlError } from '../../errors.js';
import { field, objectOf } from '../../util/json.js';
import { count } from '../../util/words.js';
import { Refused } from '../protocol/refused.js';
import { type AuditEntry, entriesWhere, type Persons } from './audit.js';
import { keysOf, type Secret } from './schema.js';
import { type Rows, type Storage, settingOf } from './storage.js';

/** A line of the file. `entry` counts the decisions of a store. */
export interface Decision extends AuditEntry {
  readonly store: string;
  /** Hashes under the first `keys` keys of the secret. */
  readonly persons: Persons | null;
  readonly keys: number;
}

/** Entries without an effect that a restore could undo. */
const isDecision = ({ action, detail }: AuditEntry): boolean =>
  !/^(backup|rotate-secret)$/.test(action) && (action !== 'export' || field(detail, 'closed') === true);

/** Tells decisions of a store apart: after a restore, it counts from an earlier entry. */
export const placeOf = ({ entry, at, action, survey }: AuditEntry) =>
  [entry, at, action, survey ?? ''].join(' ');

/** Beside the secret, so that a restore of the store does not replace it. */
export function decisionsPath(secretPath: string): string {
  return `${secretPath}.decisions`;
}

/** In milliseconds. */
const retryMs = 30_000;

export type Decisions = ReturnType<typeof keepDecisions>;

/**
 * Appends every decision in the store to the file as it is made, also by other servers.
 * @param secret the participants' secret, beside which the file is
 * @param onError called when the file cannot be written; half a minute later it is tried again
 */
export function keepDecisions(
  storage: Storage,
  secret: Secret,
  path: string,
  onError: (error: unknown) => void,
) {
  const keys = keysOf(secret).length;
  let known: Set<string> | null = null;
  let newest = 0;
  let writing: Promise<void> = Promise.resolve();
  let isWritten = true;
  let again: NodeJS.Timeout | undefined;
  const write = async (): Promise<void> => {
    const store = await settingOf(storage, 'store');
    known ??= new Set((await readDecisions(path, store)).map(placeOf));
    const found = (await entriesWhere(storage, 'entry > ?', newest)).filter(isDecision);
    const added = found.filter((one) => known?.has(placeOf(one)) === false);
    const lines = added.map((one) => `\n${JSON.stringify({ store, ...one, keys })}`).join('');
    // In one write: other processes may append too. Each line begins with its break: a crash may have cut off the last one.
    if (lines !== '') appendFileSync(path, lines, { mode: 0o600 });
    for (const one of added) known.add(placeOf(one));
    newest = found.at(-1)?.entry ?? newest;
  };
  const begin = (text: string): void => {
    // After a lost connection, the database may be a restored one.
    if (text === '') newest = 0;
    writing = writing.then(write).then(
      () => {
        isWritten = true;
      },
      (error: unknown) => {
        isWritten = false;
        again = setTimeout(begin, retryMs, 'again').unref();
        onError(error);
      },
    );
  };
  const unlisten = storage.listen('decision', begin);
  begin('');
  return {
    /** Resolves when what was decided before is in the file, or could not be written. */
    written: () => writing,
    /** Whether the file had all decisions when it was last written. */
    isWritten: () => isWritten,
    async close(): Promise<void> {
      unlisten();
      await writing;
      clearTimeout(again);
    },
  };
}

/** The decisions of a store in the file, each once, the oldest first. @throws {KaiactlError} when it cannot be read */
async function readDecisions(path: string, store: string): Promise<Decision[]> {
  if (!existsSync(path)) return [];
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw failure(`cannot read the decisions ${path}`, cause);
  });
  const lines = text.split('\n');
  const decisions = lines.flatMap((line) => {
    const one = objectOf(line);
    return one !== null && isDecided(one) && one.store === store ? [one] : [];
  });
  return [...new Map(decisions.map((one) => [placeOf(one), one])).values()];
}

function isDecided(line: object): line is Decision {
  const [entry, at, keys] = ['entry', 'at', 'keys'].map((name) => field(line, name));
  const [action, detail] = [field(line, 'action'), field(line, 'detail')];
  return (
    [entry, at, keys].every(Number.isSafeInteger) && typeof action === 'string' && typeof detail === 'object'
  );
}

/** Decisions in the file that the store lacks, and that no restore discarded. @throws {KaiactlError} like the above */
export async function lostDecisions(rows: Rows, path: string): Promise<Decision[]> {
  const written = await readDecisions(path, await settingOf(rows, 'store'));
  if (written.length === 0) return [];
  const trail = await entriesWhere(rows, 'true');
  const settled = (entries: readonly AuditEntry[], name: 'repeated' | 'discarded') =>
    entries.flatMap(({ action, detail }) => {
      const list = action === 'restore' ? field(detail, name) : [];
      return Array.isArray(list) ? list.map(String) : [];
    });
  const gone = new Set([
    ...trail.map(placeOf),
    ...settled(trail, 'repeated'),
    ...settled([...trail, ...written], 'discarded'),
  ]);
  return written.filter((one) => !gone.has(placeOf(one)));
}

/** The opened store, if it is not older than the file. @throws {KaiactlError} when it is older (exit 2) */
export async function newestOnly(storage: Storage, path: string | null): Promise<Storage> {
  try {
    if (path !== null) await expectNewest(storage, path);
  } catch (error) {
    if (error instanceof Refused) return storage;
    await storage.close();
    throw error;
  }
  return storage;
}

async function expectNewest(rows: Rows, path: string): Promise<void> {
  const lost = await lostDecisions(rows, path);
  if (lost.length === 0) return;
  throw new KaiactlError(
    `the store is older than the decisions in ${path}: it lacks ${count(lost.length, 'decision')}`,
    {
      notes: lost.slice(0, 5).map(sentenceOf),
      hint: '“kaiactl survey restore” lists them all; --apply repeats them in the store, --accept-older discards them.',
    },
  );
}

/** `close 0x… at 2026-11-28T21:00:00.000Z by root`. */
export function sentenceOf({ action, survey, at, actor }: Decision): string {
  return `${action}${survey === null ? '' : ` ${survey}`} at ${new Date(at).toISOString()} by ${actor ?? 'a server'}`;
}
