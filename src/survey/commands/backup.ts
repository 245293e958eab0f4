/** `kaiactl survey backup`: a copy of a store, from its running server or from the file, and its check. */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { count } from '../../util/words.js';
import { isShared } from '../store/open.js';
import { readParticipantSecret } from '../store/participant-secret.js';
import type { Secret } from '../store/schema.js';
import type { CopyReport } from '../store/verify-copy.js';
import { adminServer } from './admin-server.js';
import type { BackupOptions } from './options/admin.js';
import { keepPrivate } from './secrets.js';
import { expectStore, sayNoModes, storePlace } from './store-place.js';

/** Asks the server, or copies the file if no server runs; `-` is stdout. */
export async function run(to: string, options: BackupOptions, host: Host): Promise<typeof exit.ok> {
  const path = to === '-' ? temporaryCopy(options, host) : resolve(host.cwd, to);
  if (existsSync(path)) throw new KaiactlError(`${to} exists: a backup does not overwrite files`);
  expectStore(options, host);
  const server = adminServer(options, {}, host);
  try {
    await server.ask('POST', '/backup', { path });
    if (to === '-') {
      keepPrivate(host);
      for await (const chunk of createReadStream(path)) {
        if (await print(host.stdout, chunk as Buffer)) continue;
        throw new KaiactlError('stdout was closed before it held the whole backup', {
          exitCode: exit.unseen,
        });
      }
    }
  } finally {
    await server.close();
    if (to === '-') rmSync(path, { force: true });
  }
  await print(host.stderr, 'the backup does not hold the participant secret: back that file up separately\n');
  return exit.ok;
}

/** A new name beside the store, or beside the socket: the server can write there. @throws {KaiactlError} on a terminal */
function temporaryCopy(options: BackupOptions, host: Host): string {
  if (host.stdout.isTTY === true)
    throw new KaiactlError('a backup is not text, and stdout is a terminal', {
      hint: 'Redirect it: kaiactl survey backup - > survey.db',
    });
  const { adminSocket, store } = options;
  const beside = adminSocket ?? (store === undefined || isShared(store) ? '.' : store);
  return join(dirname(resolve(host.cwd, beside)), `.kaiactl-backup-${randomUUID()}`);
}

/** Prints whether a server could continue with the backup. @throws {KaiactlError} when there is no such file (exit 2) */
export async function verifyBackup(file: string, options: BackupOptions, host: Host): Promise<ExitCode> {
  const place = storePlace(file, host);
  if (!isShared(place) && !existsSync(place)) throw new KaiactlError(`there is no backup ${file}`);
  const named = options.participantSecretFile;
  if (named !== undefined) await sayNoModes(options, host);
  const secret = named === undefined ? null : readParticipantSecret(resolve(host.cwd, named));
  const report = await verify(place, secret);
  const text =
    options.format === 'json' ? JSON.stringify({ file, ...report }) : sentence(report, secret !== null);
  await print(host.stdout, `${text}\n`);
  return report.problem === null ? exit.ok : exit.failed;
}

/** @param place of a copy, or of a database, which is checked as it is */
async function verify(place: string, secret: Secret | null): Promise<CopyReport> {
  const { verifyCopy, verifyRows } = await import('../store/verify-copy.js');
  if (!isShared(place)) return verifyCopy(place, secret);
  const found = await (await import('../store/postgres.js')).readPostgres(place);
  if (found === null) throw new KaiactlError('the database holds no store');
  return verifyRows(found.storage, secret, found.version).finally(found.storage.close);
}

function sentence({ problem, format, ...held }: CopyReport, hasSecret: boolean): string {
  if (problem !== null) return `not usable: ${problem}`;
  const counts = (['survey', 'member', 'participant'] as const).map((one) =>
    count(held[`${one}s`] ?? 0, one),
  );
  const checked = hasSecret ? 'its secret belongs to it' : 'its secret was not checked';
  return `usable: ${counts.join(', ')}, format ${format}; ${checked}`;
}
