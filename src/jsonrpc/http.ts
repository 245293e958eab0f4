/** JSON-RPC over HTTP, CORS preflights, and the response head of a page. */
import { agentFor } from '../http/agent.js';
import type { Call, Reply } from '../http/exchange.js';
import { request } from '../http/request.js';
import { maskLocation, secretsIn, withoutKeys } from '../util/mask-url.js';
import { oncePer } from '../util/once-per.js';
import type { Channel, ConnectionOptions, RequestOptions, Sent, WireText } from './channel.js';
import type { Address } from './endpoint.js';
import { ChannelError, failure, isRefusal, requireCredentials } from './failure.js';
import { answerLimits } from './guard.js';

export type ResponseHead = Pick<Reply, 'status' | 'headers'>;

type Outgoing = { readonly headers: Readonly<Record<string, string>>; readonly body?: string } & Pick<
  Call,
  'method' | 'maxBytes'
> & { readonly cut?: true };

/** One keep-alive connection to one URL. */
export class HttpChannel implements Channel {
  readonly sent: Sent = { requests: 0, bytes: 0 };
  /** Each request has its own exchange, so that no unsolicited message can arrive. */
  readonly fault = null;
  readonly #url: URL;
  readonly #agent: ReturnType<typeof agentFor>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #posting: Readonly<Record<string, string>>;
  readonly #maxBytes: number;
  readonly #sizeOf = oncePer((headers: Readonly<Record<string, string>>) => sizeOf(this.#url, headers));
  readonly #secrets: readonly string[];

  /** @param maxBytes limit of an answer */
  constructor(address: Address, options: ConnectionOptions, maxBytes: number = answerLimits.bytes) {
    this.#maxBytes = maxBytes;
    this.#url = new URL(address.raw);
    this.#secrets = [...address.secrets, ...secretsIn(options.headers)];
    this.#agent = agentFor(this.#url, options);
    this.#headers = {
      'user-agent': 'kaiactl',
      ...(address.authorization === null ? {} : { authorization: address.authorization }),
      ...options.headers,
    };
    this.#posting = { accept: 'application/json', ...this.#headers, 'content-type': 'application/json' };
  }

  async exchange(text: WireText, signal: AbortSignal, requestOptions: RequestOptions = {}): Promise<string> {
    const { host } = requestOptions;
    const headers = host === undefined ? this.#posting : { ...this.#posting, host };
    const reply = await this.#send({ method: 'POST', headers, body: text, maxBytes: this.#maxBytes }, signal);
    expectAnswer(reply, 'proxy' in this.#agent);
    return reply.text;
  }

  /**
   * The CORS preflight of a browser for a page of `origin` that would POST JSON: without credentials and headers of the
   * user. No method runs.
   */
  preflight(origin: string, signal: AbortSignal): Promise<ResponseHead> {
    const asks = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const { host } = this.#headers;
    const headers = { 'user-agent': 'kaiactl', ...(host === undefined ? {} : { host }), origin, ...asks };
    return this.#send({ method: 'OPTIONS', headers, maxBytes: null }, signal);
  }

  /** GETs the URL of the channel and reads the first bytes of the body. */
  look(maxBytes: number, signal: AbortSignal): Promise<Reply> {
    return this.#send({ method: 'GET', headers: this.#headers, maxBytes, cut: true }, signal);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** One attempt. @throws {ChannelError} */
  async #send(outgoing: Outgoing, signal: AbortSignal): Promise<Reply> {
    this.sent.requests += 1;
    this.sent.bytes += lineSize(this.#url, outgoing) + this.#sizeOf(outgoing.headers);
    try {
      const reply = await request({ ...outgoing, url: this.#url, agent: this.#agent, signal });
      return { ...reply, text: withoutKeys(reply.text, this.#secrets) };
    } catch (error) {
      throw failure(error);
    }
  }
}

/** The bytes of a request line and a body, with its length. */
function lineSize(url: URL, { method, body = '' }: Outgoing): number {
  const bytes = Buffer.byteLength(body);
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\nContent-Length: ${bytes}\r\n\r\n`.length + bytes;
}

/** The bytes of headers, with those that Node adds. */
function sizeOf(url: URL, headers: Readonly<Record<string, string>>): number {
  const added = {
    host: url.host,
    connection: 'keep-alive',
    'accept-encoding': 'gzip, br',
    accept: '*/*',
  };
  return Object.entries({ ...added, ...headers }).reduce(
    (size, [name, value]) => size + name.length + value.length + 4,
    0,
  );
}

/** Kaia answers errors with 200; some gateways send JSON-RPC with other codes. */
function expectAnswer({ status, headers, text }: Reply, isProxied: boolean): void {
  if (status >= 300 && status < 400) {
    const to = headers.location;
    const where = to === undefined ? '' : ` to ${maskLocation(to).slice(0, 120)}`;
    throw new ChannelError('unreadable', `HTTP ${status}: a redirect${where}, not followed`, { status });
  }
  if (status === 401 || status === 407) throw requireCredentials(status);
  if (status === 200 || (/^\s*\{/.test(text) && !isRefusal(status))) return;
  // RFC 6455, 4.4: the answer to a request that is no handshake names the versions of the protocol.
  if (status === 426 || headers['sec-websocket-version'] !== undefined)
    throw new ChannelError('unreadable', `HTTP ${status}: this port speaks WebSocket: use ws`, { status });
  // geth's server of ws alone, and one that serves another path than this, answers so (node/rpcstack.go, ServeHTTP).
  if (status === 404 && text === '')
    throw new ChannelError(
      'unreadable',
      'HTTP 404 without a text: no http here. Use ws:// if the port is one of WebSocket, else name the path that it serves',
      { status },
    );
  const line = text.trim().split('\n', 1)[0]?.slice(0, 80) ?? '';
  const advice = /invalid host/i.test(line) ? ': give a name that it accepts with --header "Host: …"' : '';
  const by = isProxied ? ' (through the proxy of the environment, which may have answered itself)' : '';
  const reason = `HTTP ${status}${line === '' || line.startsWith('<') ? '' : `: ${line}`}${advice}${by}`;
  throw new ChannelError(isRefusal(status) ? 'not-permitted' : 'unreadable', reason, { status });
}
