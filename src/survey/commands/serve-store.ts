/** Where `survey serve` keeps what it remembers, and the secret that belongs to it. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { isShared } from '../store/open.js';
import { participantSecret } from '../store/participant-secret.js';
import type { ServeOptions } from './options/serve.js';

/**
 * A file, or the URL of a database; `:memory:` where nothing has to be remembered, joins and payments on chain.
 * @throws {KaiactlError} when a place is needed, or the URL holds a password (exit 2)
 */
export function storePlace(options: ServeOptions, host: Host, onChain: boolean): string {
  if (options.store !== undefined && isShared(options.store)) return withoutPassword(options.store);
  if (options.store !== undefined) return resolve(host.cwd, options.store);
  if (!onChain) {
    throw new KaiactlError('survey serve needs a place for its groups', {
      hint: 'Give --store FILE, or --rpc-url URL with --manager-key-file FILE, or try --sandbox.',
    });
  }
  if (options.onePerUser)
    throw new KaiactlError('--one-per-user needs --store FILE to remember who has joined');
  return ':memory:';
}

/** Whoever lists processes reads their arguments. @throws {KaiactlError} when the URL holds a password (exit 2) */
function withoutPassword(place: string): string {
  if (!/^\w+:\/\/[^@/?#]*:[^@/?#]+@|[?&]password=/.test(place)) return place;
  throw new KaiactlError('--store holds a password, which every user of this machine can read', {
    hint: 'Give it in PGPASSWORD, or in the file that PGPASSFILE names.',
  });
}

/** Null where there is none: beside a file, unless it is named. */
export function adminSocket({ adminSocket }: ServeOptions, place: string, host: Host): string | null {
  if (adminSocket !== undefined) return resolve(host.cwd, adminSocket);
  return place === ':memory:' || isShared(place) ? null : `${place}.admin`;
}

/** What lies beside the store unless it is named: apart from it either way, for a copy of the store does not hold it. */
export function secretOf(options: ServeOptions, place: string, host: Host): Buffer {
  if (place === ':memory:') return randomBytes(32);
  const named = options.participantSecretFile;
  if (isShared(place)) {
    if (named !== undefined) return participantSecret(resolve(host.cwd, named));
    throw new KaiactlError('a database that servers share needs the secret they share', {
      hint: 'Name the same file for all of them with --participant-secret-file; it is made if missing.',
    });
  }
  if (!existsSync(dirname(place))) {
    throw new KaiactlError(`cannot open the store ${place}: its folder does not exist`);
  }
  return participantSecret(named === undefined ? `${place}.secret` : resolve(host.cwd, named));
}
