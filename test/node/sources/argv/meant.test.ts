/** Words that every release refuses, and how they are judged once they are written as they are meant. */
import { expect, test } from 'vitest';
import { type Folder, reportOf } from '../../deployment/lint-folder.js';

const compose = (...items: readonly string[]) =>
  `services:\n  n:\n    image: ethereum/client-go:v1.14.12\n    ports: ["8545:8545"]\n    command:\n${items.map((one) => `      - ${one}\n`).join('')}`;

test.each<[string, Folder, RegExp]>([
  [
    'a list item with a blank',
    { 'compose.yml': compose('--http', '--http.addr=0.0.0.0', '--http.api eth,admin') },
    /^--http\.api eth,admin is one argument with a blank/,
  ],
  [
    'quotes in an element of a list that no shell reads',
    {
      Dockerfile: `FROM ethereum/client-go:v1.14.12\nEXPOSE 8545\nCMD ["--http --http.addr 0.0.0.0 --http.api 'eth,admin'"]\n`,
    },
    /^--http --http\.addr 0\.0\.0\.0 --http\.api 'eth,admin' is one argument with a blank/,
  ],
  [
    'quotes around several words of a unit',
    { 'n.service': '[Service]\nExecStart=/usr/bin/geth --http --http.addr=0.0.0.0 "--http.api eth,admin"\n' },
    /^--http\.api eth,admin is one argument with a blank/,
  ],
  [
    'a variable in quotes',
    { 'n.sh': '#!/bin/sh\nOPTS="--http --http.addr=0.0.0.0 --http.api eth,admin"\ngeth "$OPTS"\n' },
    /is one argument with a blank/,
  ],
  [
    'an en dash',
    { 'n.sh': '#!/bin/sh\ngeth –http –http.addr 0.0.0.0 –http.api eth,admin\n' },
    /^–http has an en dash \(U\+2013\), which no program reads as a hyphen/,
  ],
  [
    'typographic quotes',
    { 'n.sh': '#!/bin/sh\ngeth --http --http.addr 0.0.0.0 --http.api=”eth,admin”\n' },
    /has a typographic quote \(U\+201D\), which no shell removes/,
  ],
  [
    'a blank behind the backslash of a unit',
    {
      'n.service':
        '[Service]\nExecStart=/usr/bin/ken --rpc --rpcapi klay,debug --rpcaddr 0.0.0.0 \\ \n  --rpc.unsafe-debug.disable\n',
    },
    /^This backslash is a word, which every release refuses: only directly before a line break/,
  ],
  [
    'a backslash at the end of a script of sh',
    { 'n.sh': '#!/bin/sh\ngeth --http --http.addr=0.0.0.0 --http.api eth,admin \\' },
    /^This backslash is a word/,
  ],
  [
    'a line of a unit without a backslash above it',
    {
      'n.service':
        '[Service]\nExecStart=/usr/bin/ken --rpc --rpcapi klay,debug --rpcaddr 0.0.0.0\n  --rpc.unsafe-debug.disable\n',
    },
    /^systemd ignores the line --rpc\.unsafe-debug\.disable: no backslash ends the line above/i,
  ],
])('%s is told, and the node is judged as it would be once it starts', async (_, files, message) => {
  const { targets } = await reportOf(files);
  const findings = targets.flatMap((target) => target.findings);
  expect(findings.filter(({ severity }) => severity === 'critical')).not.toEqual([]);
  const told = findings.filter(({ rule }) => rule === 'malformed-flag');
  expect(told.map((one) => one.message)).toContainEqual(expect.stringMatching(message));
});

test.each(['', '#!/bin/bash\n'])('bash drops a backslash at the end of a script after %j', async (first) => {
  const { targets } = await reportOf({ 'n.sh': `${first}geth --http --http.api eth,admin \\` });
  expect(targets.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toEqual(['privileged-module']);
});
