import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { socketPath } from '../../../src/node/simulator/socket-path.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-socket-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['a new pipe for every node', null, /^\\\\\.\\pipe\\kaiactl-[0-9a-f]{12}$/],
  ['the pipe that was requested, which may exist', folder, folder],
])('on Windows the socket is %s', (_, requested, expected) => {
  const first = socketPath('/var/kend/klay.ipc', requested, 'win32');
  first.remove();
  expect(first).toMatchObject({ path: expect.stringMatching(expected), note: null });
  expect(first.path === socketPath(null, requested, 'win32').path).toBe(requested !== null);
});

test.each([
  ['is in a private folder if the data folder is unknown', null, null, 'its data folder is not known'],
  ['is in a private folder if the path exists', folder, null, `${folder} already exists`],
  ['is at the path of the conf', join(folder, 'klay.ipc'), null, null],
  ['is at the path that was requested', '/var/kend/klay.ipc', join(folder, 'own.ipc'), null],
])('the socket %s', (_, conf, requested, reason) => {
  const { path, note, remove } = socketPath(conf, requested, 'linux');
  remove();
  expect(note).toBe(reason === null ? null : `The ipc socket is in a private folder: ${reason}.`);
  if (reason === null) expect(path).toBe(requested ?? conf);
});

test.each([
  ['exists', folder, 'Nothing was removed'],
  ['is too long', join(folder, 'x'.repeat(104)), 'Name a shorter path'],
])('a requested path that %s is refused', (_, path, hint) => {
  expect(() => socketPath(null, path, 'linux')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(hint) }),
  );
});
