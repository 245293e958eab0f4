/** The options of `survey serve`, and how single values are read. */
import { KaiactlError } from '../../errors.js';
import { parseDuration } from '../../util/duration.js';
import type { CallbackField } from '../server/portal.js';

/** As the command line gives them: text, unless they are switches. */
export interface ServeOptions {
  readonly host: string;
  readonly port: string;
  readonly store?: string;
  readonly survey?: readonly string[];
  readonly rpcUrl?: string;
  readonly managerKeyFile?: string;
  readonly factory?: readonly string[];
  readonly participantSecretFile?: string;
  readonly joinsPerSurvey: string;
  readonly joinsPerUser: string;
  readonly maxGas: string;
  readonly maxFee: string;
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
  readonly receiveTimeout: string;
  readonly upstreamTimeout: string;
  readonly chainTimeout: string;
  readonly requireScheme?: 'eip712';
  readonly log?: 'text' | 'json' | 'off';
  readonly format: 'text' | 'json';
  readonly onePerUser: boolean;
  readonly trustProxy?: string;
  readonly operatorSecretFile?: string;
  readonly adminSocket?: string;
  readonly corsOrigin?: readonly string[];
  readonly metricsPort?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly items?: string;
  readonly sandbox: boolean;
  readonly quiet: boolean;
}

/** A whole number. @throws {KaiactlError} (exit 2) */
export function count(text: string, option: string, most: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
  throw new KaiactlError(`${option} ${text} is not a whole number from 0 to ${most}`);
}

/** A time in milliseconds. @throws {KaiactlError} (exit 2) */
export function duration(text: string, option: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0) return ms;
  throw new KaiactlError(`${option} ${text} is not a time`, { hint: 'Write 500ms, 15s or 2m.' });
}

/** An http(s) URL without slashes at its end. @throws {KaiactlError} (exit 2) */
export function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`${option} is not an http(s) URL`);
}
