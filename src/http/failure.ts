/** Failures of a connection, as a code for programs and a clause for people. */

/** jsonrpc/ adds codes of its own. */
type Code =
  | 'refused'
  | 'not-asked'
  | 'timeout'
  | 'not-permitted'
  | 'not-found'
  | 'unreachable'
  | 'untrusted'
  | 'unreadable';

/** A body beyond the limit, after decompression. */
export class AnswerTooLarge extends Error {
  readonly code = 'ANSWER_TOO_LARGE';

  constructor(maxBytes: number) {
    super(`the answer is larger than ${maxBytes >> 20} MiB`);
  }
}

const privateCa = 'for a private CA, set NODE_EXTRA_CA_CERTS to its file';
const noTls = 'this port does not speak TLS: use http or ws';

const known: Readonly<Record<string, readonly [Code, string]>> = {
  ECONNREFUSED: ['refused', 'connection refused'],
  EACCES: ['not-permitted', 'permission denied'],
  EPERM: ['not-permitted', 'permission denied'],
  EMFILE: ['not-asked', 'not asked: too many open files here (ulimit -n, --concurrency)'],
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
  Z_BUF_ERROR: ['unreadable', 'the compressed answer is cut off'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['unreadable', noTls],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['unreadable', noTls],
  EPROTO: ['unreadable', noTls],
  CERT_HAS_EXPIRED: ['untrusted', 'the certificate has expired'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'untrusted',
    'the certificate is self-signed: set NODE_EXTRA_CA_CERTS to its file',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: ['untrusted', `a certificate in the chain is self-signed: ${privateCa}`],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['untrusted', `the certificate cannot be verified: ${privateCa}`],
  UNABLE_TO_GET_ISSUER_CERT: ['untrusted', `the issuer of the certificate is unknown: ${privateCa}`],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['untrusted', `the issuer of the certificate is unknown: ${privateCa}`],
  ERR_TLS_CERT_ALTNAME_INVALID: ['untrusted', 'the certificate belongs to another name'],
};

/**
 * Describes an error of a socket, TLS, HTTP or a decompressor. `reason`: one clause such as “connection refused”; the raw
 * message only for unknown errors. `maybeSent`: whether the other side may have received the request.
 */
export function describeError(error: unknown): { code: Code; reason: string; maybeSent: boolean } {
  const inner: NodeJS.ErrnoException & { erroredSysCall?: string } = innermost(error);
  const { syscall, erroredSysCall = syscall } = inner;
  const raw = String(inner.code ?? '');
  const [code, reason] = named(raw, inner);
  return { code, reason, maybeSent: erroredSysCall !== 'connect' && !beforeSending.test(raw) };
}

const beforeSending =
  /^(?:EMFILE|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO)$|CERT|SSL|TLS/;

function named(code: string, error: Error): readonly [Code, string] {
  const found = known[code];
  if (found !== undefined) return found;
  if (code.startsWith('HPE_')) return ['unreadable', 'the answer is not HTTP'];
  if (/^(?:Z_|ERR__ERROR_|ERR_BROTLI_)/.test(code)) return ['unreadable', 'the compressed answer is damaged'];
  if (/SSL|TLS|CERT/.test(code)) return ['unreadable', `TLS failed (${code})`];
  if (error instanceof AnswerTooLarge) return ['unreadable', error.message];
  return ['unreachable', plain(error.message)];
}

/** Node tries several addresses and wraps their errors; the first names the cause. */
function innermost(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error instanceof Error ? error : new Error(String(error));
}

/** Without the URL that node-fetch writes into its messages. */
function plain(message: string): string {
  return message.replace(/^request to .* failed, reason: /s, '') || 'the connection failed';
}
