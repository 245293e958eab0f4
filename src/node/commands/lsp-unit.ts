/** A scope that an editor has open files of: linted anew after each change. */
import type { Looked } from './lsp-look.js';

/** Lints; its result is dropped when the signal has aborted. */
export type Look = (signal: AbortSignal) => Promise<Looked | null>;

export class Unit {
  readonly #look: Look;
  readonly #show: (found: Looked) => void;
  readonly #debounceMs: number;
  #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<Looked | null> | null = null;

  /** @param look its errors are its own: it returns null for one */
  constructor(look: Look, show: (found: Looked) => void, debounceMs: number) {
    this.#look = look;
    this.#show = show;
    this.#debounceMs = debounceMs;
  }

  /** A text changed: ends the lint under way, and lints again when the typing pauses. */
  changed(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.now(), this.#debounceMs);
  }

  /** What the texts of now give; null: they changed meanwhile, or cannot be linted. */
  now(): Promise<Looked | null> {
    clearTimeout(this.#timer);
    this.#running ??= this.#run(this.#abort.signal);
    return this.#running;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#running = null;
  }

  async #run(signal: AbortSignal): Promise<Looked | null> {
    const found = await this.#look(signal);
    if (signal.aborted || found === null) return null;
    this.#show(found);
    return found;
  }
}
