/** JSON-RPC over a unix socket or a Windows named pipe. */

import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { platform } from 'node:os';
import type { Channel } from './channel.js';
import type { Address } from './endpoint.js';
import { ChannelError, unreadable } from './failure.js';
import { answerLimits } from './guard.js';
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

const quote = 34;
const backslash = 92;
const blanks = new Set([32, 9, 10, 13]);

/**
 * Takes chunks that may end anywhere, even inside a character or an escape, and returns each complete object or array.
 * Only blanks may separate values.
 */
export class JsonFrames {
  #parts: Buffer[] = [];
  #held = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** @throws {ChannelError} unreadable: bytes that are not a JSON value, too many, or nested too deep */
  push(chunk: Buffer): string[] {
    const done: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#depth === 0 && this.#opens(byte)) start = at;
      else if (this.#inString) this.#inside(byte);
      else if (byte === quote) this.#inString = true;
      else if (this.#closes(byte)) {
        done.push(this.#take(chunk.subarray(start, at + 1)));
        start = at + 1;
      }
    }
    if (this.#depth > 0) this.#hold(chunk.subarray(start));
    return done;
  }

  /** Outside a value: whether an object or array begins. */
  #opens(byte: number): boolean {
    if (byte === 123 || byte === 91) {
      this.#depth = 1;
      return true;
    }
    if (!blanks.has(byte)) throw unreadable('the answer is not JSON');
    return false;
  }

  #inside(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  /** Tracks nesting; returns whether the outermost value ends here. */
  #closes(byte: number): boolean {
    if (byte === 123 || byte === 91) {
      this.#depth += 1;
      if (this.#depth > answerLimits.depth) {
        throw unreadable(`the answer is nested more than ${answerLimits.depth} levels deep`);
      }
    } else if (byte === 125 || byte === 93) {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return false;
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > answerLimits.bytes) throw tooLarge();
    this.#parts.push(Buffer.from(part));
  }

  #take(last: Buffer): string {
    if (this.#held + last.length > answerLimits.bytes) throw tooLarge();
    const text = Buffer.concat([...this.#parts, last]).toString('utf8');
    this.#parts = [];
    this.#held = 0;
    return text;
  }
}

function tooLarge() {
  return unreadable(`the answer is larger than ${answerLimits.bytes >> 20} MiB`);
}
