/** The settings of `survey serve`, from its options. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import type { ServeSettings } from '../server/serve.js';
import { decisionsPath, newestOnly } from '../store/decisions.js';
import { hasSecret, isShared, openStorage, openToCheck } from '../store/open.js';
import { participantSecret } from '../store/participant-secret.js';
import type { Secret } from '../store/schema.js';
import { chainOptions, type ServeOptions } from './options/serve.js';
import { noModes, type ServerSecret, serverSecrets } from './secrets.js';
import { baseSettings } from './serve-base.js';
import { liveRules, portal, tls, tokenSettings } from './serve-upstreams.js';
import { adminSocket, secretPath, storePlace } from './store-place.js';
import { isLoopback, milliseconds, parseAddress, url, wholeNumber } from './values.js';

/** In kei. Kaia's lowest fee is 25 gkei per unit of gas. */
const gkei = 1_000_000_000n;

/** The settings, and notes for the operator. @throws {KaiactlError} for invalid options (exit 2) */
export async function serveSettings(options: ServeOptions, host: Host) {
  const notes: string[] = [];
  const read = serverSecrets(host, notes);
  const chain = chainSettings(options, host, read);
  if (chain !== null && chain.managerKey === null) notes.push('joins are off: --manager-key-file is missing');
  const place = locateStore(options, host);
  const tokens = tokenSettings(options, host, read);
  if (tokens === null) notes.push('joins are off: --channel-id is missing');
  const settings = {
    ...baseSettings(options, host),
    chain,
    tokens,
    surveys: (options.survey ?? []).map((text) => parseAddress(text, '--survey')),
    portal: portal(options, host, read),
    live: await liveRules(options, host, read),
    tls: tls(options, host, read),
    adminSocket: adminSocket(options, host),
  };
  const { port, tlsCert, paymentUrl, testPayments, onePerUser, scheme } = options;
  if (tokens !== null && !onePerUser)
    notes.push('a user may join any number of times: --one-per-user allows one join per user and survey');
  if (tokens !== null && scheme === undefined)
    notes.push(
      'signatures of the original scheme can be replayed for other surveys: --scheme eip712 refuses them',
    );
  if (paymentUrl !== undefined && testPayments)
    notes.push('anybody can order test payments, which cost nothing: --no-test-payments refuses them');
  if (tlsCert === undefined && !isLoopback(options.host)) {
    const where = `port ${port} of ${options.host}`;
    notes.push(`clients send tokens to ${where} unencrypted: use --tls-cert, or a proxy with TLS`);
  }
  if (host.platform === 'win32') notes.push(noModes);
  const secret = await secretOf(options, place, host);
  const open = options.check ? openToCheck : openStorage;
  const path = place === ':memory:' ? null : secretPath(options, host);
  const file = path === null ? null : decisionsPath(path);
  const all: ServeSettings = {
    ...settings,
    secret,
    decisions: options.check ? null : file,
    openStorage: async () => newestOnly(await open(place, secret), file),
  };
  return { notes, settings: all };
}

function chainSettings(options: ServeOptions, host: Host, secret: ServerSecret): ServeSettings['chain'] {
  if (options.rpcUrl === undefined) {
    const values: Readonly<Record<string, unknown>> = options;
    const given = chainOptions().find((one) => values[one.attributeName()] !== one.defaultValue);
    if (given === undefined) return null;
    throw new KaiactlError(`${given.long} needs --rpc-url: without a node, joins go to the store`);
  }
  return {
    rpcUrls: options.rpcUrl.map((text) => url(text, 'rpc-url')),
    managerKey: secret('manager-key-file', host.env.KAIACTL_MANAGER_KEY, options.managerKeyFile),
    fromBlock:
      options.fromBlock === undefined ? null : wholeNumber(options.fromBlock, 'from-block', 999_999_999, 0),
    chainId: options.chainId === undefined ? null : wholeNumber(options.chainId, 'chain-id', 999_999_999, 0),
    factories: (options.factory ?? []).map((text) => parseAddress(text, '--factory')),
    spending: {
      maxGas: BigInt(wholeNumber(options.maxGas, 'max-gas', 100_000_000, 0)),
      maxFee: BigInt(wholeNumber(options.maxFee, 'max-fee', 1_000_000, 0)) * gkei,
    },
    rpcTimeoutMs: milliseconds(options.rpcTimeout, 'rpc-timeout'),
    minedMs: milliseconds(options.chainTimeout, 'chain-timeout'),
  };
}

/** `:memory:` for an on-chain server without a store. @throws {KaiactlError} when one is needed (exit 2) */
function locateStore({ store, rpcUrl, onePerUser }: ServeOptions, host: Host): string {
  if (store !== undefined) return storePlace(store, host);
  if (rpcUrl === undefined)
    throw new KaiactlError('survey serve needs a store for its groups', {
      hint: 'Give --store FILE, or --rpc-url URL with --manager-key-file FILE, or try --sandbox.',
    });
  if (!onePerUser) return ':memory:';
  throw new KaiactlError('--one-per-user needs --store FILE to remember who has joined');
}

/**
 * The participant secret, by default beside the store's file. It is never part of the store, so that a copy lacks it, and
 * created only for a new store: a store opens with no other than its own.
 * @throws {KaiactlError} when it is missing, or cannot be used (exit 2)
 */
async function secretOf(options: ServeOptions, place: string, host: Host): Promise<Secret> {
  if (place === ':memory:') return randomBytes(32);
  const path = secretPath(options, host);
  if (path === null)
    throw new KaiactlError('a shared database needs a shared participant secret', {
      hint: 'Name the same file for all of them with --participant-secret-file; it is created if missing.',
    });
  if (!isShared(place) && !existsSync(dirname(place)))
    throw new KaiactlError(`cannot open the store ${place}: its folder does not exist`);
  if (!existsSync(path) && (await hasSecret(place)))
    throw new KaiactlError(`the participants’ secret ${path} is missing: the store opens with no other`, {
      hint: 'Restore it beside the store, or name it with --participant-secret-file. None was created.',
    });
  return options.check && !existsSync(path) ? randomBytes(32) : participantSecret(path);
}
