/** Where the admin's requests go: to the socket of a running server, or to the store that no server has open. */
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { exit, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { field, jsonOf } from '../../util/json.js';
import { tryOr } from '../../util/try-or.js';
import { visible } from '../../util/visible.js';
import type { AdminRequest, Offline } from '../server/admin.js';
import { decisionsPath, newestOnly } from '../store/decisions.js';
import { isShared, openStorage } from '../store/open.js';
import { readParticipantSecret } from '../store/participant-secret.js';
import type { ServerOptions } from './options/admin.js';
import { adminSocket, storeAndSecret, storePlace } from './store-place.js';

/** What an action needs: only a running server can answer, or a store, which may be new. */
export interface Needs {
  readonly server?: true;
  readonly newStore?: true;
}

export function adminServer(options: ServerOptions, needs: Needs, host: Host) {
  const { store: file } = options;
  if (file !== undefined) storePlace(file, host);
  const socket = adminSocket(options, host);
  if (socket === null && file === undefined)
    throw new KaiactlError('--store or --admin-socket is missing: it selects the server');
  const hasStore =
    file !== undefined && (needs.newStore || isShared(file) || existsSync(resolve(host.cwd, file)));
  let store: Offline | null = null;
  return {
    /** @throws {KaiactlError} when there is neither a server nor a store (exit 3), or it refuses (exit 2) */
    async ask(method: AdminRequest['method'], url: string, body?: object): Promise<unknown> {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { 'x-kaiactl-actor': encodeURIComponent(actor(host)), ...type };
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      const asked = { method, url, headers, ...payload };
      if (socket !== null && store === null) {
        try {
          return judged(await overSocket(socket, asked));
        } catch (error) {
          if (!isUnreachable(error)) throw error;
          if (file !== undefined && !hasStore)
            throw new KaiactlError(`there is no store ${file}, and no server answers on ${socket}`);
          if (needs.server || !hasStore) throw error;
        }
      }
      if (needs.server)
        throw new KaiactlError('a database does not name the servers that use it', {
          exitCode: exit.unseen,
          hint: 'Start one of them with --admin-socket, and name that socket here.',
        });
      store ??= await openOffline(options, host);
      return judged(await store.ask(asked));
    },
    close: async () => store?.close(),
  };
}

async function openOffline(options: ServerOptions, host: Host): Promise<Offline> {
  const { place, path } = await storeAndSecret(options, host);
  const secret = readParticipantSecret(path);
  const { offline } = await import('../server/admin.js');
  const decisions = decisionsPath(path);
  const storage = await newestOnly(await openStorage(place, secret), decisions);
  return offline(storage, secret, decisions, host.now);
}

/** The user who ran sudo, else the user of the process. */
export function actor({ env }: Host): string {
  return tryOr(() => env.SUDO_USER ?? userInfo().username, 'unknown');
}

type Answer = Awaited<ReturnType<Offline['ask']>>;

function overSocket(socketPath: string, { method, url, headers, payload }: AdminRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ socketPath, method, path: url, headers }, (response) => {
      const status = response.statusCode ?? 0;
      text(response).then((body) => resolve({ status, body }), reject);
    })
      .once('error', (cause) => {
        const detail = { exitCode: exit.unseen, cause, hint: 'Is it running, and with this store?' };
        reject(new KaiactlError(`no server answers on ${socketPath}`, detail));
      })
      .end(payload);
  });
}

/** Whether there is no server, or only the socket of a killed one. */
function isUnreachable(error: unknown): boolean {
  const { code = '' } = ((error as KaiactlError).cause ?? {}) as NodeJS.ErrnoException;
  return error instanceof KaiactlError && /^(ENOENT|ECONNREFUSED)$/.test(code);
}

/** The answer. @throws {KaiactlError} when the server refuses, or is another program */
function judged({ status, body }: Answer): unknown {
  const answer = jsonOf(body);
  if (status === 200 && answer !== undefined && answer !== null) return answer;
  const refused = jsonOf(String(field(answer, 'error')));
  if (typeof field(refused, 'shortMessage') !== 'string')
    throw new KaiactlError('the server does not know this action: it is another version');
  throw new KaiactlError(visible(`${field(refused, 'shortMessage')}: ${field(refused, 'reason')}`, 300));
}
