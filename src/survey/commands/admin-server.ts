/** Where the admin's requests go: to the socket of a running server, or to the store that no server has open. */
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { jsonOf } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import { field } from '../protocol/upstream.js';
import type { Offline } from '../server/offline.js';
import { isShared, openStorage } from '../store/open.js';
import { readParticipantSecret } from '../store/participant-secret.js';
import type { ServerOptions } from './options/admin.js';
import { withoutPassword } from './serve-store.js';

export type Method = 'GET' | 'POST';

export interface AdminServer {
  /** @throws {KaiactlError} when there is neither a server nor a store (exit 3), or it refuses (exit 2) */
  ask(method: Method, path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

/** What an action needs: only a running server can answer, or a store, which may be new. */
export interface Needs {
  readonly server?: true;
  readonly newStore?: true;
}

export function adminServer(options: ServerOptions, needs: Needs, host: Host): AdminServer {
  const socket = socketOf(options, host);
  const headers = { [actorHeader]: encodeURIComponent(actor(host)) };
  let store: Offline | null = null;
  return {
    async ask(method, path, body) {
      if (socket !== null && store === null) {
        try {
          return await overSocket(socket, method, path, headers, body);
        } catch (error) {
          if (!isUnreachable(error) || needs.server || !hasStore(options, needs, host)) throw error;
        }
      }
      if (needs.server) throw noServer('a database does not name the servers that use it');
      store ??= await openOffline(options, host);
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      const answer = await store.ask({
        method,
        url: path,
        headers: { ...headers, ...typeOf(body) },
        ...payload,
      });
      return judged(answer.status, answer.body);
    },
    async close() {
      await store?.close();
    },
  };
}

/** Null: a database, which has no socket of its own. */
function socketOf({ adminSocket, store }: ServerOptions, host: Host): string | null {
  if (adminSocket !== undefined) return resolve(host.cwd, adminSocket);
  if (store !== undefined) return isShared(store) ? null : `${resolve(host.cwd, store)}.admin`;
  throw new KaiactlError('--store or --admin-socket is missing: it selects the server');
}

function hasStore({ store }: ServerOptions, { newStore }: Needs, host: Host): boolean {
  return (
    store !== undefined && (newStore === true || isShared(store) || existsSync(resolve(host.cwd, store)))
  );
}

/** The store as a database's URL or a file's path. */
export function storePlaceOf({ store }: ServerOptions, host: Host): string {
  if (store === undefined) throw new KaiactlError('--store is missing: it selects the store');
  return isShared(store) ? withoutPassword(store) : resolve(host.cwd, store);
}

/** The file of the participants' secret. */
export function secretPathOf(options: ServerOptions, host: Host): string {
  const { store = '', participantSecretFile: named } = options;
  if (named !== undefined) return resolve(host.cwd, named);
  if (isShared(store) && named === undefined) {
    throw new KaiactlError(
      'a database is opened with its participants’ secret: --participant-secret-file is missing',
      {
        hint: 'Or start one of its servers with --admin-socket, and name that socket here.',
      },
    );
  }
  return `${resolve(host.cwd, store)}.secret`;
}

async function openOffline(options: ServerOptions, host: Host): Promise<Offline> {
  const place = storePlaceOf(options, host);
  const secret = readParticipantSecret(secretPathOf(options, host));
  const { offline } = await import('../server/offline.js');
  return offline(await openStorage(place, secret), secret, host.now);
}

const actorHeader = 'x-kaiactl-actor';

function typeOf(body: object | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

/** The user who ran sudo, else the user of the process. */
export function actor({ env }: Host): string {
  try {
    return env.SUDO_USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** One request to the admin socket. */
function overSocket(
  socketPath: string,
  method: Method,
  path: string,
  actor: Record<string, string>,
  body: object | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { ...actor, ...typeOf(body) };
    const sent = request({ socketPath, method, path, headers }, (response) => {
      answered(response).then(resolve, reject);
    });
    sent.once('error', (error) => reject(noServer(`no server answers on ${socketPath}`, error)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function noServer(message: string, cause?: Error): KaiactlError {
  return new KaiactlError(message, {
    exitCode: exit.unseen,
    ...(cause === undefined ? {} : { cause }),
    hint:
      cause === undefined
        ? 'Start one of them with --admin-socket, and name that socket here.'
        : 'Is it running, and with this store?',
  });
}

/** Whether there is no server, or only the socket of a killed one. */
function isUnreachable(error: unknown): boolean {
  const { code = '' } = ((error as KaiactlError).cause ?? {}) as NodeJS.ErrnoException;
  return error instanceof KaiactlError && /^(ENOENT|ECONNREFUSED)$/.test(code);
}

async function answered(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return judged(response.statusCode ?? 0, Buffer.concat(chunks).toString());
}

/** The answer. @throws {KaiactlError} when the server refuses, or is another program */
function judged(status: number, text: string): unknown {
  const answer = jsonOf(text);
  if (status === 200 && answer !== undefined && answer !== null) return answer;
  const refused = jsonOf(String(field(answer, 'error')));
  if (typeof field(refused, 'shortMessage') !== 'string') {
    throw new KaiactlError('the server does not know this action: it is another version');
  }
  throw new KaiactlError(visible(`${field(refused, 'shortMessage')}: ${field(refused, 'reason')}`, 300));
}
