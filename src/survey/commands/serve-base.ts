/** Settings of `survey serve` that do not depend on its store or upstreams: address, limits, log. */
import { isIP } from 'node:net';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import type { Limits } from '../server/parts.js';
import type { ServeOptions } from './options/serve.js';
import { requestLog } from './serve-log.js';
import { count, duration } from './serve-options.js';

/** @throws {KaiactlError} for invalid options (exit 2) */
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
