/** JSON-RPC over a unix socket or a Windows named pipe. */
import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { platform } from 'node:os';
import type { Channel } from './channel.js';
import type { Address } from './endpoint.js';
import { ChannelError } from './failure.js';
import { JsonFrames } from './framing.js';
import { type Connection, type Events, StreamChannel } from './stream.js';

/** A channel to the socket at the address's path. */
export function ipcChannel(address: Address): Channel {
  return new StreamChannel((events) => openSocket(address.raw, events));
}

function openSocket(path: string, events: Events): Connection {
  expectSocket(path);
  const frames = new JsonFrames();
  const socket = connect({ path });
  const connection: Connection = {
    send: (text) => void socket.write(text),
    destroy: () => void socket.destroy(),
  };
  socket.on('connect', () => events.opened(connection));
  socket.on('data', (chunk) => {
    try {
      for (const text of frames.push(chunk)) events.message(text);
    } catch (error) {
      events.failed(error);
    }
  });
  socket.on('error', (error) => events.failed(error));
  socket.on('close', () => events.failed(new ChannelError('unreachable', 'the connection was closed')));
  return connection;
}

/** Bytes of the path of a socket that every system takes; Linux takes four more. */
export const maxSocketPath = 103;

/** Connecting to a regular file fails as "refused", and to a path that is too long as an invalid argument. */
function expectSocket(path: string): void {
  if (/^\\\\[.?]\\pipe\\/i.test(path)) return;
  const [bytes, most] = [Buffer.byteLength(path), maxSocketPath + (platform() === 'linux' ? 4 : 0)];
  if (bytes > most)
    throw new ChannelError(
      'unreadable',
      `its path has ${bytes} bytes, and the kernel takes ${most} for a socket`,
    );
  const stat = lstatSync(path, { throwIfNoEntry: true });
  if (stat.isSocket() || stat.isSymbolicLink()) return;
  throw new ChannelError('unreadable', `${stat.isDirectory() ? 'a folder' : 'a regular file'}, not a socket`);
}
