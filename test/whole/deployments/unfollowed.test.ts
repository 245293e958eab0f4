/** A node that a file starts is judged, or said not to be followed: it never looks like no node. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kaiactl } from '../../peers/run.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-unfollowed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lint(name: string, text: string) {
  const path = join(folder, name.replace(/\W/g, '_'));
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, name), text);
  return await kaiactl(['node', 'lint', path]);
}

const open = '--rpc --rpcapi admin --rpcaddr 0.0.0.0';
const conf = 'RPC_ENABLE=1\nRPC_API=admin\nRPC_ADDR=0.0.0.0\nWS_ENABLE=1\nWS_API=admin\n';
const block = (blanks: string) => conf.replace(/^(?=.)/gm, blanks);

test.each([
  ['inner.sh', `#!/bin/sh\nif [ -f /a ]; then if [ -f /b ]; then A="${open}"; fi; fi\nken $A\n`],
  [
    'both.sh',
    '#!/bin/sh\n[ -f /a ] && A="--rpc"\n[ -f /b ] && A="$A --rpcapi admin --rpcaddr 0.0.0.0"\nken $A\n',
  ],
  ['su.sh', `#!/bin/sh\nsu - kaia -c "ken ${open}"\n`],
  ['screen.sh', `#!/bin/sh\nscreen -dmS node ken ${open}\n`],
  ['docker.sh', `#!/bin/sh\ndocker run -p 8551:8551 kaiachain/kaia ken ${open}\n`],
  ['numa.sh', `#!/bin/sh\nnumactl -i all ken ${open}\n`],
  ['named.service', `[Service]\nExecStart=@/usr/bin/ken ken ${open}\n`],
])('%s is followed', async (name, text) => {
  const { code, stdout } = await lint(name, text);
  expect(stdout).toMatch(/^critical privileged-module/m);
  expect(code).toBe(1);
});

test('a container that stays beside the others of its pod is judged', async () => {
  const words = open.replaceAll(' ', ', ');
  const pod = `kind: Pod\nmetadata: {name: x}\nspec:\n  initContainers:\n  - {name: en, command: [ken, ${words}]}\n`;
  expect((await lint('pod.yaml', pod)).stdout).toMatch(/privileged-module/);
});

test('with more conditions than the limit nothing is certain', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `[ -f /a${at} ] && A="$A --ipcdisable"\n`).join('');
  const { code, stdout } = await lint('many.sh', `#!/bin/sh\n${lines}ken $A\n`);
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/tries: \[ -f \/a\d+ \] \(\S*many\.sh:\d+\)/);
});

test.each([
  ['/ADDITIONAL/d'],
  ['s/klay/admin/'],
  ['s/RPC_PORT=.*/RPC_PORT=1/;1d'],
  ['s/RPC_PORT=.*/RPC_PORT=1/w /tmp/x'],
  ['sxRPC_PORT=1xRPC_PORT=2x'],
  ['s/RPC_PORT=1/RPC_PORT=2'],
])('a conf that sed changes by %s may hold anything', async (script) => {
  const edits = (options: string) =>
    lint('sed.sh', `#!/bin/sh\nsed -i ${options} conf/kend.conf\nkend start\n`);
  for (const options of [`'${script}'`, `.bak '${script}'`, `-E -e '${script}'`, `--expression='${script}'`])
    expect([options, (await edits(options)).stdout]).toEqual([
      options,
      expect.stringMatching(/http: .*unknown|may set it/),
    ]);
  expect((await edits(`'${script}' other; sed -i -f more`)).stdout).toMatch(/may set it/);
});

test('a sed that only sets variables gives their values', async () => {
  const { stdout } = await lint(
    'sed.sh',
    `#!/bin/sh\nsed -i '' 's/RPC_API=.*/RPC_API=admin/g;s/RPC_PORT=1/RPC_PORT=2/;' /kaia-docker-pkg/conf/kend.conf\nkend start\n`,
  );
  expect(stdout).toMatch(/privileged-module/);
  expect(stdout).not.toMatch(/may set it/);
});

test.each([
  [
    'variable.sh',
    `#!/bin/sh\n"$KEN" ${open} # a ken\n`,
    /variable.sh:2:\d+ undetermined unfollowed-start --\w+ seems to open an interface/,
    3,
  ],
  [
    'secret.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData:\n  kend.conf: |\n${block('    ')}`,
    /secret.yaml:\d+:\d+ undetermined unfollowed-start .*nothing that is read uses it/,
    3,
  ],
  [
    'values.yaml',
    `config:\n  kend.conf: |\n${block('    ')}`,
    /values.yaml:\d+:\d+ undetermined unfollowed-start .*Pass the output of helm template/,
    3,
  ],
  [
    'play.yml',
    `- hosts: all\n  tasks:\n  - copy:\n      content: |\n${block('        ')}`,
    /play.yml:\d+:\d+ undetermined unfollowed-start .*nothing that is read uses it/,
    3,
  ],
  ['none.sh', '#!/bin/sh\n# for kaia\necho\n', /no file holds a node’s settings/, 2],
])('%s is not called clean', async (name, text, said, expected) => {
  const { code, stdout, stderr } = await lint(name, text);
  expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(said);
  expect(code).toBe(expected);
});

test('an empty path is not read as the current folder', async () => {
  const { code, stderr } = await kaiactl(['node', 'lint', '']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('a path is empty')]);
});

test('a function that replaces a command of the launcher makes all settings indeterminate', async () => {
  const text = 'NETWORK=mainnet\nDATA_DIR=/d\ntr() { echo admin; }\nRPC_ENABLE=1\nRPC_API=klay\n';
  expect((await lint('kend.conf', text)).code).toBe(3);
});

test.each([
  ['[a]\nrpc=http://127.0.0.1:1\n[a]\nrpc=http://127.0.0.1:2\n', /:3: \[a\] appears twice/],
  ['[a]\nrpc=http://127.0.0.1:1\nrpc = http://127.0.0.1:2\n', /:3: rpc of \[a\] appears twice/],
])('no node of an inventory is dropped: %j', async (text, said) => {
  const path = join(folder, 'fleet.ini');
  writeFileSync(path, text);
  const { code, stderr } = await kaiactl(['node', 'audit', '--inventory', path]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
});

test('a container of a node’s image with words that are not known may start a node', async () => {
  const { code, stdout } = await lint('run.sh', '#!/bin/sh\ndocker run --rm ethereum/client-go $@\n');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    '$@, which is not known, decides what the image ethereum/client-go runs',
  );
  expect(code).toBe(3);
});
