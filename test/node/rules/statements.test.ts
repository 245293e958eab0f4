/** What findings say, where it was once wrong: one row a statement. */

import { expect, test } from 'vitest';
import type { Launcher } from '../../../src/node/kinds/kaia/names.js';
import { exampleFacts } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

function judged(conf: string, launcher: Launcher = 'kend') {
  const network = launcher === 'kbnd' ? '' : 'NETWORK="mainnet"\n';
  const facts = exampleFacts({ conf: `${conf}\n${network}DATA_DIR=/srv/node\n`, launcher });
  return judgeTarget(facts, { failOn: 'high' }).findings;
}

/** `rule: message` for every finding. */
function told(conf: string, launcher?: Launcher): string[] {
  return judged(conf, launcher).map(({ rule, message }) => `${rule}: ${message}`);
}

test('an interface that ADDITIONAL switches on does not say that its list is empty', () => {
  const said = told('WS_ENABLE=0\nWS_API="klay,eth"\nADDITIONAL="--ws"').join('\n');
  expect(said).toContain('WS_API is not passed, because WS_ENABLE is off');
  expect(said).not.toContain('lists no module');
});

test.each([
  [
    'SC_MAIN_BRIDGE=0\nADDITIONAL="--mainbridge"',
    'the launcher does not pass the other SC_MAIN_BRIDGE_… variables',
  ],
  ['RPC_ENABLE=0\nADDITIONAL="--rpc"', 'the launcher does not pass the other RPC_… variables'],
  ['WS_ENABLE=0\nADDITIONAL="--ws"', 'the launcher does not pass the other WS_… variables'],
])('%j: settings that are not passed are named after their variables', (conf, expected) => {
  const said = told(conf).find((one) => one.startsWith('overriding-flag')) ?? '';
  expect(said.endsWith(`${expected}.`)).toBe(true);
});

test('--prometheus=false takes nothing back: the port stays open, and ADDITIONAL is not blamed', () => {
  const said = told('METRICS=1\nPROMETHEUS=1\nADDITIONAL="--prometheus=false"');
  expect(said.map((one) => one.split(':', 1)[0])).toEqual(['open-profiler']);
});

test('pprof on every address is one finding', () => {
  const said = told('ADDITIONAL="--pprof --pprofaddr 0.0.0.0"');
  expect(said.map((one) => one.split(':', 1)[0])).toEqual(['open-profiler']);
});

test.each(['RPC_ENABLE=1\nRPC_API="klay', 'if true; then', 'RPC_API=“klay”\r', 'RPC_ENABLE = 1'])(
  '%j: a malformed assignment is at most medium, as documented',
  (conf) => {
    const found = judged(conf).filter(({ rule }) => rule === 'malformed-assignment');
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['medium']));
  },
);

test.each([
  '# docker-compose users: see the wiki\nRPC_ENABLE=0',
  '# started by docker-compose\nRPC_ENABLE=0',
  'RPC_ENABLE=0\n# docker-compose reads .env beside it\nWS_ENABLE=0',
])('%j mentions docker-compose and is not a leftover of homi', (conf) => {
  expect(told(conf)).toEqual([]);
});

test('lines that homi appends are one finding', () => {
  expect(told('RPC_ENABLE=1\n# docker-compose\nRPC_ENABLE=0')[0]).toMatch(/^homi-leftover/);
});

test.each<[string, string, Launcher?]>([
  ['RPC_ENABLE=1\nRPC_API=klay\nWS_ENABLE=1\nWS_API=klay\nWS_PORT=8551', 'are both 8551'],
  ['RPC_ENABLE=1\nRPC_API=klay\nPORT=32323\nRPC_PORT=32323', '--rpcport and --port are both 32323'],
  ['RPC_ENABLE=1\nRPC_API=klay\nRPC_PORT=99999', '--rpcport 99999 is not a port'],
  ['RPC_ENABLE=1\nRPC_API=klay\nRPC_PORT=0', 'lets the system choose a port'],
  ['REWARDBASE="0x0"', '--rewardbase 0x0 is neither an address nor an index', 'kcnd'],
  ['RPC_ENABLE=1\nRPC_API=klay\nRPC_ADDR="::"', 'must be in brackets: [::]'],
  ['RPC_ENABLE=1\nRPC_API=klay\nRPC_ADDR="127.0.0.1:8551"', 'holds a port'],
  ['RPC_ENABLE=1\nRPC_API=klay\nRPC_ADDR=“127.0.0.1”', 'is not a host name'],
  ['ADDITIONAL="--rpcapi klay"', '--nodekey takes the next word', 'kbnd'],
])(
  '%j is a start that the node refuses, and nothing is said to listen before it is mended',
  (conf, expected, launcher) => {
    const said = told(conf, launcher);
    expect(said.filter((one) => one.includes(expected))).toHaveLength(1);
    for (const one of said.filter((one) => one.includes('public-bind')))
      expect(one).toContain('once it starts');
  },
);

test('repeated list flags are joined: neither overrides the other', () => {
  const twice = '--chaindatafetcher.kafka.brokers a:9092 --chaindatafetcher.kafka.brokers b:9092';
  expect(told(`ADDITIONAL="${twice}"`)).toEqual([]);
});
