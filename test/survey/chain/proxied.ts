/** A node in front of a chain, which does what a real one may: hang, lie, be slow, estimate on the last block. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../../peers/free-port.js';

export class Proxied {
  /** What it answers itself, by method. */
  readonly answers: Record<string, unknown> = {};
  /** How long it takes to answer, by method, in milliseconds. */
  readonly delays: Record<string, number> = {};
  readonly methods: string[] = [];
  hangs = false;
  /** Whether it limits the rate of requests: HTTP 429. */
  limits = false;
  asked = 0;
  readonly #url: string;
  #server: Server | null = null;
  #port = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Listens until the test ends, after a kill where it did before; resolves with its URL. */
  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      // Its client or the chain is gone: it cuts the connection, as a proxy does.
      this.#serve(request, response).catch(() => response.destroy());
    });
    // Nothing else takes it between two starts.
    this.#port ||= await freePort();
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    if (this.#server === null) onTestFinished(() => this.kill());
    this.#server = server;
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Cuts every connection and listens no more. */
  kill(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    this.methods.push(asked.method);
    if (this.hangs) return;
    if (this.limits) return void response.writeHead(429).end();
    await sleep(this.delays[asked.method] ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' }).end(await this.#answer(asked));
  }

  async #answer(asked: { id: number; method: string; params: unknown[] }): Promise<string> {
    if (Object.hasOwn(this.answers, asked.method)) {
      return JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: this.answers[asked.method] });
    }
    // An endpoint node estimates on its last block; anvil, left to itself, on its queue as well.
    if (asked.method === 'eth_estimateGas') asked.params = [asked.params[0], 'latest'];
    const headers = { 'content-type': 'application/json' };
    return (await fetch(this.#url, { method: 'POST', headers, body: JSON.stringify(asked) })).text();
  }
}
