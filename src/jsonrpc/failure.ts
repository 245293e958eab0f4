/** Why a question got no usable answer: the one error of the three wires. */
import { visible } from '../util/visible.js';

/**
 * How a question stayed without an answer: `not-asked` it was never put; `refused` nobody listens; `timeout` and `interrupted` nobody waited longer;
 * `not-permitted` the file system or the server forbids it; `not-found` no such socket; `unreachable` no way there;
 * `untrusted` the certificate; `rpc-error` the node answered an error; `unreadable` what came is no answer.
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

const noTls = 'this port does not speak TLS: it speaks http, or ws, without it';

const known: Readonly<Record<string, readonly [ChannelCode, string]>> = {
  ECONNREFUSED: ['refused', 'connection refused'],
  EACCES: ['not-permitted', 'permission denied'],
  EPERM: ['not-permitted', 'permission denied'],
  ENOENT: ['not-found', 'no such file'],
  ENOTSOCK: ['unreadable', 'not a socket'],
  EINVAL: ['unreadable', 'not a usable socket path'],
  ENAMETOOLONG: ['unreadable', 'the socket path is too long'],
  ENOTFOUND: ['unreachable', 'the host name is unknown'],
  EAI_AGAIN: ['unreachable', 'the host name could not be looked up'],
  ECONNRESET: ['unreachable', 'the connection was reset'],
  EPIPE: ['unreachable', 'the connection was closed'],
  ERR_STREAM_PREMATURE_CLOSE: ['unreachable', 'the connection was closed before the answer ended'],
  ETIMEDOUT: ['timeout', 'the connection timed out'],
  EHOSTUNREACH: ['unreachable', 'no route to the host'],
  ENETUNREACH: ['unreachable', 'no route to the network'],
  EADDRNOTAVAIL: ['unreachable', 'no usable local address'],
  HPE_HEADER_OVERFLOW: ['unreadable', 'the answer’s headers are larger than 16 KiB'],
  Z_DATA_ERROR: ['unreadable', 'the compressed answer is damaged'],
  Z_BUF_ERROR: ['unreadable', 'the compressed answer is cut off'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['unreadable', noTls],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['unreadable', noTls],
  EPROTO: ['unreadable', noTls],
  CERT_HAS_EXPIRED: ['untrusted', 'the certificate has expired (--insecure accepts it)'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['untrusted', 'the certificate is self-signed (--insecure accepts it)'],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'untrusted',
    'a certificate in the chain is self-signed (--insecure accepts it)',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'untrusted',
    'the certificate cannot be verified (--insecure accepts it)',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'untrusted',
    'the certificate belongs to another name (--insecure accepts it)',
  ],
};

/** Turns whatever a socket, TLS or a parser threw into a ChannelError with a plain reason. */
export function failure(error: unknown): ChannelError {
  if (error instanceof ChannelError) return error;
  const inner = innermost(error);
  const code = (inner as { code?: unknown }).code;
  if (typeof code === 'string') {
    const named = known[code];
    if (named !== undefined) return new ChannelError(named[0], named[1], { cause: error });
    if (code.startsWith('HPE_'))
      return new ChannelError('unreadable', 'the answer is not HTTP', { cause: error });
    if (/SSL|TLS|CERT/.test(code))
      return new ChannelError('unreadable', `TLS failed (${code})`, { cause: error });
  }
  return new ChannelError('unreachable', plain(inner.message), { cause: error });
}

/** Happy eyeballs wraps the attempts' errors; the first one names the cause. */
function innermost(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error instanceof Error ? error : new Error(String(error));
}

/** node-fetch writes the URL into its messages; only what follows it is news. */
function plain(message: string): string {
  return message.replace(/^request to .* failed, reason: /s, '') || 'the connection failed';
}
