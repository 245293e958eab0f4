/** Fixes in the file where the setting is, whichever file starts the node. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../offline.js';

const root = mkdtempSync(join(tmpdir(), 'kaiactl-joined-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files): string {
  const folder = mkdtempSync(join(root, 'f-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function lint(folder: string, ...options: readonly string[]) {
  return await kaiactl(['node', 'lint', '.', '--unsafe-fixes', ...options], { cwd: folder });
}

const service = (name: string, words: string) =>
  `  ${name}:\n    network_mode: host\n    command: ken --datadir /d --rpc ${words}\n`;

const cases: readonly [string, Files, Files][] = [
  [
    'a variable of .env',
    { 'compose.yml': `services:\n${service('en', '--rpcapi $APIS')}`, '.env': 'APIS=eth,admin # ours\n' },
    { '.env': 'APIS=eth # ours\n' },
  ],
  [
    'the default of a variable',
    { 'compose.yml': `services:\n${service('en', '--rpcapi ${APIS:-eth,admin}')}` },
    { 'compose.yml': `services:\n${service('en', '--rpcapi ${APIS:-eth}')}` },
  ],
  [
    'the environment file of a unit',
    {
      'en.service':
        '[Service]\nEnvironmentFile=en.env\nExecStart=/usr/bin/ken --datadir /d --rpc --rpcapi $APIS\n',
      'en.env': 'APIS="eth,personal"\n',
    },
    { 'en.env': 'APIS="eth"\n' },
  ],
  [
    'the file of flags that a conf names',
    {
      'kend.conf': 'DATA_DIR=/d\nADDITIONAL="--conf flags.yaml"\n',
      'flags.yaml': 'rpc: true\nrpcapi: "eth,admin"\n',
    },
    { 'flags.yaml': 'rpc: true\nrpcapi: "eth"\n' },
  ],
];

describe('edits', () => {
  test.each(cases)('%s', async (_, files, changed) => {
    const folder = folderOf(files);
    const { stderr } = await lint(folder, '--fix', '--only', 'privileged-module');
    const now = Object.fromEntries(
      Object.keys(files).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
    );
    expect(now, stderr).toEqual({ ...files, ...changed });
  });

  test('of a file that two starts share are made once and make neither start worse', async () => {
    const files = {
      'a/compose.yml': `services:\n${service('en', '--rpcapi $APIS')}`,
      'b/compose.yml': `services:\n${service('en', '--rpcapi $APIS')}`,
    };
    const shared = { ...files, 'a/.env': 'APIS=eth,admin\n', 'b/.env': 'APIS=eth,admin\n' };
    const { stdout } = await lint(folderOf(shared), '--diff', '--only', 'privileged-module');
    expect(stdout.match(/^\+.*/gm)).toEqual(['+++ b/a/.env', '+APIS=eth', '+++ b/b/.env', '+APIS=eth']);
  });

  test.each([
    [
      'a file of variables',
      'EnvironmentFile=en.env\nExecStart=/usr/bin/ken --datadir /d --rpc --rpcapi $APIS',
      'en.env',
      'APIS=eth,admin\n',
    ],
    [
      'a conf',
      'ExecStart=/bin/sh -c ". ./kend.conf; exec ken --datadir /d --rpc --rpcapi $RPC_API"',
      'kend.conf',
      'RPC_API=eth,admin\n',
    ],
  ])('of %s leave no finding at any start that shares it', async (_, lines, path, text) => {
    const unit = `[Service]\n${lines}\n`;
    const folder = folderOf({ 'a.service': unit, 'b.service': unit, [path]: text });
    const options = ['--format', 'json', '--only', 'privileged-module', '--fail-on', 'info'];
    const plain = () => kaiactl(['node', 'lint', '.', ...options], { cwd: folder });
    const reports = [await plain(), await lint(folder, '--fix', ...options), await plain()];
    const found = reports.map(
      ({ stdout }) =>
        (JSON.parse(stdout) as Report).targets.flatMap(({ findings, shared = [] }) => [
          ...findings,
          ...shared,
        ]).length,
    );
    expect(found).toEqual([expect.any(Number), 0, 0]);
    expect(found[0]).toBeGreaterThan(0);
    expect(reports.map(({ code }) => code)).toEqual([1, 0, 0]);
    expect(readFileSync(join(folder, path), 'utf8')).not.toContain('admin');
  });

  test('of one file for several starts are one patch', async () => {
    const unit =
      '[Service]\nEnvironmentFile=en.env\nExecStart=/usr/bin/ken --datadir /d --rpc --rpcapi $APIS\n';
    const folder = folderOf({ 'a.service': unit, 'b.service': unit, 'en.env': 'APIS=eth,admin\n' });
    const { stdout } = await lint(folder, '--diff', '--only', 'privileged-module');
    expect(stdout.match(/^[-+].*/gm)).toEqual([
      '--- a/en.env',
      '+++ b/en.env',
      '-APIS=eth,admin',
      '+APIS=eth',
    ]);
  });
});
