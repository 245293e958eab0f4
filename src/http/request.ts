/**
 * One HTTP exchange, by Node's own client: limited in bytes after decompression, ended by the caller's signal, sent once,
 * without redirects; a Host header is sent as given.
 */
import { type Agent, type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as overTls } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { oncePer } from '../util/once-per.js';
import { AnswerTooLarge } from './failure.js';

export interface Call {
  readonly method: 'GET' | 'POST' | 'OPTIONS';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For keep-alive or a proxy; without an agent the connection is direct and closed afterwards. */
  readonly agent?: Agent | undefined;
  readonly signal: AbortSignal;
  /** The largest accepted body in bytes; null if only the head is read. */
  readonly maxBytes: number | null;
  /** A longer body is cut there, not refused. */
  readonly cut?: true;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @throws the reason of an aborted signal, or an error that `describeError` words */
export async function request(call: Call): Promise<Reply> {
  const { signal, maxBytes, cut } = call;
  signal.throwIfAborted();
  try {
    const response = await head(call);
    const { statusCode = 0, headers } = response;
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    // An empty body ends at once, and keeps the connection.
    const isLeft = maxBytes === null && statusCode !== 204 && headers['content-length'] !== '0';
    // Later errors of the connection do not matter.
    if (isLeft) response.on('error', () => {}).destroy();
    const text = isLeft ? '' : await readBody(decoded(response), maxBytes ?? 0, cut);
    return { status: statusCode, headers: flat, text };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** The requests that the abort of a signal ends: one listener for all of them. */
const endedBy = oncePer((signal: AbortSignal) => {
  const underWay = new Set<ClientRequest>();
  const end = () => {
    for (const one of underWay) one.destroy(signal.reason);
  };
  signal.addEventListener('abort', end, { once: true });
  return underWay;
});

const optionsOf = oncePer(urlToHttpOptions);

function head({ method, url, headers, body, agent, signal }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const all = {
      'user-agent': 'kaiactl',
      accept: '*/*',
      'accept-encoding': 'gzip, br',
      ...headers,
      ...length,
    };
    const send = url.protocol === 'https:' ? overTls : plain;
    const underWay = endedBy(signal);
    const sent = send({ ...optionsOf(url), method, headers: all, agent: agent ?? false })
      .on('error', reject)
      .on('response', resolve)
      .on('close', () => underWay.delete(sent))
      .on('upgrade', (_, socket) => {
        socket.destroy();
        reject(Object.assign(new Error('an unsolicited upgrade'), { code: 'HPE_UPGRADE' }));
      });
    underWay.add(sent);
    sent.end(body);
  });
}

function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder = encoding === 'br' ? createBrotliDecompress : compressed.test(encoding) ? createUnzip : null;
  return decoder === null ? response : pipeline(response, decoder(), () => {});
}

const compressed = /^(?:x-gzip|gzip|deflate)$/;

/**
 * The decompressed body. Reads no further than `maxBytes`.
 * @param cut whether a longer body is cut there
 * @throws {AnswerTooLarge} for a longer body that is not to be cut
 */
export function readBody(body: Readable, maxBytes: number, cut = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const end = () => {
      isOver = true;
      const [only] = chunks;
      const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(whole.toString('utf8', 0, Math.min(size, maxBytes)));
    };
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size < maxBytes || (size === maxBytes && !cut)) return;
      if (cut) end();
      else reject(new AnswerTooLarge(maxBytes));
      body.destroy();
    });
    body.on('end', end);
    body.on('error', reject);
    body.on('close', () => {
      if (!isOver) reject(Object.assign(new Error('closed'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    });
  });
}
