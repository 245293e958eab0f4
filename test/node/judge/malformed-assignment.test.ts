import { expect, test } from 'vitest';
import { seen } from '../../../src/node/facts/seen.js';
import { malformedAssignment } from '../../../src/node/rules/malformed-assignment.js';
import { readConf } from '../../../src/node/sources/conf/conf.js';

test.each([
  ['RPC_ENABLE = 0', 'RPC_ENABLE="0"'],
  ['WS_ENABLE =1 # on', 'WS_ENABLE="1"'],
  ['RPC_API= "klay"', 'RPC_API="klay"'],
  ['RPC_API=klay, eth', 'RPC_API="klay,eth"'],
  ['RPC_API=klay;personal', 'RPC_API="klay,personal"'],
  ['rpc_port=1', 'RPC_PORT="1"'],
  ['RPC_ADDR = "$HOST"', 'RPC_ADDR="…"'],
])('%s is mended by %s', (line, fix) => {
  const conf = readConf('kend.conf', Buffer.from(`${line}\nNETWORK=mainnet\nDATA_DIR=/srv/kend\n`));
  const facts = {
    name: 'en-1',
    role: null,
    conf: seen(conf),
    live: null,
    gatheredAt: '2026-02-11T00:00:00.000Z',
  };
  expect(malformedAssignment.check(facts).findings.map((one) => one.fix)).toEqual([fix]);
});
