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
const leaves = Array.from({ length: 520 }, (_, n) => leaf(n));

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

describe('the cache of trees', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'kaiactl-roots-'));

  test('hashes again only the paths above what has changed', async () => {
    const at = folder();
    const group = new Group(leaves);
    const cache = rootCache(at, 'one');
    expect((await cache.root(leaves)).root).toBe(group.root);
    expect(await cache.root(leaves)).toEqual({ root: group.root, hashed: 0 });
    // 520 leaves stand under 512 + 8: ten levels.
    const height = 10;
    const list = [...leaves];
    for (const place of [0, 255, 256, 511, 519]) {
      for (const leaf of ['7', leaves[place]!]) {
        group.updateMember(place, BigInt(leaf));
        list[place] = leaf;
        expect(await cache.root([...list]), `${place}: ${leaf}`).toEqual({
          root: group.root,
          hashed: height,
        });
      }
      expect(await rootCache(at, 'one').root(leaves), 'from the file').toEqual({
        root: group.root,
        hashed: 0,
      });
    }
    const [grown, shorter] = [[...leaves, '7'], leaves.slice(0, 100)];
    expect(await cache.root(shorter)).toMatchObject({ root: new Group(shorter).root });
    group.addMember(7n);
    expect(await rootCache(at, 'one').root(grown)).toEqual({ root: group.root, hashed: height });
    group.removeMember(300);
    grown[300] = '0';
    expect(await rootCache(at, 'one').root(grown)).toEqual({ root: group.root, hashed: 2 * height - 1 });
  });

  test('has the root of the whole group at every size and change, whatever came before', async () => {
    const leafOf = fc.integer({ min: 0, max: 4 }).map((n) => (n === 0 ? '0' : leaf(n)));
    const lists = fc.array(fc.array(leafOf, { maxLength: 600 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, async (several) => {
        const cache = rootCache('/dev/null/none', 'one');
        for (const list of several) {
          const { root } = await cache.root(list);
          if (root !== (list.length === 0 ? 0n : new Group(list).root)) return false;
        }
        return true;
      }),
      { numRuns: 8 },
    );
  });

  test('hashes by threads what is long, its changes too', async () => {
    const many = Array.from({ length: 17 * 256 + 3 }, (_, n) => (n === 9 ? '0' : leaf(n)));
    const cache = rootCache(folder(), 'one');
    await cache.root(many.slice(0, 100));
    const heard: number[] = [];
    const { root } = await cache.root(many, (done) => heard.push(done));
    expect(root).toBe(new Group(many).root);
    expect(heard).toEqual([...Array.from({ length: 17 }, (_, n) => (n + 1) * 256), many.length]);
  });

  test('stops between subtrees when it is told to', async () => {
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
    const whole = await rootCache(at, 'one').root(some);
    expect(whole).toMatchObject({ root: new Group(some).root });
    const file = join(at, readdirSync(at)[0]!);
    const good = readFileSync(file);
    const altered = (place: number) => Buffer.from(good.map((byte, n) => (n === place ? byte ^ 1 : byte)));
    for (const bad of [
      Buffer.alloc(0),
      Buffer.from('[]'),
      Buffer.alloc(32),
      good.subarray(0, -5),
      ...[0, 31, 32, 35, 36, good.length - 1].map(altered),
    ]) {
      writeFileSync(file, bad);
      expect(await rootCache(at, 'one').root(some), bad.toString('hex', 0, 40)).toEqual(whole);
    }
    expect(await rootCache(at, 'one').root(some)).toEqual({ ...whole, hashed: 0 });
    expect(await rootCache(join(file, 'no-folder'), 'one').root(some)).toEqual(whole);
  });
});
