/** What the commands of an admin say of the files of a store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Host } from '../../../src/host.js';

import { storePlace } from '../../../src/survey/commands/store-place.js';
import { openStorage } from '../../../src/survey/store/open.js';
import { participantSecret } from '../../../src/survey/store/participant-secret.js';
import { main } from '../program.js';
import { fakeHost } from '../server/fake-host.js';

async function store(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-modes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'survey.db');
  await (await openStorage(path, participantSecret(`${path}.secret`))).close();
  return path;
}

async function notes(platform: Host['platform'], ...argv: string[]): Promise<number> {
  const { host, texts } = fakeHost(['survey', ...argv]);
  expect(await main({ ...host, platform })).toBe(0);
  return texts.err.split('Windows has no file modes').length - 1;
}

test.each(['mysql', 'http'])('a store at %s://… is refused with what a store may be', (scheme) => {
  expect(() => storePlace(`${scheme}://me:word@host/x`, fakeHost([]).host)).toThrow(
    expect.objectContaining({
      message: `--store ${scheme}://… is not a store that kaiactl knows`,
      hint: expect.stringContaining('postgres://… (or postgresql://…)'),
    }),
  );
});

test.each([
  ['win32', 1],
  ['linux', 0],
] as const)('on %s, admin and backup say %i times that modes are not checked', async (platform, times) => {
  const path = await store();
  const [copy, secret] = [`${path}.copy`, `${path}.secret`];
  expect(await notes(platform, 'admin', 'list', '--store', path)).toBe(times);
  expect(await notes(platform, 'admin', 'rotate-secret', '--yes', '--store', path)).toBe(times);
  expect(await notes(platform, 'backup', copy, '--store', path)).toBe(times);
  const verify = ['backup', '--verify', copy, '--participant-secret-file', secret];
  expect(await notes(platform, ...verify)).toBe(times);
  expect(await notes(platform, ...verify, '--quiet')).toBe(0);
});
