import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../offline.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-demo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('demo writes the example conf into a new folder, and never replaces a file', async () => {
  expect(await run(['node', 'demo', "a b/it's"], { cwd: folder })).toEqual({
    code: 0,
    out: "a b/it's/kend.conf\n",
    err: "Try: kaiactl node lint 'a b/it'\\''s/kend.conf'\n",
  });
  const written = readFileSync(join(folder, "a b/it's/kend.conf"), 'utf8');
  expect(written).toBe(readFileSync(new URL('../../../fixtures/demo/kend.conf', import.meta.url), 'utf8'));
  expect(await run(['node', 'demo', "a b/it's"], { cwd: folder })).toEqual({
    code: 2,
    out: '',
    err: "kaiactl: a b/it's/kend.conf exists\n  Choose another folder.\n",
  });
});

test('a folder that the system refuses to create is an error', async () => {
  const { code, err } = await run(['node', 'demo', '/proc/kaiactl/x'], { cwd: folder });
  expect([code, err]).toEqual([
    2,
    'kaiactl: cannot write /proc/kaiactl/x/kend.conf: its folder does not exist\n',
  ]);
});

test('a folder that cannot be created is named', async () => {
  const { code, err } = await run(['node', 'demo', "a b/it's/kend.conf/x"], { cwd: folder });
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^kaiactl: cannot write .*kend\.conf\/x\/kend\.conf: /),
  ]);
});
