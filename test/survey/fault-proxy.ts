/** A proxy that breaks chosen exchanges the way real networks and gateways do. Client and server tests share it. */
import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { bodyServer } from '../peers/body-server.js';

export const faults = ['reset', '500', '502', 'empty 200', 'half', '429', 'slow'] as const;
/**
 * What the caller sees: the connection is reset, an error page of the gateway, 200 without a body, an answer cut in
 * half, 429 with `Retry-After: 0`, or an answer that is held until {@link FaultProxy.release}.
 */
export type Fault = (typeof faults)[number];

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Counts every request from 1. */
  readonly nth: number;
}

export interface FaultProxy {
  readonly url: string;
  /** Every request, also those that never reached the target. */
  readonly exchanges: readonly Exchange[];
  /**
   * Chooses the fault of an exchange; null passes it on. With `delivered` the target receives the request before the
   * caller loses the answer; without, it never hears of it.
   */
  choose: (exchange: Exchange) => { readonly fault: Fault; readonly delivered: boolean } | null;
  /** Resolves once a `slow` exchange is held. */
  held(): Promise<void>;
  /** Sends every held answer. */
  release(): void;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const page = (status: number): Answer => {
  const body = Buffer.from(`<html><body>${status}</body></html>`);
  return { status, headers: { 'content-type': 'text/html' }, body };
};

/** Listens on a free loopback port, in front of `target`, until the test ends. */
export async function faultProxy(target: string): Promise<FaultProxy> {
  const exchanges: Exchange[] = [];
  const waiting: (() => void)[] = [];
  const holds = new EventEmitter();
  const held = once(holds, 'held').then(() => undefined);
  const hold = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      holds.emit('held');
    });
  const server = bodyServer(async (request, response, body) => {
    const { method = '', url: path = '', headers } = request;
    const exchange = { method, path, body, nth: exchanges.length + 1 };
    exchanges.push(exchange);
    const chosen = proxy.choose(exchange);
    const passed = chosen === null || chosen.delivered ? await pass(target, exchange, headers) : null;
    const answer = passed ?? page(502);
    if (chosen === null) return send(response, answer);
    await fail(chosen.fault, response, answer, hold);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    choose: () => null,
    held: () => held,
    release: () => {
      for (const send of waiting.splice(0)) send();
    },
  };
  onTestFinished(() => {
    proxy.release();
    server.closeAllConnections();
    server.close();
  });
  return proxy;
}

async function fail(
  fault: Fault,
  response: ServerResponse,
  answer: Answer,
  hold: () => Promise<void>,
): Promise<void> {
  switch (fault) {
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case '500':
    case '502':
      return send(response, page(Number(fault)));
    case 'empty 200':
      return send(response, { status: 200, headers: {}, body: Buffer.alloc(0) });
    case '429':
      return send(response, { ...page(429), headers: { 'retry-after': '0' } });
    case 'half': {
      response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
      const half = answer.body.subarray(0, answer.body.length / 2);
      return void response.write(half, () => response.destroy());
    }
    case 'slow':
      await hold();
      send(response, answer);
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}

/** Null when the target does not answer. */
async function pass(
  target: string,
  { method, path, body }: Exchange,
  headers: IncomingHttpHeaders,
): Promise<Answer | null> {
  const kept = ['content-type', 'authorization', 'x-client-id', 'x-client-secret', 'accept', 'if-none-match'];
  const sent = Object.fromEntries(
    kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
  );
  const init = { method, headers: sent, redirect: 'manual' as const, ...(body === '' ? {} : { body }) };
  const answer = await fetch(target + path, init).catch(() => null);
  if (answer === null) return null;
  const back = ['content-type', 'retry-after', 'etag', 'location'];
  const returned = Object.fromEntries(
    back.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [])),
  );
  return { status: answer.status, headers: returned, body: Buffer.from(await answer.arrayBuffer()) };
}
