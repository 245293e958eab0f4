/** What the options of `survey serve` come to. */
import { resolve } from 'node:path';
import { KaiactlError } from '../errors.js';
import type { Host } from '../host.js';
import { readSurvey } from '../survey/join-request.js';
import type { CallbackField, PortalSettings } from '../survey/portal.js';
import { Refused } from '../survey/refused.js';
import { readSecret } from '../survey/secret-file.js';
import type { Limits } from '../survey/server/parts.js';
import type { ServeSettings } from '../survey/server/serve.js';
import { lineEndpoints, type TokenSettings } from '../survey/tokens.js';
import { parseDuration } from '../util/duration.js';
import { requestLog } from './survey-serve-log.js';

/** As the command line gives them: text, unless they are switches. */
export interface ServeOptions {
  readonly host: string;
  readonly port: string;
  readonly store?: string;
  readonly survey?: readonly string[];
  readonly rpcUrl?: string;
  readonly managerKeyFile?: string;
  readonly fromBlock?: string;
  readonly chainId?: string;
  readonly channelId?: string;
  readonly tokenIssuer?: string;
  readonly jwksUrl?: string;
  readonly channelSecretFile?: string;
  readonly tokenVerifyUrl?: string;
  readonly accessTokenVerifyUrl?: string;
  readonly profileUrl?: string;
  readonly paymentUrl?: string;
  readonly paymentCredentialsFile?: string;
  readonly publicUrl?: string;
  readonly callbackField: CallbackField;
  readonly rateLimit: string;
  readonly bodyLimit: string;
  readonly requestTimeout: string;
  readonly upstreamTimeout: string;
  readonly chainTimeout: string;
  readonly requireScheme?: 'eip712';
  readonly log?: 'text' | 'json' | 'off';
  readonly format: 'text' | 'json';
  readonly onePerUser: boolean;
  readonly trustProxy: boolean;
  readonly sandbox: boolean;
  readonly quiet: boolean;
}

/** Settings, and what the one who starts the server should know. */
export interface Settled {
  readonly settings: ServeSettings;
  readonly notes: readonly string[];
}

/** @throws {KaiactlError} for options that do not fit (exit 2) */
export function serveSettings(options: ServeOptions, host: Host): Settled {
  const notes: string[] = [];
  const chain = chainOptions(options, host, notes);
  const file = storeFile(options, host, chain !== null);
  const tokens = tokenSettings(options, host, notes);
  if (tokens === null) notes.push('without --channel-id nobody can join');
  return {
    notes,
    settings: {
      ...baseSettings(options, host),
      file,
      chain,
      surveys: (options.survey ?? []).map(surveyAddress),
      tokens,
      portal: portal(options, host, notes),
    },
  };
}

/** Joins and payments on chain need no file, unless something has to be remembered. */
function storeFile(options: ServeOptions, host: Host, onChain: boolean): string {
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

function chainOptions(options: ServeOptions, host: Host, notes: string[]): ServeSettings['chain'] {
  if (options.rpcUrl === undefined) return null;
  const key = secret([host.env.KAIACTL_MANAGER_KEY, options.managerKeyFile], 'the manager’s key', {
    host,
    notes,
  });
  if (key === null) notes.push('without --manager-key-file nobody can join');
  return {
    rpcUrl: url(options.rpcUrl, '--rpc-url'),
    managerKey: key,
    fromBlock: options.fromBlock === undefined ? null : count(options.fromBlock, '--from-block', 999_999_999),
    chainId: options.chainId === undefined ? null : count(options.chainId, '--chain-id', 999_999_999),
    callMs: duration(options.upstreamTimeout, '--upstream-timeout'),
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
    limits: limits(options),
    log: requestLog(options, host),
    now: host.now,
  };
}

function limits(options: ServeOptions): Limits {
  return {
    perMinute: count(options.rateLimit, '--rate-limit', 1_000_000),
    bodyBytes: count(options.bodyLimit, '--body-limit', 10_000_000),
    requestMs: duration(options.requestTimeout, '--request-timeout'),
    trustProxy: options.trustProxy,
  };
}

function tokenSettings(options: ServeOptions, host: Host, notes: string[]): TokenSettings | null {
  if (options.channelId === undefined) return null;
  return {
    channelId: options.channelId,
    issuer: options.tokenIssuer ?? lineEndpoints.issuer,
    jwksUrl: url(options.jwksUrl ?? lineEndpoints.jwksUrl, '--jwks-url'),
    channelSecret: secret(
      [host.env.KAIACTL_CHANNEL_SECRET, options.channelSecretFile],
      'the channel secret',
      { host, notes },
    ),
    verifyUrl:
      options.tokenVerifyUrl === undefined ? null : url(options.tokenVerifyUrl, '--token-verify-url'),
    accessVerifyUrl: url(
      options.accessTokenVerifyUrl ?? lineEndpoints.accessVerifyUrl,
      '--access-token-verify-url',
    ),
    profileUrl: url(options.profileUrl ?? lineEndpoints.profileUrl, '--profile-url'),
    timeoutMs: duration(options.upstreamTimeout, '--upstream-timeout'),
  };
}

function portal(options: ServeOptions, host: Host, notes: string[]): ServeSettings['portal'] {
  if (options.paymentUrl === undefined) return null;
  const publicUrl = options.publicUrl;
  if (publicUrl === undefined) {
    throw new KaiactlError('--payment-url needs --public-url: the portal has to call this server back');
  }
  const base = url(publicUrl, '--public-url');
  return () =>
    portalSettings(base, url(options.paymentUrl ?? '', '--payment-url'), {
      ...credentials(options, host, notes),
      callbackField: options.callbackField,
      timeoutMs: duration(options.upstreamTimeout, '--upstream-timeout'),
    });
}

/** A portal's settings, with callbacks below `base`. */
export function portalSettings(
  base: string,
  portalUrl: string,
  rest: Pick<PortalSettings, 'clientId' | 'clientSecret' | 'callbackField' | 'timeoutMs'>,
): PortalSettings {
  return {
    ...rest,
    url: portalUrl,
    confirmUrl: `${base}/api/store/callback`,
    lockUrl: `${base}/api/store/lock`,
    unlockUrl: `${base}/api/store/unlock`,
  };
}

function credentials(options: ServeOptions, host: Host, notes: string[]) {
  const file = options.paymentCredentialsFile;
  const lines = file === undefined ? '' : (secret([undefined, file], 'credentials', { host, notes }) ?? '');
  const line = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(lines)?.[1];
  const clientId = host.env.KAIACTL_PAYMENT_CLIENT_ID ?? line('client-id');
  const clientSecret = host.env.KAIACTL_PAYMENT_CLIENT_SECRET ?? line('client-secret');
  if (clientId === undefined || clientSecret === undefined) {
    throw new KaiactlError('--payment-url needs the portal’s client id and secret', {
      hint: 'Give --payment-credentials-file, or KAIACTL_PAYMENT_CLIENT_ID and KAIACTL_PAYMENT_CLIENT_SECRET.',
    });
  }
  return { clientId, clientSecret };
}

/** From the environment before a file; null when neither is given. */
function secret(
  [text, file]: readonly [text: string | undefined, file: string | undefined],
  what: string,
  { host, notes }: { host: Host; notes: string[] },
): string | null {
  if (text !== undefined && text !== '') return text;
  if (file === undefined) return null;
  const read = readSecret(resolve(host.cwd, file), what);
  if (read.note !== null) notes.push(read.note);
  return read.text;
}

function surveyAddress(text: string): string {
  try {
    return readSurvey(text);
  } catch (error) {
    throw new KaiactlError(`--survey ${text}: ${error instanceof Refused ? error.reason : 'no address'}`);
  }
}

function count(text: string, option: string, most: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
  throw new KaiactlError(`${option} ${text} is no whole number from 0 to ${most}`);
}

function duration(text: string, option: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0) return ms;
  throw new KaiactlError(`${option} ${text} is no time`, { hint: 'Write 500ms, 15s or 2m.' });
}

function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`${option} is no http(s) URL`);
}
