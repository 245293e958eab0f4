/** Writes that must be made some time, while the store may be away. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two tries, in milliseconds: at first, and at most. */
const pauses = [250, 30_000] as const;

/** Tries until it works; a process may end meanwhile. */
export async function persistently(write: () => Promise<unknown>): Promise<void> {
  const [first, most] = pauses;
  for (let pause: number = first; ; pause = Math.min(2 * pause, most)) {
    try {
      await write();
      return;
    } catch {
      await sleep(pause, undefined, { ref: false });
    }
  }
}
