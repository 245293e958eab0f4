/** The settings of `survey serve`, from its options. */
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readSurvey } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import type { ServeSettings } from '../server/serve.js';
import { openStorage } from '../store/open.js';
import type { ServeOptions } from './options/serve.js';
import { noModes } from './secrets.js';
import { baseSettings, count, duration, isLoopback, url } from './serve-base.js';
import { adminSocket, secretOf, storePlace } from './serve-store.js';
import { liveRules, portal, secret, tls, tokenSettings } from './serve-upstreams.js';

/** In kei. Kaia's lowest fee is 25 gkei per unit of gas. */
const gkei = 1_000_000_000n;

/** Settings, and notes for the operator. */
export interface Settled {
  readonly settings: ServeSettings;
  readonly notes: readonly string[];
}

/** @throws {KaiactlError} for invalid options (exit 2) */
export async function serveSettings(options: ServeOptions, host: Host): Promise<Settled> {
  const notes: string[] = [];
  const chain = chainOptions(options, host, notes);
  const place = storePlace(options, host, chain !== null);
  const tokens = tokenSettings(options, host, notes);
  if (tokens === null) notes.push('joins are off: --channel-id is missing');
  const settings = {
    ...baseSettings(options, host),
    chain,
    surveys: (options.survey ?? []).map((text) => address(text, '--survey')),
    tokens,
    portal: portal(options, host, notes),
    live: await liveRules(options, host, notes),
    tls: tls(options, host, notes),
  };
  notes.push(...exposureNotes(options));
  if (host.platform === 'win32') notes.push(noModes);
  const secret = await secretOf(options, place, host);
  return {
    notes,
    settings: {
      ...settings,
      secret,
      adminSocket: adminSocket(options, place, host),
      openStorage: () => openStorage(place, secret),
    },
  };
}

/** Notes for a server that listens beyond loopback without TLS. */
function exposureNotes({ host, port, tlsCert }: ServeOptions): string[] {
  if (tlsCert !== undefined || isLoopback(host)) return [];
  return [`clients send tokens to port ${port} of ${host} unencrypted: use --tls-cert, or a proxy with TLS`];
}

function chainOptions(options: ServeOptions, host: Host, notes: string[]): ServeSettings['chain'] {
  if (options.rpcUrl === undefined) return null;
  const key = secret([host.env.KAIACTL_MANAGER_KEY, options.managerKeyFile], 'the manager’s key', {
    host,
    notes,
    key: true,
  });
  if (key === null) notes.push('joins are off: --manager-key-file is missing');
  return {
    rpcUrls: options.rpcUrl.map((text) => url(text, '--rpc-url')),
    managerKey: key,
    fromBlock: options.fromBlock === undefined ? null : count(options.fromBlock, '--from-block', 999_999_999),
    chainId: options.chainId === undefined ? null : count(options.chainId, '--chain-id', 999_999_999),
    factories: (options.factory ?? []).map((text) => address(text, '--factory')),
    spending: {
      maxGas: BigInt(count(options.maxGas, '--max-gas', 100_000_000)),
      maxFee: BigInt(count(options.maxFee, '--max-fee', 1_000_000)) * gkei,
    },
    rpcTimeoutMs: duration(options.rpcTimeout, '--rpc-timeout'),
    minedMs: duration(options.chainTimeout, '--chain-timeout'),
  };
}

function address(text: string, option: string): string {
  try {
    return readSurvey(text);
  } catch (error) {
    throw new KaiactlError(
      `${option} ${text}: ${error instanceof Refused ? error.reason : 'not an address'}`,
    );
  }
}
