/** A service that extends one which is not read: what it says itself counts, and the rest is undetermined. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../offline.js';

const node = '  en: {image: "kaiachain/kaia:v2.0.3", command: ken --rpc --rpcapi eth}\n';
const command = '    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ["8545:8545"]\n';

async function lint(services: string, ...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-extends-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'compose.yaml'), `services:\n${services}`);
  return await run(['node', 'lint', 'compose.yaml', '--format', 'concise', ...options], { cwd: folder });
}

test.each([
  ['{file: nope.yaml, service: geth}', 'nope.yaml is not read: there is no such file'],
  ['{file: ../../../etc/passwd, service: geth}', '(--follow-outside reads it)'],
  ['{service: missing}', 'compose.yaml has no service missing'],
])('the command of a service that extends %s is judged, and the rest is undetermined', async (base, why) => {
  for (const others of [node, '']) {
    const { code, out } = await lint(`${others}  node:\n    extends: ${base}\n${command}`, '--skip-foreign');
    expect(code).toBe(1);
    expect(out).toMatch(/critical privileged-module http offers admin/);
    expect(out).toContain(`undetermined privileged-module ws: extends: `);
    expect(out).toContain(why);
  }
});

test('a service of which nothing else is known is an open question beside a node', async () => {
  const service = '  geth:\n    extends: {file: nope.yaml, service: geth}\n';
  const { code, out } = await lint(node + service);
  expect([code, out]).toEqual([
    3,
    expect.stringMatching(/^compose.yaml:4:\d+ undetermined unfollowed-start .*nope.yaml is not read/),
  ]);
  const database = '  db: {image: postgres, extends: {file: nope.yaml, service: db}}\n';
  expect((await lint(node + database)).code).toBe(0);
});
