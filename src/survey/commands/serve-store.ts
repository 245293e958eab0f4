/** The store of `survey serve`, its participant secret and its admin socket. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import type { Secret } from '../store/migrations.js';
import { hasSecret, isShared } from '../store/open.js';
import { participantSecret } from '../store/participant-secret.js';
import type { ServeOptions } from './options/serve.js';

/**
 * The path of a file or the URL of a database; `:memory:` for an on-chain server without a store.
 * @throws {KaiactlError} when a store is needed but not named, or the URL holds a password (exit 2)
 */
export function storePlace(options: ServeOptions, host: Host, onChain: boolean): string {
  if (options.store !== undefined && isShared(options.store)) return withoutPassword(options.store);
  if (options.store !== undefined) return resolve(host.cwd, options.store);
  if (!onChain) {
    throw new KaiactlError('survey serve needs a store for its groups', {
      hint: 'Give --store FILE, or --rpc-url URL with --manager-key-file FILE, or try --sandbox.',
    });
  }
  if (options.onePerUser)
    throw new KaiactlError('--one-per-user needs --store FILE to remember who has joined');
  return ':memory:';
}

/** Every user of the machine can read the arguments. @throws {KaiactlError} when the URL holds a password (exit 2) */
export function withoutPassword(place: string): string {
  if (!/^\w+:\/\/[^@/?#]*:[^@/?#]+@|[?&]password=/.test(place)) return place;
  throw new KaiactlError('--store holds a password, which every user of this machine can read', {
    hint: 'Give it in PGPASSWORD, or in the file that PGPASSFILE names.',
  });
}

/** By default beside the store's file; null: none. */
export function adminSocket({ adminSocket }: ServeOptions, place: string, host: Host): string | null {
  if (adminSocket !== undefined) return resolve(host.cwd, adminSocket);
  return place === ':memory:' || isShared(place) ? null : `${place}.admin`;
}

/**
 * The participant secret, by default beside the store's file. It is never part of the store, so that a copy lacks it, and
 * created only for a new store: a store opens with no other than its own.
 * @throws {KaiactlError} when it is missing, or cannot be used (exit 2)
 */
export async function secretOf(options: ServeOptions, place: string, host: Host): Promise<Secret> {
  if (place === ':memory:') return randomBytes(32);
  const named = options.participantSecretFile;
  if (isShared(place) && named === undefined) {
    throw new KaiactlError('a shared database needs a shared participant secret', {
      hint: 'Name the same file for all of them with --participant-secret-file; it is created if missing.',
    });
  }
  if (!isShared(place) && !existsSync(dirname(place))) {
    throw new KaiactlError(`cannot open the store ${place}: its folder does not exist`);
  }
  const path = named === undefined ? `${place}.secret` : resolve(host.cwd, named);
  if (!existsSync(path) && (await hasSecret(place))) {
    throw new KaiactlError(`the participants’ secret ${path} is missing: the store opens with no other`, {
      hint: 'Restore it beside the store, or name it with --participant-secret-file. None was created.',
    });
  }
  return participantSecret(path);
}
