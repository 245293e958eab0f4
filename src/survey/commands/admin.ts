/** kaiactl survey admin and survey backup: requests to a running server over its admin socket. */

import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { resolve } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { jsonOf } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import { field } from '../protocol/upstream.js';
import { isShared } from '../store/open.js';
import { readParticipantSecret } from '../store/participant-secret.js';
import { adminReport } from './admin-report.js';
import type { AdminAction, AdminOptions } from './options/admin.js';

/** `survey admin <action> [survey]`. @throws {KaiactlError} when there is no server, or it refuses */
export async function runAdmin(
  action: AdminAction,
  survey: string | undefined,
  options: AdminOptions,
  host: Host,
): Promise<typeof exit.ok> {
  const isReport = action === 'list' || action === 'payments' || action === 'outcomes' || action === 'status';
  if (isReport && survey !== undefined) {
    throw new KaiactlError(`survey admin ${action} takes no argument, but got ${visible(survey, 100)}`, {
      hint: `Leave it out: kaiactl survey admin ${action}`,
    });
  }
  const socket = socketOf(options, host);
  const needed = () => {
    if (survey !== undefined) return survey;
    throw new KaiactlError(`survey admin ${action} needs a survey`, {
      hint: `Name its address: kaiactl survey admin ${action} 0x…`,
    });
  };
  switch (action) {
    case 'list':
    case 'payments':
    case 'outcomes':
    case 'status': {
      const path = action === 'list' ? '/surveys' : `/${action}`;
      await print(host.stdout, adminReport(action, await ask(socket, 'GET', path), options.format));
      return exit.ok;
    }
    case 'add':
      await ask(socket, 'POST', '/surveys', { survey: needed() });
      return exit.ok;
    case 'close':
      await ask(socket, 'POST', '/surveys/close', { survey: needed() });
      return exit.ok;
    case 'export': {
      const group = await ask(socket, 'GET', `/export?${new URLSearchParams({ survey: needed() })}`);
      await print(host.stdout, `${JSON.stringify({ survey, ...(group as object) })}\n`);
      return exit.ok;
    }
  }
}

/** `survey backup <file>`: asks the server, or copies the file if no server runs. */
export async function runBackup(to: string, options: AdminOptions, host: Host): Promise<typeof exit.ok> {
  const path = resolve(host.cwd, to);
  if (existsSync(path)) throw new KaiactlError(`${to} exists: a backup does not overwrite files`);
  const socket = socketOf(options, host);
  if (existsSync(socket)) await ask(socket, 'POST', '/backup', { path });
  else await backUpFile(path, options, host);
  await print(host.stderr, 'the backup does not hold the participant secret: back that file up separately\n');
  return exit.ok;
}

async function backUpFile(path: string, options: AdminOptions, host: Host): Promise<void> {
  if (options.store === undefined) throw new KaiactlError('survey backup needs --store or --admin-socket');
  const store = resolve(host.cwd, options.store);
  if (!existsSync(store)) throw new KaiactlError(`there is no store ${options.store}`);
  const named = options.participantSecretFile;
  const secret = readParticipantSecret(named === undefined ? `${store}.secret` : resolve(host.cwd, named));
  const { openSqlite } = await import('../store/sqlite.js');
  const storage = await openSqlite(store, secret);
  try {
    await storage.copyTo(path);
  } finally {
    await storage.close();
  }
}

function socketOf({ adminSocket, store }: AdminOptions, host: Host): string {
  if (adminSocket !== undefined) return resolve(host.cwd, adminSocket);
  if (store !== undefined && isShared(store)) {
    throw new KaiactlError('a database does not name the servers that use it', {
      hint: 'Start one of them with --admin-socket, and name that socket here.',
    });
  }
  if (store !== undefined) return `${resolve(host.cwd, store)}.admin`;
  throw new KaiactlError('--store or --admin-socket is missing: it selects the server');
}

/** One request to the admin socket. */
function ask(socketPath: string, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ socketPath, method, path, headers }, (response) => {
      answered(response).then(resolve, reject);
    });
    sent.once('error', (error) => {
      reject(
        new KaiactlError(`no server answers on ${socketPath}`, {
          exitCode: exit.unseen,
          cause: error,
          hint: 'Is it running, and with this store?',
        }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The server's answer. @throws {KaiactlError} when it refuses, or is another program */
async function answered(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const answer = jsonOf(Buffer.concat(chunks).toString());
  if (response.statusCode === 200 && answer !== undefined && answer !== null) return answer;
  const refused = jsonOf(String(field(answer, 'error')));
  if (typeof field(refused, 'shortMessage') !== 'string') {
    throw new KaiactlError('the server does not know this action: it is another version');
  }
  throw new KaiactlError(visible(`${field(refused, 'shortMessage')}: ${field(refused, 'reason')}`, 300));
}
