/** What the release of a running program proves of the file that starts it. */
import { expect, test } from 'vitest';
import type { BuildFacts } from '../../../../src/node/facts/live.js';
import { notSeen, type Seen, seen } from '../../../../src/node/facts/seen.js';
import { processOfExample, quietEndpoint } from '../../../../src/node/judge/rule/examples.js';
import { readConf } from '../../editables.js';
import { judgeTarget } from '../../pipeline.js';

const module = 'github.com/kaiachain/kaia';
const built = { path: `${module}/cmd/ken`, module, version: '(devel)', tag: 'v2.2.1' };
const text = 'NETWORK=mainnet\nDATA_DIR=/srv/kend\nRPC_ENABLE=0\nRPC_NEW=1\nADDITIONAL="--brand-new"\n';

function messages(build: Seen<BuildFacts>): string[] {
  const live = {
    endpoints: [{ ...quietEndpoint, client: notSeen('not-asked', 'not asked') }],
    metrics: [],
    sockets: [],
    ...processOfExample({ build }),
  };
  const conf = seen(readConf('kend.conf', Buffer.from(text)));
  const facts = { name: 'en-1', role: null, conf, live, gatheredAt: '2026-02-11T00:00:00.000Z' };
  const { findings } = judgeTarget(facts, { failOn: 'critical' });
  return findings
    .filter(({ rule }) => rule === 'unknown-flag' || rule === 'unknown-setting')
    .map(({ message }) => message);
}

test('an unknown flag may be known to another release unless the program proves its release', () => {
  const open = messages(notSeen('not-permitted', 'permission denied'));
  expect(open).toHaveLength(2);
  expect(open.every((message) => message.includes('another release may'))).toBe(true);
  const proven = messages(seen(built));
  expect(proven).toHaveLength(2);
  expect(proven.filter((message) => message.includes('another release may'))).toEqual([]);
  expect(proven.every((message) => message.includes('kaia v2.2.1'))).toBe(true);
});
