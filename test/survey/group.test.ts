import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@semaphore-protocol/group';
import { describe, expect, test } from 'vitest';
import { append, noLeaves, rootOf } from '../../src/survey/group/group.js';
import { rootCache } from '../../src/survey/group/root-cache.js';

/** Distinct, reproducible leaves. */
const leaf = (n: number) =>
  BigInt(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 60)}`).toString();
const leaves = Array.from({ length: 1300 }, (_, n) => leaf(n));

describe('a frontier', () => {
  test('has the root of the whole group at every size, however it was reached', async () => {
    for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100]) {
      const whole = new Group(leaves.slice(0, size)).root;
      expect(rootOf(await append(noLeaves, leaves.slice(0, size))), `${size} at once`).toBe(whole);
      let grown = noLeaves;
      for (let at = 0; at < size; at += 3)
        grown = await append(grown, leaves.slice(at, Math.min(at + 3, size)));
      expect(rootOf(grown), `${size} by threes`).toBe(whole);
    }
  });

  test('keeps removed leaves, in whole blocks too', async () => {
    const removed = leaves.map((one, at) => (at % 7 === 3 ? '0' : one));
    expect(rootOf(await append(noLeaves, removed))).toBe(new Group(removed).root);
    expect(rootOf(await append(noLeaves, removed))).not.toBe(rootOf(await append(noLeaves, leaves)));
  });

  test('is the same from threads as from one', { timeout: 30_000 }, async () => {
    const many = Array.from({ length: 3 + 6 * 1024 + 700 }, (_, n) => leaf(n));
    let one = await append(noLeaves, many.slice(0, 5));
    for (let at = 5; at < many.length; at += 4096) one = await append(one, many.slice(at, at + 4096));
    const heard: number[] = [];
    expect(await append(noLeaves, many, (done) => heard.push(done))).toEqual(one);
    expect(heard).toEqual([1, 2, 3, 4, 5, 6].map((blocks) => blocks * 1024));
  });

  test('of nothing has the root 0, as the contract has', () => expect(rootOf(noLeaves)).toBe(0n));

  test('stops between blocks when it is told to', async () => {
    const abort = new AbortController();
    const work = append(noLeaves, leaves, () => abort.abort(new Error('enough')), abort.signal);
    await expect(work).rejects.toThrow('enough');
  });
});

describe('the cache of roots', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'kaiactl-roots-'));

  test('extends what it knows, and knows nothing of another list', async () => {
    const cache = rootCache(folder(), 'one');
    const [some, all] = [leaves.slice(0, 200), leaves.slice(0, 300)];
    expect(await cache.root(some)).toEqual({ root: new Group(some).root, reused: 0 });
    expect(await cache.root(some)).toMatchObject({ reused: 200 });
    expect(await cache.root(all)).toEqual({ root: new Group(all).root, reused: 200 });
    const changed = ['0', ...all.slice(1)];
    expect(await cache.root(changed)).toEqual({ root: new Group(changed).root, reused: 0 });
    const shorter = all.slice(0, 100);
    expect(await cache.root(shorter)).toEqual({ root: new Group(shorter).root, reused: 0 });
  });

  test('a damaged or foreign file is as good as none', async () => {
    const at = folder();
    const some = leaves.slice(0, 100);
    const whole = { root: new Group(some).root, reused: 0 };
    await rootCache(at, 'one').root(some);
    const file = join(at, readdirSync(at)[0]!);
    const good = readFileSync(file, 'utf8');
    for (const bad of [
      '',
      '{}',
      '[]',
      good.slice(0, -5),
      good.replace('"size":100', '"size":99'),
      '{"version":1,"size":-1}',
    ]) {
      writeFileSync(file, bad);
      expect(await rootCache(at, 'one').root(some), bad.slice(0, 40)).toEqual(whole);
    }
    expect(await rootCache(join(file, 'no-folder'), 'one').root(some)).toEqual(whole);
  });
});
