/** Which endpoints a conf stands for. */

import { expect, test } from 'vitest';
import { endpointName } from '../../../src/jsonrpc/endpoint.js';
import { portHop } from '../../../src/node/facts/reach.js';
import type { Settings } from '../../../src/node/facts/settings.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { withKind } from '../../../src/node/kinds/node.js';
import { confEndpoints, confMetrics } from '../../../src/node/probe/target.js';
import { readConf } from '../editables.js';

function settingsOf(...lines: string[]) {
  const text = `NETWORK=mainnet\nDATA_DIR=/var/kend/data\nLOG_DIR=/x\n${lines.join('\n')}\n`;
  return readConf('kend.conf', Buffer.from(text), { launcher: 'kend', package: 'tar' }).settings;
}

function accessTo(conf: Settings): string[] {
  const settings = withKind(kinds, conf);
  return [
    ...confEndpoints(settings).map(({ address }) => endpointName(address.endpoint)),
    ...confMetrics(settings).map(({ url }) => url),
  ];
}

const closed = [
  'http://127.0.0.1:8551',
  'ws://127.0.0.1:8552',
  'ipc:/var/kend/data/klay.ipc',
  'http://127.0.0.1:61001',
];

test.each<[string[], string[]]>([
  [[], closed],
  [
    ['RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0', 'RPC_PORT=9000'],
    ['http://127.0.0.1:9000', ...closed.slice(1)],
  ],
  [
    ['RPC_ENABLE=1', 'RPC_ADDR=10.1.2.3'],
    ['http://10.1.2.3:8551', ...closed.slice(1)],
  ],
  [
    ['RPC_ENABLE=1', 'RPC_ADDR=[::]'],
    ['http://[::1]:8551', ...closed.slice(1)],
  ],
  [
    ['RPC_ENABLE=1', 'RPC_ADDR=localhost'],
    ['http://localhost:8551', ...closed.slice(1)],
  ],
  // Off: where it would listen, for a node that was not restarted still does.
  [
    ['WS_ENABLE=0', 'WS_PORT=9001'],
    ['http://127.0.0.1:8551', 'ws://127.0.0.1:9001', ...closed.slice(2)],
  ],
  [['RPC_ENABLE=0', 'RPC_PORT=99999'], closed.slice(1)],
  [['RPC_ENABLE=0', 'RPC_PORT=x9001'], closed],
  [
    ['WS_ENABLE=0', 'WS_ADDR=10.1.2.3'],
    [closed[0] ?? '', 'ws://10.1.2.3:8552', ...closed.slice(2)],
  ],
  [['ADDITIONAL="--ipcdisable --prometheusport 7000"'], [...closed.slice(0, 2), 'http://127.0.0.1:7000']],
  [['ADDITIONAL="--pprof --pprofport 61001"'], closed],
  [['METRICS=1', 'PROMETHEUS=1', 'ADDITIONAL="--pprof --pprofport 61001"'], closed],
  [
    ['METRICS=1', 'PROMETHEUS=1', 'ADDITIONAL="--pprof --pprofport 61001 --pprofaddr 10.1.2.3"'],
    [...closed, 'http://10.1.2.3:61001'],
  ],
  [['ADDITIONAL="--pprof"'], [...closed, 'http://127.0.0.1:6060']],
])('%j', (lines, endpoints) => {
  expect(accessTo(settingsOf(...lines))).toEqual(endpoints);
});

test('in a container: where its ports are published, and no socket of its file system', () => {
  const conf = settingsOf('RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0', 'WS_ENABLE=0', 'PROMETHEUS=1');
  const at = { file: 'compose.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const own = { to: 8551, at, because: 'ports publishes it', instead: null };
  const inside = (published: { host: string; port: number | null } | null): Settings => ({
    ...conf,
    listeners: conf.listeners.map((one) => ({
      ...one,
      container: { network: 'others' },
      hops: published === null ? [] : [portHop({ ...own, ...published })],
    })),
  });
  expect(accessTo(inside(null))).toEqual([]);
  expect(accessTo(inside({ host: '127.0.0.1', port: null }))).toEqual([]);
  const published = ['http://127.0.0.1:18551', 'ws://127.0.0.1:18551', 'http://127.0.0.1:18551'];
  expect(accessTo(inside({ host: '0.0.0.0', port: 18_551 }))).toEqual(published);
});
