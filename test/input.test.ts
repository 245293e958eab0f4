/** What people give in files: capped while it is read, since a device says nothing of its size. */
import { describe, expect, test } from 'vitest';
import { readJson, readText } from '../src/input.js';

describe.skipIf(process.platform === 'win32')('a file that people name', () => {
  test('without an end is cut off and said', async () => {
    const found = readText('/dev/zero', { what: 'the inventory', mib: 1 });
    await expect(found).rejects.toThrow('cannot read the inventory: larger than 1 MiB');
  });

  test('that is empty is no JSON, and one that is not there is said', async () => {
    await expect(readJson('/dev/null', { what: 'the baseline', mib: 1 })).rejects.toThrow(
      'cannot read the baseline',
    );
    await expect(readText('/nowhere', { what: 'the policy', mib: 1 })).rejects.toThrow('no such file');
  });
});
