/** Notifications within one process, by topic. */
import { EventEmitter } from 'node:events';
import type { Topic } from './storage.js';

export class Topics {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  emit(topic: Topic, text: string): void {
    this.#emitter.emit(topic, text);
  }

  /** Sends a transaction's notifications, after its commit. */
  emitAll(notifications: readonly (readonly [Topic, string])[]): void {
    for (const [topic, text] of notifications) this.emit(topic, text);
  }

  /** Returns a function that unsubscribes. */
  listen(topic: Topic, heard: (text: string) => void): () => void {
    this.#emitter.on(topic, heard);
    return () => this.#emitter.off(topic, heard);
  }
}
