/** What the options of `survey serve` come to. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { ServeOptions } from '../../cli/options/serve.js';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { readSurvey } from '../protocol/join-request.js';
import { Refused } from '../protocol/refused.js';
import type { Limits } from '../server/parts.js';
import type { ServeSettings } from '../server/serve.js';
import { isShared, openStorage } from '../store/open.js';
import { participantSecret } from '../store/participant-secret.js';
import { requestLog } from './serve-log.js';
import { count, duration, url } from './serve-options.js';
import { liveRules, portal, secret, tls, tokenSettings } from './serve-upstreams.js';

/** What a node that hangs may cost a caller, in milliseconds. */
const nodeMs = 2000;
/** 25 of them are Kaia's lowest fee for a unit of gas. */
const gkei = 1_000_000_000n;

/** Settings, and what the one who starts the server should know. */
export interface Settled {
  readonly settings: ServeSettings;
  readonly notes: readonly string[];
}

/** @throws {KaiactlError} for options that do not fit (exit 2) */
export function serveSettings(options: ServeOptions, host: Host): Settled {
  const notes: string[] = [];
  const chain = chainOptions(options, host, notes);
  const place = storePlace(options, host, chain !== null);
  const tokens = tokenSettings(options, host, notes);
  if (tokens === null) notes.push('without --channel-id nobody can join');
  const settings = {
    ...baseSettings(options, host),
    chain,
    surveys: (options.survey ?? []).map((text) => address(text, '--survey')),
    tokens,
    portal: portal(options, host, notes),
    live: liveRules(options, host, notes),
    tls: tls(options, host, notes),
  };
  notes.push(...exposureNotes(options));
  const secret = secretOf(options, place, host);
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

/** What one who listens beyond loopback should know. */
function exposureNotes({ host, port, tlsCert }: ServeOptions): string[] {
  if (tlsCert !== undefined || /^(127\.|localhost$|::1$)/.test(host)) return [];
  return [
    `whoever reaches port ${port} of ${host} sends tokens there unencrypted: put a proxy with TLS in front`,
  ];
}

/** Joins and payments on chain need no file, unless something has to be remembered. */
function storePlace(options: ServeOptions, host: Host, onChain: boolean): string {
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

function adminSocket({ adminSocket }: ServeOptions, place: string, host: Host): string | null {
  if (adminSocket !== undefined) return resolve(host.cwd, adminSocket);
  return place === ':memory:' || isShared(place) ? null : `${place}.admin`;
}

/** What lies beside the store unless it is named: apart from it either way, for a copy of the store does not hold it. */
function secretOf(options: ServeOptions, place: string, host: Host): Buffer {
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

function chainOptions(options: ServeOptions, host: Host, notes: string[]): ServeSettings['chain'] {
  if (options.rpcUrl === undefined) return null;
  const key = secret([host.env.KAIACTL_MANAGER_KEY, options.managerKeyFile], 'the manager’s key', {
    host,
    notes,
    key: true,
  });
  if (key === null) notes.push('without --manager-key-file nobody can join');
  return {
    rpcUrl: url(options.rpcUrl, '--rpc-url'),
    managerKey: key,
    fromBlock: options.fromBlock === undefined ? null : count(options.fromBlock, '--from-block', 999_999_999),
    chainId: options.chainId === undefined ? null : count(options.chainId, '--chain-id', 999_999_999),
    factories: (options.factory ?? []).map((text) => address(text, '--factory')),
    spending: {
      maxGas: BigInt(count(options.maxGas, '--max-gas', 100_000_000)),
      maxFee: BigInt(count(options.maxFee, '--max-fee', 1_000_000)) * gkei,
    },
    ...{ callMs: nodeMs, patienceMs: nodeMs },
    minedMs: duration(options.chainTimeout, '--chain-timeout'),
  };
}

/** What does not depend on where groups, users and payments come from. */
export function baseSettings(options: ServeOptions, host: Host) {
  return {
    host: options.host,
    port: count(options.port, '--port', 65_535),
    requireTypedData: options.requireScheme === 'eip712',
    onePerUser: options.onePerUser,
    budget: {
      perSurvey: count(options.joinsPerSurvey, '--joins-per-survey', 999_999_999),
      perUser: count(options.joinsPerUser, '--joins-per-user', 999_999_999),
    },
    limits: limits(options),
    origins: (options.corsOrigin ?? []).map(origin),
    metricsPort:
      options.metricsPort === undefined ? null : count(options.metricsPort, '--metrics-port', 65_535),
    log: requestLog(options, host),
    now: host.now,
  };
}

function limits(options: ServeOptions): Limits {
  return {
    perMinute: count(options.rateLimit, '--rate-limit', 1_000_000),
    bodyBytes: count(options.bodyLimit, '--body-limit', 10_000_000),
    requestMs: duration(options.receiveTimeout, '--receive-timeout'),
    trustProxy: trustProxy(options.trustProxy),
  };
}

/** @throws {KaiactlError} for what no browser sends as its origin (exit 2) */
function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new KaiactlError(`--cors-origin ${text} is not an origin`, {
    hint: 'Name each one, without a path: https://app.example. There is no “*”.',
  });
}

/** A count of hops, or networks. @throws {KaiactlError} (exit 2) */
function trustProxy(text: string | undefined): Limits['trustProxy'] {
  if (text === undefined) return false;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const networks = text.split(',').map((one) => one.trim());
  if (networks.every(isNetwork)) return networks;
  throw new KaiactlError(`--trust-proxy ${text} is neither a count of proxies nor a list of networks`, {
    hint: 'Write 1 for one proxy in front of this server, or where proxies are: 10.0.0.0/8,fd00::/8.',
  });
}

function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    most > 0 &&
    more === undefined &&
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
  );
}

function address(text: string, option: string): string {
  try {
    return readSurvey(text);
  } catch (error) {
    throw new KaiactlError(`${option} ${text}: ${error instanceof Refused ? error.reason : 'no address'}`);
  }
}
