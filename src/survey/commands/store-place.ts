/** Where a store, its participants' secret and its admin socket are, for `serve`, `admin` and `backup`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { isShared } from '../store/open.js';
import type { ServerOptions } from './options/admin.js';
import { noModes, refuseSecret } from './secrets.js';

export type StoreOptions = Pick<ServerOptions, 'store' | 'participantSecretFile' | 'quiet'>;

/**
 * The URL of a database, or the path of a file.
 * @throws {KaiactlError} when the URL holds a password, which every user of the machine can read (exit 2)
 */
export function storePlace(store: string, host: Host): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(store) ?? [];
  if (scheme !== undefined && !isShared(store))
    throw new KaiactlError(`--store ${scheme}://… is not a store that kaiactl knows`, {
      hint: 'It is the path of a file, or postgres://… (or postgresql://…) for a database.',
    });
  if (!isShared(store)) return resolve(host.cwd, store);
  if (!/^\w+:\/\/[^@/?#]*:[^@/?#]+@|[?&]password=/.test(store)) return store;
  throw new KaiactlError('--store holds a password, which every user of this machine can read', {
    hint: 'Give it in PGPASSWORD, or in the file that PGPASSFILE names.',
  });
}

type Places = Pick<ServerOptions, 'store' | 'adminSocket' | 'participantSecretFile'>;

/** By default beside the store's file; null if none is named, and the store is no file. */
function beside(suffix: string, { store }: Places, given: string | undefined, { cwd }: Host): string | null {
  if (given !== undefined) return resolve(cwd, given);
  return store === undefined || isShared(store) ? null : `${resolve(cwd, store)}${suffix}`;
}

export function adminSocket(options: Places, host: Host): string | null {
  return beside('.admin', options, options.adminSocket, host);
}

export function secretPath(options: Places, host: Host): string | null {
  const path = beside('.secret', options, options.participantSecretFile, host);
  if (path !== null && !existsSync(path))
    refuseSecret(options.participantSecretFile ?? '', 'participant-secret-file');
  return path;
}

/** @throws {KaiactlError} when the store is a file that does not exist (exit 2) */
export function expectStore({ store }: Pick<ServerOptions, 'store'>, host: Host): void {
  if (store === undefined || isShared(store) || existsSync(storePlace(store, host))) return;
  throw new KaiactlError(`there is no store ${store}`);
}

/** The store and the file of its secret, for a command that opens it itself. @throws {KaiactlError} (exit 2) */
export async function storeAndSecret(options: StoreOptions, host: Host) {
  if (options.store === undefined) throw new KaiactlError('--store is missing: it selects the store');
  const [place, path] = [storePlace(options.store, host), secretPath(options, host)];
  if (path === null)
    throw new KaiactlError(
      'a database is opened with its participants’ secret: --participant-secret-file is missing',
      { hint: 'Or start one of its servers with --admin-socket, and name that socket here.' },
    );
  await sayNoModes(options, host);
  return { place, path };
}

export async function sayNoModes({ quiet }: Pick<ServerOptions, 'quiet'>, host: Host): Promise<void> {
  if (host.platform === 'win32' && !quiet) await print(host.stderr, `note: ${noModes}\n`);
}
