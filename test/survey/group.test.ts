import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@semaphore-protocol/group';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { append, noLeaves, rootOf } from '../../src/survey/group/group.js';
import { checked, hash } from '../../src/survey/group/poseidon.js';
import { rootCache } from '../../src/survey/group/root-cache.js';
import { fieldSize } from '../../src/survey/protocol/commitment.js';

/** Distinct, reproducible leaves. */
const leaf = (n: number) =>
  BigInt(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 60)}`).toString();
const leaves = Array.from({ length: 1300 }, (_, n) => leaf(n));

describe('the hash', () => {
  test('is the recurrence, and equal to the package’s on edges and anything else', () => {
    expect(checked).not.toBeNull();
    const edges = [0n, 1n, 2n, fieldSize - 1n, fieldSize >> 1n];
    for (const left of edges)
      for (const right of edges) expect(hash(left, right)).toBe(new Group([left, right]).root);
    const element = fc.bigInt({ min: 0n, max: fieldSize - 1n });
    fc.assert(
      fc.property(element, element, (left, right) => hash(left, right) === new Group([left, right]).root),
    );
  });
});

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

  test('of nothing has the root 0, as the contract has', () => expect(rootOf(noLeaves)).toBe(0n));
});

describe('the cache of roots', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'kaiactl-roots-'));

  test('hashes again only the blocks that have changed', { timeout: 30_000 }, async () => {
    const cache = rootCache(folder(), 'one');
    const [some, all] = [leaves.slice(0, 600), leaves.slice(0, 700)];
    expect(await cache.root(some)).toEqual({ root: new Group(some).root, reused: 0 });
    expect(await cache.root(some)).toMatchObject({ reused: 600 });
    expect(await cache.root(all)).toEqual({ root: new Group(all).root, reused: 512 });
    const changed = all.map((one, at) => (at === 300 ? '0' : one));
    expect(await cache.root(changed)).toEqual({ root: new Group(changed).root, reused: 700 - 256 });
    const shorter = all.slice(0, 100);
    expect(await cache.root(shorter)).toEqual({ root: new Group(shorter).root, reused: 0 });
    expect(await cache.root([])).toEqual({ root: 0n, reused: 0 });
  });

  test('has the root of the whole group at every size, by threads and without', {
    timeout: 60_000,
  }, async () => {
    for (const size of [1, 255, 256, 257, 513]) {
      const list = leaves.slice(0, size);
      expect((await rootCache(folder(), 'one').root(list)).root, `${size}`).toBe(new Group(list).root);
    }
    const many = Array.from({ length: 17 * 256 + 3 }, (_, n) => (n === 9 ? '0' : leaf(n)));
    const heard: number[] = [];
    const { root } = await rootCache(folder(), 'one').root(many, (done) => heard.push(done));
    expect(root).toBe(new Group(many).root);
    expect(heard).toEqual([...Array.from({ length: 17 }, (_, n) => (n + 1) * 256), many.length]);
  });

  test('stops between blocks when it is told to', async () => {
    const abort = new AbortController();
    const work = rootCache(folder(), 'one').root(
      leaves,
      () => abort.abort(new Error('enough')),
      abort.signal,
    );
    await expect(work).rejects.toThrow('enough');
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
      good.replace('"version":2', '"version":1'),
      '{"version":2,"blocks":{"a":{}}}',
    ]) {
      writeFileSync(file, bad);
      expect(await rootCache(at, 'one').root(some), bad.slice(0, 40)).toEqual(whole);
    }
    expect(await rootCache(join(file, 'no-folder'), 'one').root(some)).toEqual(whole);
  });
});
