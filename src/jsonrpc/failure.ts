/** Why a question got no usable answer: the one error of the three wires. */
import { described } from '../http/failure.js';
import { visible } from '../util/visible.js';

/**
 * How a question stayed without an answer: `not-asked` it was never put; `refused` nobody listens; `timeout` and `interrupted` nobody waited longer;
 * `not-permitted` the file system or the server forbids it; `not-found` no such socket; `unreachable` no way there;
 * `untrusted` the certificate; `rpc-error` the node answered an error; `unreadable` what came is not an answer.
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

/** A question without a usable answer. The message is the reason, fit for a report: one line, nothing raw. */
export class ChannelError extends Error {
  readonly code: ChannelCode;
  /** The HTTP status that came instead of an answer, if one did. */
  readonly status: number | null;

  constructor(code: ChannelCode, reason: string, detail: { cause?: unknown; status?: number } = {}) {
    super(visible(reason), detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ChannelError';
    this.code = code;
    this.status = detail.status ?? null;
  }
}

/** Somebody on the way wants to know who asks; says which option carries that. */
export function unauthorized(status: 401 | 407): ChannelError {
  const where =
    status === 401
      ? 'credentials are asked for: give them with --header "Authorization: …" or in the URL'
      : 'the proxy asks for credentials: give them in the URL of its environment variable';
  return new ChannelError('not-permitted', `HTTP ${status}: ${where}`, { status });
}

/** An answer came, and it is not one: what is wrong with it. */
export function unreadable(reason: string): ChannelError {
  return new ChannelError('unreadable', reason);
}

/** Turns whatever a socket, TLS or a parser threw into a ChannelError with a plain reason. */
export function failure(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error;
  const { code, reason } = described(error);
  const way = code === 'untrusted' ? ' (--insecure accepts it)' : '';
  return new ChannelError(code, `${reason}${way}`, { cause: error });
}
