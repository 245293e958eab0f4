/**
 * One HTTP exchange of a probe, by Node's own client, which takes a third of the CPU time of node-fetch. Sent once,
 * without redirects; a Host header is sent as given.
 */
import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as overTls } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { oncePer } from '../util/once-per.js';
import { type Call, type Reply, readBody } from './exchange.js';

/** `cut`: a longer body than `maxBytes` is cut there, not refused. */
type Request = Call & { readonly cut?: true };

/** @throws the reason of an aborted signal, or an error that `describeError` words */
export async function request(call: Request): Promise<Reply> {
  call.signal.throwIfAborted();
  const { maxBytes, cut } = call;
  try {
    const response = await head(call);
    const text = isLeft(call, response)
      ? leave(response)
      : await readBody(decoded(response), maxBytes ?? 0, cut);
    return { status: response.statusCode ?? 0, headers: flat(response.headers), text };
  } catch (error) {
    throw call.signal.aborted ? call.signal.reason : error;
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

/** A body is left where only the head is read, but an empty one ends at once, and keeps the connection. */
function isLeft({ maxBytes }: Request, { statusCode, headers }: IncomingMessage): boolean {
  return maxBytes === null && statusCode !== 204 && headers['content-length'] !== '0';
}

function leave(response: IncomingMessage): string {
  // Later errors of the connection do not matter.
  response.on('error', () => {}).destroy();
  return '';
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
