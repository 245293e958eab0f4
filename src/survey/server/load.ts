/** Limits of what callers can hold: concurrent requests, connections, and answers that are read slowly. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { busy, Refused } from '../protocol/refused.js';
import { Connections } from './connections.js';
import type { Limits } from './parts.js';

/** Slowest acceptable reader after `limits.sendMs`, in bytes per millisecond: 64 KiB/s. */
const minBytesPerMs = 64;

/** Time that a closing server gives a connection to begin its first request, in milliseconds. */
const firstByteMs = 1000;

/** Requests for the operator, which are answered under any load. */
const operations = /^\/(healthz|readyz|metrics)(\?|$)/;

/**
 * Adds hooks that refuse requests above the limit (429), refuse requests while the server closes (503), and cut the
 * connection of a caller that reads its answer too slowly. Returns their steps, for requests that the framework does not see.
 * @param onSlowReader called for each connection that is cut
 */
export function addLoadLimits(app: FastifyInstance, limits: Limits, onSlowReader: () => void) {
  let active = 0;
  let isClosing = false;
  const connections = new Connections(app.server, limits);
  app.addHook('preClose', async () => {
    isClosing = true;
    await acceptPending(app.server, limits.connections);
    setTimeout(() => {
      for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy();
    }, firstByteMs).unref();
  });
  const steps = {
    isFull: () => isClosing || active >= limits.requests,
    begin({ socket }: IncomingMessage, response: ServerResponse): void {
      active += 1;
      connections.count(socket, 1);
      response.once('close', () => {
        active -= 1;
        connections.count(socket, -1);
      });
    },
    watch({ socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
      if (response.writableFinished) return;
      const cut = () => {
        onSlowReader();
        socket.destroy();
      };
      const timer = setTimeout(cut, limits.sendMs + bytes / minBytesPerMs);
      response.once('close', () => clearTimeout(timer));
    },
  };
  app.addHook('onRequest', async (request, { raw }) => {
    steps.begin(request.raw, raw);
    if (isClosing)
      throw new Refused('SHUTTING_DOWN', 'this server is shutting down', 'send the request again');
    if (active > limits.requests && !operations.test(request.url))
      throw busy('too many requests at the same time');
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // A connection that stays open would delay the end.
    if (isClosing) reply.header('connection', 'close');
    const length = Buffer.isBuffer(payload) ? payload.length : 0;
    steps.watch(request.raw, reply.raw, Number(reply.getHeader('content-length') ?? length));
  });
  return steps;
}

/**
 * Resolves when the server has accepted every connection that the system has established, and has read what they sent.
 * To close the listener earlier would reset them. At most `limit` turns of the event loop.
 */
async function acceptPending(server: Server, limit: number): Promise<void> {
  let isAccepting = true;
  const accepted = (): void => {
    isAccepting = true;
  };
  server.on('connection', accepted);
  for (let turn = 0; isAccepting && turn < limit; turn++) {
    isAccepting = false;
    // The first turn accepts, the second reads.
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', accepted);
}
