/** What people give in files: capped while it is read, since a device says nothing of its size. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readJson, readPieces, readText } from '../src/input.js';

describe.skipIf(process.platform === 'win32')('a file that people name', () => {
  test('that never ends is rejected at the limit', async () => {
    const found = readText('/dev/zero', { what: 'the inventory', mib: 1 });
    await expect(found).rejects.toThrow('cannot read the inventory: larger than 1 MiB');
  });

  test('an empty file is not JSON, and a missing file is an error', async () => {
    await expect(readJson('/dev/null', { what: 'the baseline', mib: 1 })).rejects.toThrow(
      'cannot read the baseline',
    );
    await expect(readText('/nowhere', { what: 'the policy', mib: 1 })).rejects.toThrow('no such file');
  });
});

const text = (size: number) => Readable.from([Buffer.alloc(size - 1, 'x'), 'y']);

test('a limit is the largest size that is read', async () => {
  expect(await readText(text(1 << 20), { what: 'stdin', mib: 1 })).toHaveLength(1 << 20);
  await expect(readText(text((1 << 20) + 1), { what: 'stdin', mib: 1 })).rejects.toThrow('larger than 1 MiB');
});

test('characters may be cut between two reads', async () => {
  const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  expect(await readText(Readable.from([first, second]), { what: 'stdin', mib: 1 })).toBe('é');
});

test('pieces are the same text, up to the same limit', async () => {
  const cut = [Buffer.from('aé').subarray(0, 2), Buffer.from('aé').subarray(2)];
  const pieces = readPieces(Readable.from(cut), { what: 'stdin', mib: 1 });
  let read = '';
  for await (const piece of pieces) read += piece;
  expect(read).toBe('aé');
  const large = readPieces(text((1 << 20) + 1), { what: 'stdin', mib: 1 });
  await large.next();
  await expect(large.next()).rejects.toThrow('cannot read stdin: larger than 1 MiB');
  const lacking = readPieces('/nowhere', { what: 'the report', mib: 1, hint: 'Name it.' });
  await expect(lacking.next()).rejects.toMatchObject({ hint: 'Name it.', exitCode: 2 });
});

test('an error keeps its hint and gets none when none was given', async () => {
  const limits = { what: 'the policy', mib: 1 };
  await expect(readText('/nowhere', limits)).rejects.toMatchObject({ hint: null, exitCode: 2 });
  await expect(readText('/nowhere', { ...limits, hint: 'Name it.' })).rejects.toMatchObject({
    hint: 'Name it.',
  });
});
