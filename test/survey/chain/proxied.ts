/** A node in front of a chain, which does what a real one may: hang, lie, estimate on the last block. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export class Proxied {
  /** What it answers itself, by method. */
  readonly answers: Record<string, unknown> = {};
  readonly methods: string[] = [];
  hangs = false;
  asked = 0;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Listens until the test ends; resolves with its URL. */
  async listen(): Promise<string> {
    const server = createServer(async (request, response) => {
      this.asked += 1;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const asked = JSON.parse(Buffer.concat(chunks).toString());
      this.methods.push(asked.method);
      if (this.hangs) return;
      response.writeHead(200, { 'content-type': 'application/json' }).end(await this.#answer(asked));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
