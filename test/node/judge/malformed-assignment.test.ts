import { expect, test } from 'vitest';
import { judgeTarget } from '../../../src/node/pipeline.js';
import { readConf } from '../../../src/node/sources/conf/conf.js';
import { factsOf } from './facts.js';

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
  const { findings } = judgeTarget(factsOf(conf), { failOn: 'high' });
  expect(findings.filter(({ rule }) => rule === 'malformed-assignment').map((one) => one.fix)).toEqual([fix]);
});
