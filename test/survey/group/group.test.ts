import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group } from '@semaphore-protocol/group';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  append,
  type Frontier,
  hash,
  noLeaves,
  rootOf,
  rootOfPeaks,
  rootsOf,
} from '../../../src/survey/group/group.js';
import { HashPool, HashThread } from '../../../src/survey/group/hash-pool.js';
import { rootCache } from '../../../src/survey/group/root-cache.js';
import { fieldSize } from '../../../src/survey/protocol/commitment.js';
import { isLong } from '../../seed.js';

/** Distinct, reproducible leaves. */
const leaf = (n: number) =>
  BigInt(`0x${createHash('sha256').update(String(n)).digest('hex').slice(0, 60)}`).toString();
const leaves = Array.from({ length: 520 }, (_, n) => leaf(n));

/** Semaphore's group hashes slowly. */
const numRuns = isLong ? 100 : 25;

const wholeRoot = (list: readonly string[]) => (list.length === 0 ? 0n : new Group([...list]).root);
const appended = (list: readonly string[]): Frontier =>
  list.reduce((frontier, one) => append(frontier, BigInt(one)), noLeaves);

test('the hash equals that of Semaphore’s group, on edges and anything else', () => {
  const edges = [0n, 1n, 2n, fieldSize - 1n, fieldSize >> 1n];
  for (const left of edges)
    for (const right of edges) expect(hash(left, right)).toBe(new Group([left, right]).root);
  const element = fc.bigInt({ min: 0n, max: fieldSize - 1n });
  fc.assert(
    fc.property(element, element, (left, right) => hash(left, right) === new Group([left, right]).root),
    { numRuns },
  );
});

describe('a root', () => {
  const anyLeaf = fc.bigInt({ min: 0n, max: fieldSize - 1n }).map(String);

  test('equals that of Semaphore’s group for any list, at once and leaf by leaf', () => {
    fc.assert(
      fc.property(fc.array(anyLeaf, { maxLength: 70 }), (list) => {
        expect(rootOf(list.map(BigInt))).toBe(wholeRoot(list));
        expect(rootOfPeaks(appended(list).peaks)).toBe(wholeRoot(list));
      }),
      { numRuns },
    );
  });

  test('of a frontier equals that of the group at every size', () => {
    for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100]) {
      const { peaks, ...frontier } = appended(leaves.slice(0, size));
      expect(rootOfPeaks(peaks), `${size}`).toBe(wholeRoot(leaves.slice(0, size)));
      expect([frontier.size, peaks.length]).toEqual([size, size.toString(2).replaceAll('0', '').length]);
    }
  });

  test('depends on the places of removed leaves', () => {
    const removed = leaves.map((one, at) => (at % 7 === 3 ? '0' : one));
    expect(rootOf(removed.map(BigInt))).toBe(wholeRoot(removed));
    expect(rootOfPeaks(appended(removed).peaks)).toBe(wholeRoot(removed));
  });

  test('without leaves is 0, as in the contract', () => {
    expect([rootOf([]), rootOfPeaks(noLeaves.peaks)]).toEqual([0n, 0n]);
  });
});

describe('a thread', () => {
  test('answers in the order it was asked, leaves and peaks', async () => {
    const thread = new HashThread();
    const [some, others] = [leaves.slice(0, 21), leaves.slice(0, 3)];
    const asked = [
      thread.roots({ of: 'leaves', nodes: some }),
      thread.roots({ of: 'peaks', nodes: [appended(some).peaks, [], appended(others).peaks] }),
      thread.roots({ of: 'leaves', nodes: others }),
    ];
    const [one, other] = [wholeRoot(some), wholeRoot(others)];
    expect(await Promise.all(asked)).toEqual([[one], [one, 0n, other], [other]]);
    await thread.close();
    await expect(thread.roots({ of: 'leaves', nodes: some })).rejects.toThrow('the thread has ended');
  });

  test('that fails rejects all it was asked', async () => {
    const thread = new HashThread();
    const asked = [1, 2].map(() => thread.roots({ of: 'leaves', nodes: ['no number'] }));
    for (const result of await Promise.allSettled(asked)) expect(result.status).toBe('rejected');
  });
});

test('the roots of frontiers are the same from a thread and here; a thread that has ended gives none', async () => {
  const frontiers = [5, 12, 100].map((size) => appended(leaves.slice(0, size)));
  const expected = [5, 12, 100].map((size) => wholeRoot(leaves.slice(0, size)));
  const roots = new HashPool(1);
  const work = { of: 'peaks' as const, nodes: frontiers.map(({ peaks }) => peaks) };
  expect(await roots.roots(work)).toEqual(expected);
  await roots.close();
  expect(await roots.roots(work)).toBeNull();
  expect(rootsOf(work)).toEqual(expected);
});

describe('the cache of roots', () => {
  /** Equal to Semaphore’s root, as tested above, in a tenth of the time. */
  const rootAt = (list: readonly string[]) => rootOf(list.map(BigInt));
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'kaiactl-roots-'));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return path;
  };

  test('takes unchanged subtrees from the file, and hashes changed ones', async () => {
    const at = folder();
    expect(await rootCache(at, 'one').root(leaves)).toBe(rootAt(leaves));
    const file = join(at, `${readdirSync(at)}`);
    const [, ...lines] = readFileSync(file, 'utf8').split('\n');
    // 520 leaves: subtrees of 256, 256 and 8, and one above them.
    expect(lines).toHaveLength(4);
    const first = lines[0]!.split(' ');
    expect(first[1]).toBe(String(rootAt(leaves.slice(0, 256))));
    const content = [`${first[0]} 7`, ...lines.slice(1)].join('\n');
    writeFileSync(file, `${createHash('sha256').update(content).digest('hex')}\n${content}`);
    const [, second, third] = [0, 256, 512].map((from) => rootAt(leaves.slice(from, from + 256)));
    expect(await rootCache(at, 'one').root(leaves)).toBe(rootOf([7n, second!, third!]));
    const changed = leaves.with(300, '9');
    const other = rootAt(changed.slice(256, 512));
    expect(await rootCache(at, 'one').root(changed)).toBe(rootOf([7n, other, third!]));
    expect(await rootCache(at, 'one').root(leaves.with(3, '9'))).toBe(rootAt(leaves.with(3, '9')));
  });

  test('keeps a short list in memory alone, and another group in another file', async () => {
    const at = folder();
    await rootCache(at, 'one').root(leaves.slice(0, 256));
    expect(readdirSync(at)).toEqual([]);
    await rootCache(at, 'one').root(leaves);
    await rootCache(at, 'two').root(leaves);
    expect(readdirSync(at)).toHaveLength(2);
  });

  test('has the root of the group after members join and leave', async () => {
    const at = folder();
    const group = new Group(leaves);
    const list = [...leaves];
    for (const place of [0, 255, 256, 511, 519]) {
      group.removeMember(place);
      list[place] = '0';
      expect(await rootCache(at, 'one').root(list), `${place}`).toBe(group.root);
    }
    group.addMember(7n);
    expect(await rootCache(at, 'one').root([...list, '7'])).toBe(group.root);
    expect(await rootCache(at, 'one').root(list.slice(0, 100))).toBe(rootAt(list.slice(0, 100)));
  });

  test('equals the root computed from scratch, after any sequence of lists', async () => {
    const leafOf = fc.integer({ min: 0, max: 4 }).map((n) => (n === 0 ? '0' : leaf(n)));
    const lists = fc.array(fc.array(leafOf, { maxLength: 600 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, async (several) => {
        const cache = rootCache('/dev/null/none', 'one');
        for (const list of several) {
          if ((await cache.root(list)) !== rootAt(list)) return false;
        }
        return true;
      }),
      { numRuns: 8 },
    );
  });

  test('long groups and their changes are hashed in threads', async () => {
    const many = Array.from({ length: 17 * 256 + 3 }, (_, n) => (n === 9 ? '0' : leaf(n)));
    const cache = rootCache(folder(), 'one');
    await cache.root(many.slice(0, 100));
    const heard: number[] = [];
    const root = await cache.root(many, (done) => heard.push(done));
    expect(root).toBe(rootAt(many));
    expect(heard).toEqual([...Array.from({ length: 17 }, (_, n) => (n + 1) * 256), many.length]);
  });

  test('stops between subtrees when the signal aborts', async () => {
    const abort = new AbortController();
    const work = rootCache(folder(), 'one').root(
      leaves,
      () => abort.abort(new Error('enough')),
      abort.signal,
    );
    await expect(work).rejects.toThrow('enough');
  });

  test('hashes everything where the file is damaged or cannot be written', async () => {
    const at = folder();
    const some = leaves.slice(0, 260);
    const whole = rootAt(some);
    expect(await rootCache(at, 'one').root(some)).toBe(whole);
    const file = join(at, readdirSync(at)[0]!);
    const good = readFileSync(file);
    const altered = (place: number) => Buffer.from(good.map((byte, n) => (n === place ? byte ^ 1 : byte)));
    for (const bad of [
      Buffer.alloc(0),
      Buffer.from('[]'),
      Buffer.alloc(64),
      good.subarray(0, -5),
      ...[0, 64, 140, good.length - 1].map(altered),
    ]) {
      writeFileSync(file, bad);
      expect(await rootCache(at, 'one').root(some), bad.toString('latin1', 0, 40)).toBe(whole);
      expect(readFileSync(file)).toEqual(good);
    }
    expect(await rootCache(join(file, 'no-folder'), 'one').root(some)).toBe(whole);
  });
});
