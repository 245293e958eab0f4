/** Signals that a terminal or another user sends: SIGHUP of a server that has nothing to reload, and SIGUSR1. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notBuilt, spawnServer } from '../survey/server/process.js';
import { request, survey } from '../survey/server/support.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kaiactl-hangup-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test.skipIf(notBuilt !== null)('a hangup does not end a server, and SIGUSR1 opens no inspector', async () => {
  const words = ['--store', join(folder(), 'survey.db'), '--survey', survey];
  const { url, child, ended } = await spawnServer(words);
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  for (const signal of ['SIGUSR1', 'SIGHUP', 'SIGHUP', 'SIGUSR1'] as const) child.kill(signal);
  expect((await request(`${url}/healthz`, 'GET')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(errors).not.toContain('Debugger listening');
});

test.skipIf(notBuilt !== null)('a hangup ends a sandbox, whose folder goes with it', async () => {
  const TMPDIR = folder();
  const { child, ended } = await spawnServer(['--sandbox'], ['env', `TMPDIR=${TMPDIR}`]);
  expect(readdirSync(TMPDIR)).toHaveLength(1);
  child.kill('SIGHUP');
  expect(await ended).toBe(0);
  expect(readdirSync(TMPDIR)).toEqual([]);
});
