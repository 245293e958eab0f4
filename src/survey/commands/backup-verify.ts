/** kaiactl survey backup --verify: checks the copy of a store. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { count } from '../../util/words.js';
import { readParticipantSecret } from '../store/participant-secret.js';
import type { CopyReport } from '../store/verify-copy.js';
import type { BackupOptions } from './options/admin.js';

/** Prints whether a server could continue with the backup. @throws {KaiactlError} when there is no such file (exit 2) */
export async function verifyBackup(
  file: string,
  options: BackupOptions,
  host: Host,
): Promise<typeof exit.ok | typeof exit.failed> {
  const path = resolve(host.cwd, file);
  if (!existsSync(path)) throw new KaiactlError(`there is no backup ${file}`);
  const named = options.participantSecretFile;
  const secret = named === undefined ? null : readParticipantSecret(resolve(host.cwd, named));
  const { verifyCopy } = await import('../store/verify-copy.js');
  const report = await verifyCopy(path, secret);
  const text =
    options.format === 'json' ? JSON.stringify({ file, ...report }) : sentence(report, secret !== null);
  await print(host.stdout, `${text}\n`);
  return report.problem === null ? exit.ok : exit.failed;
}

function sentence(
  { problem, surveys, members, participants, format }: CopyReport,
  hasSecret: boolean,
): string {
  if (problem !== null) return `not usable: ${problem}`;
  const held = [
    count(surveys ?? 0, 'survey'),
    count(members ?? 0, 'member'),
    count(participants ?? 0, 'participant'),
  ];
  const checked = hasSecret ? 'its secret belongs to it' : 'its secret was not checked';
  return `usable: ${held.join(', ')}, format ${format}; ${checked}`;
}
