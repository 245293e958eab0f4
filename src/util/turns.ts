/** Long work that lets other events, such as signals, be handled in between. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work at a time. */
const maxMs = 50;

/** Pauses now and then: `take` waits for other events if the last pause is 50 ms ago. */
export class Turns {
  // Node loads a module for the clock of performance.now(). This one may be set back, which is a reason to pause.
  #since = Date.now();

  async take(): Promise<void> {
    if (Math.abs(Date.now() - this.#since) < maxMs) return;
    await setImmediate();
    this.#since = Date.now();
  }
}

/** Does the work with pauses; null when it was aborted. */
export async function inTurns<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T | null> {
  const turns = new Turns();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    await turns.take();
    if (signal.aborted) return null;
  }
}

/** Does the work without pauses. */
export function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
