/**
 * JSON-RPC over HTTP through node-fetch: the built-in fetch drops a Host header without a word, and the question
 * whether a foreign Host is answered would always look harmless.
 */
import fetch, { type RequestInit, type Response } from 'node-fetch';
import type { Channel, ConnectionOptions, RequestOptions, Sent, WireText } from './channel.js';
import type { Address } from './endpoint.js';
import { ChannelError, failure, unauthorized } from './failure.js';
import { tooLarge } from './framing.js';
import { answerLimits } from './guard.js';
import { agentFor } from './http-agent.js';

/** What came back besides a body: all that a preflight or a look at a page shows. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** One keep-alive connection to one URL. */
export class HttpChannel implements Channel {
  readonly sent: Sent = { requests: 0, bytes: 0 };
  /** Each question has its own exchange: nothing can come between them. */
  readonly fault = null;
  readonly #url: URL;
  readonly #agent: ReturnType<typeof agentFor>;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(address: Address, options: ConnectionOptions) {
    this.#url = new URL(address.raw);
    this.#agent = agentFor(this.#url, options);
    this.#headers = {
      'user-agent': 'kaiactl',
      ...(address.authorization === null ? {} : { authorization: address.authorization }),
      ...options.headers,
    };
  }

  async exchange(text: WireText, signal: AbortSignal, requestOptions: RequestOptions = {}): Promise<string> {
    const headers = { accept: 'application/json', ...this.#headers, 'content-type': 'application/json' };
    const host = requestOptions.host === undefined ? {} : { host: requestOptions.host };
    const response = await this.#fetch(
      { method: 'POST', headers: { ...headers, ...host }, body: text },
      signal,
    );
    return this.#within(signal, async () => {
      const body = await readBody(response);
      expectAnswer(response, body);
      return body;
    });
  }

  /** The CORS question a browser asks before a page of `origin` may POST JSON. Nothing runs. */
  preflight(origin: string, signal: AbortSignal): Promise<ResponseHead> {
    const asks = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    return this.#head({ method: 'OPTIONS', headers: { ...this.#headers, origin, ...asks } }, signal);
  }

  /** GETs the channel's URL and reads no further than the headers. */
  look(signal: AbortSignal): Promise<ResponseHead> {
    return this.#head({ method: 'GET', headers: this.#headers }, signal);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #head(
    init: RequestInit & { headers: Record<string, string> },
    signal: AbortSignal,
  ): Promise<ResponseHead> {
    const response = await this.#fetch(init, signal);
    discard(response);
    return { status: response.status, headers: Object.fromEntries(response.headers) };
  }

  #fetch(init: RequestInit & { headers: Record<string, string> }, signal: AbortSignal): Promise<Response> {
    this.sent.requests += 1;
    this.sent.bytes += headSize(this.#url, init);
    return this.#within(signal, async () => {
      const options = { ...init, agent: this.#agent, redirect: 'manual', signal } as const;
      const response = await fetch(this.#url, options);
      // An abort after the headers is emitted on the body, where perhaps nobody listens.
      response.body?.on('error', () => {});
      return response;
    });
  }

  /** Runs a step; whatever it throws becomes a ChannelError, the deadline's own when that has passed. */
  async #within<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      throw signal.aborted ? signal.reason : failure(error);
    }
  }
}

/** The size of what goes out: request line, headers (with those node adds) and body. */
function headSize(url: URL, init: RequestInit & { headers: Record<string, string> }): number {
  const added = {
    host: url.host,
    connection: 'keep-alive',
    'accept-encoding': 'gzip, deflate, br',
    accept: '*/*',
  };
  const body = typeof init.body === 'string' ? Buffer.byteLength(init.body) : 0;
  const head = `${init.method} ${url.pathname}${url.search} HTTP/1.1\r\nContent-Length: ${body}\r\n\r\n`;
  let size = head.length + body;
  for (const [name, value] of Object.entries({ ...added, ...init.headers }))
    size += name.length + value.length + 4;
  return size;
}

/** The body after decompression, which a bomb cannot push past the cap. */
async function readBody(response: Response): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += part.length;
    if (size > answerLimits.bytes) {
      discard(response);
      throw tooLarge();
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function discard(response: Response): void {
  (response.body as { destroy?: () => void } | null)?.destroy?.();
}

/** Kaia answers errors with 200; some gateways use other codes and still send JSON-RPC. */
function expectAnswer(response: Response, body: string): void {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const to = response.headers.get('location');
    const where = to === null ? '' : ` to ${bareUrl(to)}`;
    throw new ChannelError('unreadable', `HTTP ${status}: a redirect${where}, not followed`, { status });
  }
  if (status === 401 || status === 407) throw unauthorized(status);
  if (status === 200 || /^\s*\{/.test(body)) return;
  const said = body.trim().split('\n', 1)[0]?.slice(0, 80) ?? '';
  const reason = `HTTP ${status}${said === '' || said.startsWith('<') ? '' : `: ${said}`}`;
  throw new ChannelError(status === 403 ? 'not-permitted' : 'unreadable', reason, {
    status,
  });
}

/** A location without userinfo, query and fragment. */
function bareUrl(text: string): string {
  return text
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/@]*@/, '//')
    .slice(0, 120);
}
