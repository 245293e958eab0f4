/** Sentences and programs that public projects showed to be judged wrongly. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { run } from '../offline.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-believable-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function lint(files: Readonly<Record<string, string>>): Promise<Report['targets']> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { out } = await run(['node', 'lint', folder, '--format', 'json']);
  return out === '' ? [] : (JSON.parse(out) as Report).targets;
}

const kindsOf = async (files: Readonly<Record<string, string>>) =>
  (await lint(files)).map(({ kind }) => kind);

test('flags that one kind alone has outvote the name of an image', async () => {
  const compose = (words: string) =>
    `services:\n  geth:\n    image: acme/l2geth:local\n    command: geth ${words}\n    ports: ["8545:8545"]\n`;
  expect(await kindsOf({ 'compose.yml': compose('--rpc --rpcapi eth') })).toEqual(['geth']);
  expect(await kindsOf({ 'compose.yml': compose('--http --rollup.disabletxpoolgossip=true') })).toEqual([
    'op-geth',
  ]);
});

test('pages are kept out unless every Host name is accepted', async () => {
  const worst = async (release: string, words: string) => {
    const command = `geth --rpc --rpcapi eth,admin,debug ${words}`;
    const asked = ['node', 'lint', '--format', 'json', '--node-version', release, '--command-line', command];
    const [target] = (JSON.parse((await run(asked)).out) as Report).targets;
    const [first] = target?.findings ?? [];
    return [first?.severity, target?.interfaces.find(({ transport }) => transport === 'http')?.browsers];
  };
  expect(await worst('v1.8.0', '')).toEqual(['medium', 'none']);
  expect(await worst('v1.8.0', '--rpcvhosts "*"')).toEqual(['critical', 'any page']);
});

test.each([
  'ken –rpc --rpcapi klay,personal --datadir data\n',
  'geth --http --http.api “eth,net” --datadir data\n',
])('a start with a typographic mark is judged as it is meant, and is a question: %s', async (text) => {
  const [target] = await lint({ 'start.sh': text });
  expect(target?.verdict).toBe('undetermined');
  expect(target?.undetermined).toMatchObject([
    { rule: 'malformed-flag', reason: expect.stringContaining('is not known') },
  ]);
  expect(target?.interfaces.find(({ transport }) => transport === 'http')?.state).not.toBe('closed');
});

test('a program is that of the project it is built from', async () => {
  const unit = (path: string) => `[Service]\nExecStart=${path} --datadir node --http\n`;
  expect(await kindsOf({ 'geth.service': unit('/opt/bsc/build/bin/geth') })).toEqual(['bsc']);
  expect(await kindsOf({ 'geth.service': unit('/opt/go-ethereum/build/bin/geth') })).toEqual(['geth']);
});

test('quotes around the value of another client are no part of it', async () => {
  const command =
    '      --rpc-http-enabled\n      --rpc-http-host="0.0.0.0"\n      --rpc-http-apis="ETH,NET"\n';
  const [target] = await lint({
    'compose.yml': `services:\n  besu:\n    image: hyperledger/besu:24.1.0\n    network_mode: host\n    command: >\n${command}`,
  });
  expect(target?.undetermined.map(({ reason }) => reason).join()).toContain(
    'http on 0.0.0.0:8545, modules ETH,NET',
  );
});

test.each([
  ['summary: "geth runs with --http.api admin; restart it"'],
  ['description: |\n    Start geth --http --http.api admin,debug\n    on this machine.'],
])('what a key says to people starts nothing: %s', async (text) => {
  expect(await lint({ 'alerts.yml': `annotations:\n  ${text}\n` })).toEqual([]);
});

test('the test of a role finds the role that it is in', async () => {
  const targets = await lint({
    'roles/erigon/tasks/main.yml': '- command: erigon --datadir /d\n',
    'roles/erigon/tests/test.yml': '- hosts: localhost\n  roles:\n    - erigon\n',
  });
  const open = targets.flatMap(({ undetermined }) => undetermined.map(({ reason }) => reason));
  expect(open.filter((reason) => reason.includes('not among the files'))).toEqual([]);
});

test('an address in a list of Host names matches no caller', async () => {
  const words = '--authrpc.vhosts 0.0.0.0 --http --http.vhosts 0.0.0.0,10.0.0.1,localhost';
  const [target] = await lint({ 'run.sh': `#!/bin/sh\ngeth ${words}\n` });
  const dead = target?.findings.filter(({ rule }) => rule === 'unmatchable-entry') ?? [];
  expect(dead.map(({ subject }) => subject).sort()).toEqual(['--authrpc.vhosts', '--http.vhosts']);
});

test.each(['"', "'"])('a list in the quotes %s of a word gets an edit', async (quote) => {
  const start = (list: string) =>
    `#!/bin/sh\ngeth --http --http.addr 127.0.0.1 --http.corsdomain=x --http.api=${quote}${list}${quote}\n`;
  await lint({ 'run.sh': start('admin,debug,eth') });
  await run(['node', 'lint', join(folder, 'run.sh'), '--fix', '--unsafe-fixes']);
  expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toContain(`--http.api=${quote}eth${quote}`);
});
