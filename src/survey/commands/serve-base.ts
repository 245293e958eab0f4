/** Settings of `survey serve` that do not depend on its store or upstreams, and its output. */
import { KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { visible } from '../../util/visible.js';
import type { LogEntry } from '../server/log.js';
import type { Running } from '../server/serve.js';
import type { ServeOptions } from './options/serve.js';
import { hostAndPort, milliseconds, origin, trustProxy, wholeNumber } from './values.js';

/** @throws {KaiactlError} for invalid options (exit 2) */
export function baseSettings(options: ServeOptions, host: Host) {
  const perAddress = options.connectionsPerAddress;
  return {
    host: options.host,
    port: wholeNumber(options.port, 'port', 65_535, 0),
    policy: { onePerUser: options.onePerUser, scheme: options.scheme ?? ('any' as const) },
    budget: {
      perSurvey: wholeNumber(options.joinsPerSurvey, 'joins-per-survey', 999_999_999, 0),
      perUser: wholeNumber(options.joinsPerUser, 'joins-per-user', 999_999_999, 0),
    },
    limits: {
      ...fixedLimits,
      connectionsPerAddress: wholeNumber(perAddress, 'connections-per-address', 1_000_000, 0),
      perMinute: wholeNumber(options.rateLimit, 'rate-limit', 1_000_000, 0),
      bodyBytes: wholeNumber(options.bodyLimit, 'body-limit', 10_000_000, 0),
      requestMs: milliseconds(options.receiveTimeout, 'receive-timeout'),
      trustProxy: trustProxy(options.trustProxy),
    },
    origins: (options.corsOrigin ?? []).map(origin),
    operations: operationsAddress(options),
    log: requestLog(options, host),
    now: host.now,
  };
}

const fixedLimits = {
  /** Concurrent joins: as many as a chain with one-second blocks mines within --chain-timeout. */
  joins: 1000,
  requests: 2000,
  connections: 4096,
  /** Timeout for reading an answer, in milliseconds. */
  sendMs: 10_000,
};

/** @throws {KaiactlError} when it is not an address, or both options are given (exit 2) */
function operationsAddress({ metricsPort, operationsAddress: at }: ServeOptions) {
  if (metricsPort !== undefined && at !== undefined)
    throw new KaiactlError('--operations-address serves /metrics too: leave --metrics-port out');
  if (metricsPort !== undefined)
    return { host: '127.0.0.1', port: wholeNumber(metricsPort, 'metrics-port', 65_535, 0), health: false };
  return at === undefined ? null : { ...hostAndPort(at), health: true };
}

/** Returns the writer of log entries. Writes are not awaited: a slow reader of the log must not slow the API. */
export function requestLog({ log, quiet }: Partial<ServeOptions>, host: Host): (entry: LogEntry) => void {
  const form = log ?? (quiet ? 'off' : host.stderr.isTTY === true ? 'text' : 'json');
  if (form === 'off') return () => undefined;
  const write = form === 'json' ? jsonLine : textLine;
  return (entry) => void host.stderr.write(`${write(new Date(host.now()).toISOString(), entry)}\n`);
}

/** Counts carry the hour only, `2026-01-02T03Z`, and those of refused joins the minute. */
function jsonLine(time: string, entry: LogEntry): string {
  const digits = 'requests' in entry ? 13 : 'refusals' in entry ? 16 : null;
  return JSON.stringify({ time: digits === null ? time : `${time.slice(0, digits)}Z`, ...entry });
}

function textLine(time: string, entry: LogEntry): string {
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, count]) => `${count} × ${name}`);
  if ('requests' in entry)
    return visible(`${time.slice(11, 13)}h  in an hour: ${counts(entry.requests).join(', ')}`, 4000);
  if ('refusals' in entry)
    return visible(`${time.slice(11, 16)}  refused joins: ${counts(entry.refusals).join(', ')}`, 4000);
  if ('event' in entry) return visible(`${time.slice(11, 19)}  ${entry.event}  ${entry.code}`, 400);
  const { status, method, path, ms, note } = entry;
  const what = `${time.slice(11, 19)}  ${status}  ${method} ${path}  ${ms} ms`;
  return visible(note === undefined ? what : `${what}  ${note}`, 400);
}

/** Prints the first line of stdout: the URL, or a JSON object with it. */
export async function announce(
  { url, about }: Running,
  { format, quiet }: Pick<ServeOptions, 'format' | 'quiet'>,
  host: Host,
): Promise<void> {
  await print(host.stdout, `${format === 'json' ? JSON.stringify({ url }) : url}\n`);
  if (!quiet) await print(host.stderr, `serving ${about}; Ctrl-C ends it\n`);
}
