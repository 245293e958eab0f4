/** What joins will meet: asked at most once a second, however many look. */
import type { GroupStore, Health } from '../store/group-store.js';
import type { Storage } from '../store/storage.js';

/** How long an answer serves, in milliseconds. */
const freshFor = 1000;
/** Below that the next join may not find room, in bytes. */
const leastRoom = 16 << 20;

/** Every call resolves with an answer no older than a second; one look serves all who ask meanwhile. */
export function healthOf(store: GroupStore, storage: Storage, now: () => number): () => Promise<Health> {
  let at = Number.NEGATIVE_INFINITY;
  let answer: Promise<Health> | null = null;
  return () => {
    if (answer === null || now() - at > freshFor) {
      at = now();
      answer = look(store, storage);
    }
    return answer;
  };
}

async function look(store: GroupStore, storage: Storage): Promise<Health> {
  const [health, room, unwritable] = await Promise.all([
    store.health(),
    storage.room().catch(() => new Error('the store does not answer')),
    storage.problem(),
  ]);
  if (room instanceof Error) return { ...health, problem: room.message };
  const full = room !== null && room < leastRoom ? 'the disk of the store is full' : null;
  const problem = health.problem ?? full ?? unwritable?.message ?? null;
  return { problem, facts: { ...health.facts, diskFreeBytes: room } };
}
