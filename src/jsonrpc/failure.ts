/** The error of requests without a usable answer. */
import { describeError } from '../http/failure.js';
import { visible } from '../util/visible.js';

/**
 * Why a request has no answer. `not-asked`: it was not sent. `refused`: no process listens. `timeout`, `interrupted`: the
 * wait ended. `not-permitted`: the file system or the server forbids it. `not-found`: no such socket. `unreachable`: no
 * connection. `untrusted`: the certificate. `rpc-error`: the node answered an error. `unreadable`: invalid answer.
 */
export const channelCodes = [
  'not-asked',
  'refused',
  'timeout',
  'interrupted',
  'not-permitted',
  'not-found',
  'unreachable',
  'untrusted',
  'rpc-error',
  'unreadable',
] as const;
export type ChannelCode = (typeof channelCodes)[number];

/** The message is the reason: one line without control characters. */
export class ChannelError extends Error {
  readonly code: ChannelCode;
  /** The HTTP status instead of an answer, if there was one. */
  readonly status: number | null;

  constructor(code: ChannelCode, reason: string, detail: { cause?: unknown; status?: number } = {}) {
    super(visible(reason), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ChannelError';
    this.code = code;
    this.status = detail.status ?? null;
  }
}

/** The server or the proxy requires credentials; the message names the option for them. */
export function requireCredentials(status: 401 | 407): ChannelError {
  const where =
    status === 401
      ? 'credentials are required: give them with --header "Authorization: …" or in the URL'
      : 'the proxy requires credentials: give them in the URL of its environment variable';
  return new ChannelError('not-permitted', `HTTP ${status}: ${where}`, { status });
}

export function unreadable(reason: string): ChannelError {
  return new ChannelError('unreadable', reason);
}

/** Whether a server answers this status in place of the node: it asks for credentials, forbids, or limits the rate. */
export function isRefusal(status: number): boolean {
  return [401, 403, 407, 429].includes(status);
}

/** @throws {ChannelError} for a status that tells nothing of the node: a refusal, or a failure of the server */
export function expectNode(what: string, status: number): void {
  if (!isRefusal(status) && status < 500) return;
  const code = isRefusal(status) ? 'not-permitted' : 'unreadable';
  throw new ChannelError(code, `${what} was answered with HTTP ${status}`, { status });
}

/** Any error of a socket, TLS or a parser as a ChannelError. */
export function failure(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error;
  const { code, reason } = describeError(error);
  const way = code === 'untrusted' ? ' (--insecure accepts it)' : '';
  return new ChannelError(code, `${reason}${way}`, { cause: error });
}
