/** Timeouts as abort signals. */
import { ChannelError } from './failure.js';

/** A signal that aborts with a ChannelError in `ms` milliseconds, or earlier when `parent` aborts; `clear` stops the timer. */
export function deadline(ms: number, parent?: AbortSignal): { signal: AbortSignal; clear(): void } {
  const abort = new AbortController();
  const late = () => abort.abort(new ChannelError('timeout', `no answer within ${seconds(ms)}`));
  const stop = () => abort.abort(new ChannelError('interrupted', 'interrupted'));
  const timer = setTimeout(late, ms);
  if (parent?.aborted) stop();
  parent?.addEventListener('abort', stop, { once: true });
  return {
    signal: abort.signal,
    clear() {
      clearTimeout(timer);
      parent?.removeEventListener('abort', stop);
    },
  };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** A promise that also rejects when the signal aborts, with its reason; `stop` then ends the work of `start`. */
export function until<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
  stop?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason);
      stop?.();
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    const done = () => signal.removeEventListener('abort', abort);
    start(
      (value) => {
        done();
        resolve(value);
      },
      (error) => {
        done();
        reject(error);
      },
    );
  });
}
