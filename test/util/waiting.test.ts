/** Reads that callers share, and work with a deadline. */
import { describe, expect, test } from 'vitest';
import { sharedRuns, within } from '../../src/util/waiting.js';

describe('waiting', () => {
  test('ends at the timeout, and a later failure is ignored', async () => {
    const late = () => new Error('late');
    expect(await within(1000, Promise.resolve(7), late)).toBe(7);
    let fail = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(within(1, work, late)).rejects.toThrow('late');
    fail(new Error('later'));
    await expect(within(1000, Promise.reject(new Error('early')), late)).rejects.toThrow('early');
  });

  test('is shared by callers that wait for it; a failure does not affect the next run', async () => {
    const ends: { resolve(value: number): void; reject(error: Error): void }[] = [];
    const run = sharedRuns(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })));
    const [first, second, third] = [run(), run(), run()];
    expect(ends).toHaveLength(1);
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    ends[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await expect.poll(() => ends.length).toBe(2);
    const fourth = run();
    ends[1]?.resolve(2);
    expect(await second).toBe(2);
    await expect.poll(() => ends.length).toBe(3);
    ends[2]?.resolve(3);
    expect(await fourth).toBe(3);
    const alone = run();
    expect(ends).toHaveLength(4);
    ends[3]?.resolve(4);
    expect(await alone).toBe(4);
  });
});
