import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeStaleSocket } from '../../src/util/stale-socket.js';
import { untilSignal } from '../../src/util/until-aborted.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-socket-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** A socket whose process was killed. */
function stale(path: string): string {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect(existsSync(path)).toBe(true);
  return path;
}

describe.skipIf(process.platform === 'win32')('a path for a socket', () => {
  test('that is free, or holds a socket without a process, can be used', async () => {
    const path = join(folder(), 's');
    expect(await removeStaleSocket(path)).toBeNull();
    expect(await removeStaleSocket(stale(path))).toBeNull();
    expect(existsSync(path)).toBe(false);
  });

  test('where a process listens is left alone', async () => {
    const path = join(folder(), 's');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(await removeStaleSocket(path)).toBe('another process listens there');
    expect(existsSync(path)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  test('that is a file or a link to a stale socket is left alone', async () => {
    const at = folder();
    writeFileSync(join(at, 'file'), '');
    symlinkSync(stale(join(at, 's')), join(at, 'link'));
    for (const name of ['file', 'link']) {
      expect(await removeStaleSocket(join(at, name))).toBe('the path exists and is not a socket');
      expect(existsSync(join(at, name))).toBe(true);
    }
  });

  test.skipIf(process.platform !== 'linux')('of more than 107 bytes is refused', async () => {
    const at = folder();
    const start = join(at, 'é'.repeat(10));
    const long = (bytes: number) => start + 'x'.repeat(bytes - Buffer.byteLength(start));
    expect(await removeStaleSocket(long(107))).toBeNull();
    expect(await removeStaleSocket(long(108))).toBe('the path is longer than 107 bytes');
  });
});

test('a signal that has aborted, or aborts later, ends the wait', async () => {
  await untilSignal(AbortSignal.abort());
  const abort = new AbortController();
  let ended = false;
  const wait = untilSignal(abort.signal).then(() => {
    ended = true;
  });
  await Promise.resolve();
  expect(ended).toBe(false);
  abort.abort();
  await wait;
});
