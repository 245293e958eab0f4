/** Conditions of findings that hold in some worlds alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { seen } from '../../../src/node/facts/seen.js';
import { readConf } from '../editables.js';
import { run } from '../offline.js';
import { judgeTarget } from '../pipeline.js';

const text = `NETWORK=mainnet
DATA_DIR=/srv/kend
RPC_ENABLE=1
RPC_API="klay,eth"
if [ -f /etc/kaia/debug ]; then
  RPC_API="klay,admin"
else
  WS_ENABLE=1
  WS_API="klay,txpool"
fi
`;

test('a condition that cannot be evaluated offline is judged both ways, and its findings name it', () => {
  const conf = seen(readConf('kend.conf', Buffer.from(text)));
  const facts = { name: 'kend.conf', role: null, conf, live: null, gatheredAt: '2026-01-01T00:00:00.000Z' };
  const found = judgeTarget(facts, { failOn: 'high' }).findings.map(({ subject, message, at }) => [
    'line' in at ? at.line : 0,
    subject,
    message.split(':', 1)[0],
  ]);
  expect(found.sort()).toEqual([
    [6, expect.stringContaining('admin'), 'When [ -f /etc/kaia/debug ]'],
    [9, expect.stringContaining('txpool'), 'When not [ -f /etc/kaia/debug ]'],
  ]);
});

test('a conf without such a condition has no alternatives', () => {
  expect(readConf('kend.conf', Buffer.from('if true; then RPC_API=klay; fi\n')).alternatives).toBeUndefined();
});

test.each([
  ['if [ "$NET" = prod ]; then API=$(cat /run/api); fi\nexec ken --rpc --rpcapi $API', 'privileged-module'],
  ['[ -n "$CONF" ] && MORE="--conf $CONF"\nexec ken --rpc --rpcapi $API $MORE', 'public-bind'],
])('an interface opened under a condition leaves the node undetermined: %s', async (script, rule) => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-conditions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'start.sh'), `#!/bin/sh\nAPI=klay\nMORE=\n${script}\n`);
  const { code, out } = await run(['node', 'lint', '--format', 'json', join(folder, 'start.sh')]);
  const [target] = (JSON.parse(out) as Report).targets;
  expect(code).toBe(3);
  expect(target?.verdict).toBe('undetermined');
  expect(target?.checks).toContainEqual({ rule, verdict: 'undetermined' });
  expect(target?.undetermined).toContainEqual(
    expect.objectContaining({ rule, reason: expect.stringMatching(/when \[ .* \]: /) }),
  );
});
