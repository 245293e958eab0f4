/** Settings of `survey serve` that do not depend on its store or upstreams: address, limits, log. */
import { isIP } from 'node:net';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { parseDuration } from '../../util/duration.js';
import type { Limits } from '../server/parts.js';
import type { ServeOptions } from './options/serve.js';
import { requestLog } from './serve-log.js';

/** @throws {KaiactlError} for invalid options (exit 2) */
export function baseSettings(options: ServeOptions, host: Host) {
  return {
    host: options.host,
    port: count(options.port, '--port', 65_535),
    policy: { onePerUser: options.onePerUser, scheme: options.requireScheme ?? ('any' as const) },
    budget: {
      perSurvey: count(options.joinsPerSurvey, '--joins-per-survey', 999_999_999),
      perUser: count(options.joinsPerUser, '--joins-per-user', 999_999_999),
    },
    limits: limits(options),
    origins: (options.corsOrigin ?? []).map(origin),
    operations: operationsAddress(options),
    log: requestLog(options, host),
    now: host.now,
  };
}

/** @throws {KaiactlError} when it is not an address, or both options are given (exit 2) */
function operationsAddress({ metricsPort, operationsAddress: at }: ServeOptions) {
  if (metricsPort !== undefined && at !== undefined)
    throw new KaiactlError('--operations-address serves /metrics too: leave --metrics-port out');
  if (metricsPort !== undefined)
    return { host: '127.0.0.1', port: count(metricsPort, '--metrics-port', 65_535), health: false };
  if (at === undefined) return null;
  const [, bracketed, plain, port = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+)):(\d+)$/i.exec(at) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined)
    return { host, port: count(port, '--operations-address: port', 65_535), health: true };
  throw new KaiactlError(`--operations-address ${at} is not an address with a port`, {
    hint: 'Write 127.0.0.1:9464, or [::1]:9464.',
  });
}

/** Concurrent joins: as many as a chain with one-second blocks mines within --chain-timeout. */
const maxJoins = 1000;
/** Concurrent requests, joins included. */
const maxRequests = 2000;
const maxConnections = 4096;
/** Timeout for reading an answer, in milliseconds. */
const maxSendMs = 10_000;

function limits(options: ServeOptions): Limits {
  return {
    joins: maxJoins,
    requests: maxRequests,
    connections: maxConnections,
    connectionsPerAddress: count(options.connectionsPerAddress, '--connections-per-address', 1_000_000),
    sendMs: maxSendMs,
    perMinute: count(options.rateLimit, '--rate-limit', 1_000_000),
    bodyBytes: count(options.bodyLimit, '--body-limit', 10_000_000),
    requestMs: duration(options.receiveTimeout, '--receive-timeout'),
    trustProxy: trustProxy(options.trustProxy),
  };
}

/** @throws {KaiactlError} when a browser would not send it as an origin (exit 2) */
function origin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new KaiactlError(`--cors-origin ${text} is not an origin`, {
    hint: 'Name each one, without a path: https://app.example. There is no “*”.',
  });
}

/** A number of hops, or networks. @throws {KaiactlError} (exit 2) */
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
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    maxBits > 0 &&
    more === undefined &&
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits))
  );
}

/** A whole number. @throws {KaiactlError} (exit 2) */
export function count(text: string, option: string, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= max) return Number(text);
  throw new KaiactlError(`${option} ${text} is not a whole number from 0 to ${max}`);
}

/** Node's longest timer, in milliseconds; a longer one would fire at once. */
const longest = 2 ** 31 - 1;

/** A time in milliseconds. @throws {KaiactlError} (exit 2) */
export function duration(text: string, option: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0 && ms <= longest) return ms;
  throw new KaiactlError(`${option} ${text} is not a time`, {
    hint: 'Write 500ms, 15s or 2m; the longest is 596h.',
  });
}

/** An http(s) URL without trailing slashes. @throws {KaiactlError} (exit 2) */
export function url(text: string, option: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new KaiactlError(`${option} is not an http(s) URL`);
}

/** Whether the host is a loopback address or `localhost`. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/.test(host);
}
