/** Hundreds of requests at once: each gets an answer in the API's form, and no connection is reset. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLong } from '../seed.js';
import { bodyOf, notBuilt, type Spawned, spawnServer, token } from '../survey/server/process.js';
import { listed, survey, userId, wallet } from '../survey/server/support.js';

async function server(): Promise<Spawned> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-burst-'));
  const words = ['--store', join(folder, 'survey.db'), '--survey', survey, '--rate-limit', '0'];
  const spawned = await spawnServer(words);
  onTestFinished(async () => {
    spawned.child.kill('SIGKILL');
    await spawned.ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return spawned;
}

async function connected(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** The next answer's status, with the code of a refusal; else the error of the connection. */
function answer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      const [head = '', body = ''] = text.split('\r\n\r\n', 2);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined || Buffer.byteLength(body) < Number(length)) return;
      socket.removeAllListeners('data');
      const status = head.slice(9, 12);
      resolve(status === '200' ? status : `${status} ${JSON.parse(JSON.parse(body).error).code}`);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`));
    socket.once('close', () => resolve('closed without an answer'));
  });
}

/** How many answers there are of each kind. */
async function counted(answers: readonly Promise<string>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of await Promise.all(answers)) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

function httpOf(body: string, connection: 'close' | 'keep-alive'): string {
  const head = ['POST /api/group/join HTTP/1.1', 'Host: x', `Connection: ${connection}`];
  return [...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

async function joins(): Promise<(commitment: number) => string> {
  return bodyOf(wallet, survey, await token(userId), userId);
}

test.skipIf(notBuilt !== null)(
  'a server that is stopped answers every request that was sent before',
  async () => {
    const { url, child, ended } = await server();
    const body = await joins();
    const kept = await Promise.all(Array.from({ length: 50 }, () => connected(url)));
    const first = kept.map((socket, n) => {
      socket.write(httpOf(body(1 + n), 'keep-alive'));
      return answer(socket);
    });
    expect(await counted(first)).toEqual({ 200: 50 });
    // Until it continues, the server sees neither requests nor connections nor the signal.
    child.kill('SIGSTOP');
    const opened = await Promise.all(Array.from({ length: 350 }, () => connected(url)));
    const answers = [...kept, ...opened].map((socket, n) => {
      socket.write(httpOf(body(1000 + n), n < 50 ? 'keep-alive' : 'close'));
      return answer(socket);
    });
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const { 200: accepted = 0, '503 SHUTTING_DOWN': refused = 0, ...others } = await counted(answers);
    expect([others, accepted + refused]).toEqual([{}, 400]);
    expect(await ended).toBe(0);
  },
);

test.skipIf(notBuilt !== null || process.platform !== 'linux')(
  'connections that a busy server has not accepted yet wait for it',
  async () => {
    const { url, child } = await server();
    child.kill('SIGSTOP');
    const sockets = await Promise.all(Array.from({ length: 700 }, () => connected(url)));
    const answers = sockets.map((socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return answer(socket);
    });
    child.kill('SIGCONT');
    expect(await counted(answers)).toEqual({ 200: 700 });
  },
);

// `npm run test:many`: a lower limit is tested in survey/server/load.
test.skipIf(notBuilt !== null || !isLong)(
  'more joins at once than the limit are refused with 429',
  async () => {
    const { url, child } = await server();
    const body = await joins();
    const sockets = await Promise.all(Array.from({ length: 1500 }, () => connected(url)));
    child.kill('SIGSTOP');
    const answers = sockets.map((socket, n) => {
      socket.write(httpOf(body(1 + n), 'close'));
      return answer(socket);
    });
    child.kill('SIGCONT');
    const { 200: accepted = 0, '429 BUSY': refused = 0, ...others } = await counted(answers);
    expect([others, accepted + refused]).toEqual([{}, 1500]);
    expect(accepted).toBeGreaterThanOrEqual(1000);
    expect((await listed(url)).length).toBe(accepted);
  },
);
