import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seen } from '../../../src/node/facts/seen.js';
import { editableOf } from '../editables.js';
import { loadNode } from '../load.js';
import { judgeTarget } from '../pipeline.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, mode: number): void {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'hunter2-is-never-read');
  chmodSync(path, mode);
}

/** `severity path` for each finding about permissions. */
async function loose(): Promise<string[]> {
  const path = join(folder, 'kscnd.conf');
  const lines = [
    'SCSIGNER=0x71562b71999873db5b286df957af199ec94617f7',
    `SCSIGNER_PASSWD_FILE=${folder}/signer.pw`,
  ];
  writeFileSync(path, `${[...lines, `DATA_DIR=${folder}/data`].join('\n')}\n`);
  chmodSync(path, 0o640);
  const stdin = { on: () => stdin } as never;
  const conf = await loadNode(path, {}, {
    cwd: folder,
    stdin,
    signal: new AbortController().signal,
  } as never);
  const facts = {
    name: 'n',
    role: null,
    conf: seen(conf),
    live: null,
    gatheredAt: '2026-01-01T00:00:00.000Z',
  };
  const report = judgeTarget(facts, { failOn: 'high' });
  expect(JSON.stringify(report)).not.toContain('hunter2');
  return report.findings
    .filter(({ rule }) => rule === 'loose-permissions')
    .map(
      ({ severity, subject, at }) =>
        `${severity} ${subject.slice(folder.length)} ${'line' in at ? at.line : 0}`,
    )
    .sort();
}

test('keys and passwords that others can read or replace are reported at the setting that names them', async () => {
  write('signer.pw', 0o644);
  write('data/klay/nodekey', 0o602);
  write('data/keystore/UTC--1', 0o604);
  write('data/parent_bridge_account/0xabc', 0o755);
  for (const name of ['data/keystore', 'data/parent_bridge_account']) chmodSync(join(folder, name), 0o700);
  expect(await loose()).toEqual([
    'high /data/klay/nodekey 3',
    'medium /data/keystore/UTC--1 3',
    'medium /data/parent_bridge_account/0xabc 3',
    'medium /signer.pw 2',
  ]);
});

test('the mode of a folder that a checkout holds is that of its umask, until a node fills it', async () => {
  write('data/keystore/.keepme', 0o644);
  writeFileSync(join(folder, 'data/keystore/.keepme'), '');
  writeFileSync(join(folder, '.gitignore'), 'data\n');
  chmodSync(join(folder, 'data/keystore'), 0o755);
  expect(await loose()).toEqual([]);
  write('data/keystore/UTC--1', 0o600);
  expect(await loose()).toEqual(['medium /data/keystore 3']);
});

test('an empty password file gives nothing away', async () => {
  writeFileSync(join(folder, 'signer.pw'), '');
  chmodSync(join(folder, 'signer.pw'), 0o644);
  expect(await loose()).toEqual([]);
});

test('files of the owner only and missing files are not reported', async () => {
  write('signer.pw', 0o600);
  write('data/keystore/UTC--1', 0o640);
  chmodSync(join(folder, 'data/keystore'), 0o700);
  expect(await loose()).toEqual([]);
});

test('checking secret files does not prevent fixes of the conf', async () => {
  const path = join(folder, 'kend.conf');
  writeFileSync(path, `DATA_DIR=${folder}\n`);
  const conf = await loadNode(path, {}, { cwd: folder, signal: new AbortController().signal } as never);
  expect(conf.settings.secretFiles).toEqual([]);
  expect(editableOf(conf)?.text).toBe(`DATA_DIR=${folder}\n`);
});

test('two hundred files of a very large folder are checked', async () => {
  for (let at = 0; at < 210; at++) write(`data/keystore/k${at}`, 0o644);
  chmodSync(join(folder, 'data/keystore'), 0o700);
  const path = join(folder, 'kend.conf');
  writeFileSync(path, `DATA_DIR=${folder}/data\nKEY_PATH=/nowhere\n`);
  const conf = await loadNode(path, {}, { cwd: folder, signal: new AbortController().signal } as never);
  const [first, ...others] = conf.settings.secretFiles ?? [];
  expect(first).toEqual({
    path: `${folder}/data/keystore`,
    mode: 0o40700,
    flag: 'keystore',
    holds: 'keys of accounts',
  });
  expect(others).toHaveLength(200);
  expect(others[0]).toMatchObject({ mode: 0o100644, flag: 'keystore', holds: 'keys of accounts' });
});

test('unexpected file types are not read', async () => {
  write('data/keystore', 0o644);
  mkdirSync(join(folder, 'data/klay/nodekey'), { recursive: true, mode: 0o755 });
  const path = join(folder, 'kscnd.conf');
  writeFileSync(path, `DATA_DIR=${folder}/data\nSCSIGNER=1\nSCSIGNER_PASSWD_FILE=/dev/null\n`);
  const load = async (text: string) => {
    writeFileSync(path, text);
    const host = { cwd: folder, signal: new AbortController().signal } as never;
    const { secretFiles } = (await loadNode(path, {}, host)).settings;
    return secretFiles?.map((one) => `${one.path.slice(folder.length)} ${one.flag}: ${one.holds}`);
  };
  const store = '/data/keystore keystore: keys of accounts';
  expect(await load(`DATA_DIR=${folder}/data\nSCSIGNER=1\nSCSIGNER_PASSWD_FILE=/dev/null\n`)).toEqual([
    store,
  ]);
  expect(await load('DATA_DIR=data\nNETWORK_ID=1\nRPC_ENABLE=1\n')).toEqual([]);
  const own = `DATA_DIR=/nowhere\nRPC_ENABLE=1\nADDITIONAL="--nodekey ${folder}/data/keystore --keystore ${folder}/data"\n`;
  expect(await load(own)).toEqual([
    '/data/keystore nodekey: the node’s key',
    '/data keystore: keys of accounts',
    '/data/keystore keystore: keys of accounts',
    '/data/klay keystore: keys of accounts',
  ]);
});
