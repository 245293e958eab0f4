/** JSON-RPC over WebSocket, without compression and automatic pongs: only requests are sent. */
import WebSocket, { type ClientOptions } from 'ws';
import { agentFor, proxyFor } from '../http/agent.js';
import { secretsIn, withoutKeys } from '../util/mask-url.js';
import type { Channel, ConnectionOptions } from './channel.js';
import { until } from './deadline.js';
import type { Address } from './endpoint.js';
import { ChannelError, failure, requireCredentials, unreadable } from './failure.js';
import { answerLimits } from './guard.js';
import { type Connection, type Events, StreamChannel } from './stream.js';

/** Without an Origin header, which every node accepts. */
export function wsChannel(address: Address, options: ConnectionOptions): Channel {
  return new StreamChannel((events) => connectionOf(connectSocket(address, options, null, events)));
}

/**
 * The WebSocket handshake of a page of `origin`, then a disconnect. 101 is `open`, 403 is `closed`.
 * @throws {ChannelError} on any other result
 */
export function handshakeProbe(
  address: Address,
  options: ConnectionOptions,
  origin: string,
  signal: AbortSignal,
): Promise<'open' | 'closed'> {
  let socket: WebSocket | null = null;
  const opening = until<'open' | 'closed'>(
    signal,
    (resolve, reject) => {
      socket = connectSocket(address, options, origin, {
        opened: () => resolve('open'),
        message: () => {},
        failed: (error) => {
          const reason = failure(error);
          if (reason.status === 403) resolve('closed');
          else reject(reason);
        },
      });
    },
    () => socket?.terminate(),
  );
  return opening.finally(() => socket?.terminate());
}

function connectionOf(socket: WebSocket): Connection {
  return { send: (text) => socket.send(text), destroy: () => socket.terminate() };
}

function connectSocket(address: Address, options: ConnectionOptions, origin: string | null, events: Events) {
  const secrets = [...address.secrets, ...secretsIn(options.headers)];
  const socket = new WebSocket(address.raw, clientOptions(address, options, origin));
  socket.on('open', () => events.opened(connectionOf(socket)));
  socket.on('message', (data, isBinary) => {
    const text = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    events.message(isBinary && text.length === 0 ? '' : withoutKeys(text.toString('utf8'), secrets));
  });
  socket.on('unexpected-response', (request, response) => {
    response.resume();
    request.destroy();
    const status = response.statusCode ?? 0;
    if (status === 401 || status === 407) return events.failed(requireCredentials(status));
    const code = status === 403 ? 'not-permitted' : 'unreadable';
    const instead = status === 200 ? ': this port speaks HTTP: use http' : '';
    const reason = `the WebSocket handshake was answered with HTTP ${status}${instead}`;
    return events.failed(new ChannelError(code, reason, { status }));
  });
  socket.on('error', (error) => events.failed(wsFailure(error)));
  socket.on('close', (code) => {
    events.failed(new ChannelError('unreachable', `the connection was closed (code ${code})`));
  });
  return socket;
}

function clientOptions(address: Address, options: ConnectionOptions, origin: string | null): ClientOptions {
  const url = new URL(address.raw);
  const authorization = address.authorization === null ? {} : { authorization: address.authorization };
  return {
    headers: { 'user-agent': 'kaiactl', ...authorization, ...options.headers },
    maxPayload: answerLimits.bytes,
    perMessageDeflate: false,
    followRedirects: false,
    autoPong: false,
    rejectUnauthorized: !options.insecure,
    ...(origin === null ? {} : { origin }),
    ...(proxyFor(url, options.env) === null ? {} : { agent: agentFor(url, options) }),
  };
}

/** ws uses WS_ERR_… for protocol violations of the peer; other errors are those of the network. */
function wsFailure(error: Error): Error {
  const code = (error as { code?: unknown }).code;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return unreadable(`the answer is larger than ${answerLimits.bytes >> 20} MiB`);
  }
  if (typeof code === 'string' && code.startsWith('WS_ERR_')) {
    return unreadable(`WebSocket protocol error: ${error.message}`);
  }
  return error;
}
