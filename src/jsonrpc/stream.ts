/** Shared by ws and ipc: a lasting connection with one request at a time; unsolicited messages break it. */
import type { Channel, Sent, WireText } from './channel.js';
import { until } from './deadline.js';
import { type ChannelError, failure, unreadable } from './failure.js';

export interface Connection {
  send(text: string): void;
  destroy(): void;
}

export interface Events {
  opened(connection: Connection): void;
  message(text: string): void;
  failed(error: unknown): void;
}

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
}

/** A channel that connects at the first request. A broken channel stays broken: no second attempt. */
export class StreamChannel implements Channel {
  readonly sent: Sent = { requests: 0, bytes: 0 };
  readonly #open: (events: Events) => Connection;
  #connection: Connection | null = null;
  #ready = false;
  #broken: ChannelError | null = null;
  #waiting: Waiting | null = null;
  #queued: WireText | null = null;

  constructor(open: (events: Events) => Connection) {
    this.#open = open;
  }

  get fault(): ChannelError | null {
    return this.#broken;
  }

  exchange(text: WireText, signal: AbortSignal): Promise<string> {
    if (this.#broken !== null) return Promise.reject(this.#broken);
    return until<string>(
      signal,
      (resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.sent.requests += 1;
        this.sent.bytes += Buffer.byteLength(text);
        if (this.#ready) this.#connection?.send(text);
        else this.#connect(text);
      },
      () => this.#fail(signal.reason),
    );
  }

  close(): void {
    this.#fail(unreadable('the connection was closed'));
  }

  #connect(first: WireText): void {
    this.#queued = first;
    try {
      this.#connection = this.#open({
        opened: (connection) => this.#opened(connection),
        message: (text) => this.#message(text),
        failed: (error) => this.#fail(failure(error)),
      });
    } catch (error) {
      this.#fail(failure(error));
    }
  }

  #opened(connection: Connection): void {
    this.#connection = connection;
    this.#ready = true;
    if (this.#queued !== null) connection.send(this.#queued);
    this.#queued = null;
  }

  #message(text: string): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null || !this.#ready) this.#fail(unreadable('it sent an unsolicited message'));
    else waiting.resolve(text);
  }

  #fail(error: ChannelError): void {
    this.#broken ??= error;
    this.#waiting?.reject(this.#broken);
    this.#waiting = null;
    this.#ready = false;
    this.#connection?.destroy();
    this.#connection = null;
  }
}
