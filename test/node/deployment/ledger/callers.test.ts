/** Calls of methods in the files of a deployment, and the fixes that break them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callersIn } from '../../../../src/node/deployment/ledger/callers.js';
import type { Report } from '../../../../src/node/facts/report.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { run } from '../../offline.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-callers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const unlock = '{"jsonrpc":"2.0","method":"personal_unlockAccount","params":[],"id":1}';

test.each<[string, string, string]>([
  ['a request of curl', `curl -d '${unlock}' http://127.0.0.1:8545`, 'personal_unlockAccount http 8545'],
  [
    'an escaped request',
    `  test: ["CMD", "curl", "-d", "{\\"method\\":\\"admin_peers\\"}"]`,
    'admin_peers null null',
  ],
  ['a script for a console over ws', 'geth attach --exec "admin.peers" ws://node', 'admin_peers ws null'],
  ['the words of cast', 'cast rpc --rpc-url $URL debug_freeOSMemory', 'debug_freeOSMemory null null'],
  ['a library', 'await provider.send("miner_start", [1]);', 'miner_start null null'],
  [
    'the nearer of two addresses',
    `geth attach http://geth:8545 --exec "personal.listAccounts"; geth attach /data/geth.ipc --exec "admin.peers"`,
    'personal_listAccounts http 8545',
  ],
  ['a request to the IPC socket', `echo '${unlock}' | nc -U /data/geth.ipc`, ''],
  ['a console without an address', 'geth --exec "personal.listAccounts" console', ''],
  ['a comment', `# curl -d '${unlock}' http://127.0.0.1:8545`, ''],
])('calls over http and ws are found in %s', (_, text, expected) => {
  const found = callersIn(new LineIndex('run.sh', text));
  expect(found.map(({ method, over, port }) => `${method} ${over} ${port}`).join('\n')).toBe(expected);
});

async function fixesOf(files: Readonly<Record<string, string>>) {
  const own = mkdtempSync(join(folder, 'case-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  const { targets } = JSON.parse((await run(['node', 'lint', own, '--format', 'json'])).out) as Report;
  const findings = targets.flatMap((one) => one.findings.filter(({ rule }) => rule === 'privileged-module'));
  return findings.map(({ fix }) => fix.replaceAll(`${own}/`, ''));
}

const start = 'geth --http --http.addr 0.0.0.0 --http.api eth,personal';
const kept = 'List only eth in --http.api in the script.';

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'a call of the same script',
    { 'run.sh': `#!/bin/bash\n${start} &\ncurl -d '${unlock}' http://localhost:8545\n` },
    `${kept} run.sh:3 calls personal_unlockAccount, which then fails over http: use the IPC socket there.`,
  ],
  [
    'calls of other files',
    {
      'run.sh': `#!/bin/bash\n${start}\n`,
      'health.sh': `#!/bin/sh\ncurl -d '${unlock}' $URL\n`,
      'app.js': 'provider.send("personal_newAccount", [password]);\n',
    },
    `${kept} app.js:1 calls personal_newAccount, and 1 other call of such methods, which then fail over http: use the IPC socket there.`,
  ],
  [
    'no call of a module that is kept, of another port, or over ws',
    {
      'run.sh': `#!/bin/bash\n${start}\n`,
      'a.sh': `#!/bin/sh\ncurl -d '{"method":"eth_syncing"}' $URL\n`,
      'b.sh': `#!/bin/sh\ncurl -d '${unlock}' http://localhost:9545\n`,
      'c.sh': '#!/bin/sh\ngeth attach ws://localhost --exec "personal.listAccounts"\n',
    },
    kept,
  ],
])('a fix that drops a module names %s', async (_, files, expected) => {
  expect(await fixesOf(files)).toEqual([expected]);
});
