/** SIGHUP of a server that has nothing to reload. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notBuilt, spawnServer } from '../survey/server/process.js';
import { request, survey } from '../survey/server/support.js';

test.skipIf(notBuilt !== null)('a hangup ends neither a server nor a sandbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-hangup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const words of [['--store', join(folder, 'survey.db'), '--survey', survey], ['--sandbox']]) {
    const { url, child, ended } = await spawnServer(words);
    child.kill('SIGHUP');
    child.kill('SIGHUP');
    expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
});
