/** Errors that no answer shows, by event and code: counted, and logged. */
import { errorCode } from '../chain/failure.js';
import type { LogEntry } from './log.js';

/** Events about a join are logged with the hourly counts only: the time of a line could identify the join. */
export type JoinEvent = 'reservation error' | 'budget error' | 'policy error';
export type ServerEvent = 'writer error' | 'payment error' | 'slow reader';

export class Faults {
  readonly #log: (entry: LogEntry) => void;
  readonly #counts = new Map<string, { event: string; code: string; count: number }>();
  readonly #hourly = new Map<string, number>();

  constructor(log: (entry: LogEntry) => void) {
    this.#log = log;
  }

  /** Since the start, by event and code. */
  counts(): readonly { readonly event: string; readonly code: string; readonly count: number }[] {
    return [...this.#counts.values()];
  }

  /** Counts the event, and logs it now. */
  report(event: ServerEvent, code: string): void {
    this.#count(event, code);
    this.#log({ event, code });
  }

  /** For `.catch`: counts the event, and adds it to the hourly counts. */
  ofJoin(event: JoinEvent): (error: unknown) => undefined {
    return (error) => {
      const kind = this.#count(event, errorCode(error));
      this.#hourly.set(kind, (this.#hourly.get(kind) ?? 0) + 1);
    };
  }

  /** Returns and clears the events of joins since the last call. */
  takeHourly(): readonly (readonly [kind: string, count: number])[] {
    const taken = [...this.#hourly];
    this.#hourly.clear();
    return taken;
  }

  #count(event: string, code: string): string {
    const kind = `${event} ${code}`;
    this.#counts.set(kind, { event, code, count: (this.#counts.get(kind)?.count ?? 0) + 1 });
    return kind;
  }
}
