/** The ipc interface: a stream of JSON values in both directions. */
import type { Socket } from 'node:net';
import { JsonStream } from './json-stream.js';
import type { Responder } from './responder.js';
import type { Caller } from './subscriptions.js';

/** The node has no limit; this one protects the machine from a flooded simulator. */
const maxMessageBytes = 4 << 20;

/** Serves one connection: answers each value in order; invalid JSON gets an error and ends the connection. */
export function serveIpc(responder: Responder, maxSubscriptions: number): (socket: Socket) => void {
  return (socket) => {
    const caller: Caller = { canSubscribe: true, maxSubscriptions, subscriptions: new Set() };
    const stream = new JsonStream();
    let turn = Promise.resolve();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      const { values, broken } = stream.push(chunk);
      socket.pause();
      turn = turn
        .then(async () => {
          for (const value of values) await write(socket, await responder.respond(value, caller));
          if (broken) socket.end(responder.parseFailure());
          else if (stream.pending > maxMessageBytes) socket.destroy();
          else socket.resume();
        })
        .catch(() => void socket.destroy());
    });
  };
}

/** Waits for a slow reader, so that answers are not queued without limit. */
function write(socket: Socket, text: string | null): Promise<void> {
  return new Promise((resolve) => {
    if (text === null || socket.destroyed || socket.write(text)) resolve();
    else {
      const go = (): void => {
        socket.off('drain', go).off('close', go);
        resolve();
      };
      socket.on('drain', go).on('close', go);
    }
  });
}
