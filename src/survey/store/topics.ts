/** What is told within one process: under a topic, to whoever listens. */
import { EventEmitter } from 'node:events';
import type { Topic } from './storage.js';

export class Topics {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  tell(topic: Topic, text: string): void {
    this.#emitter.emit(topic, text);
  }

  /** What a transaction told, once it is written. */
  tellAll(told: readonly (readonly [Topic, string])[]): void {
    for (const [topic, text] of told) this.tell(topic, text);
  }

  /** Returns what ends it. */
  listen(topic: Topic, heard: (text: string) => void): () => void {
    this.#emitter.on(topic, heard);
    return () => this.#emitter.off(topic, heard);
  }
}
