import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { homi } from '../../../../src/node/kinds/kaia/homi.js';

/** The services of the file that a command writes, with image and ports. */
function services(words: string): [path: string, services: string[]] | null {
  const written = homi.output(words.split(' '));
  if (written === null) return null;
  const { services: all } = parse(written.text) as {
    services: Record<string, { image: string; ports: string[] }> | null;
  };
  const told = Object.entries(all ?? {}).map(
    ([name, { image, ports }]) => `${name} ${image} ${ports.join(' ')}`,
  );
  return [written.path, told];
}
const image = 'kaiachain/kaia:latest';

test.each<[string, ReturnType<typeof services>]>([
  ['setup', ['homi-output/docker-compose.yml', []]],
  ['setup local --cn-num 1', null],
  ['setup docker local --cn-num 1', null],
  [
    'setup local docker --cn-num 1 -o out',
    ['out/docker-compose.yml', [`CN-0 ${image} 8551:8551 61001:61001`]],
  ],
  ['gen --cn-num 1', null],
  [
    'setup --cn-num=2 -en-num 1 --output a --docker-image-id my:1',
    [
      'a/docker-compose.yml',
      [
        'CN-0 my:1 8551:8551 61001:61001',
        'CN-1 my:1 8552:8551 61002:61001',
        'EN-0 my:1 8553:8551 61003:61001',
      ],
    ],
  ],
  ['setup --pn-num $N', ['homi-output/docker-compose.yml', [`PN-0 ${image} 8551:8551 61001:61001`]]],
  [
    'setup --pn-num 0 --scn-num 12345',
    ['homi-output/docker-compose.yml', [`SCN-0 ${image} 8551:8551 61001:61001`]],
  ],
  ['setup --xcn-num 3 --cn-num', ['homi-output/docker-compose.yml', []]],
])('homi %s writes %j', (words, expected) => {
  expect(services(words)).toEqual(expected);
});

test('at most 50 nodes are written', () => {
  expect(services('setup --cn-num 40 --en-num 40')?.[1]).toHaveLength(50);
});

test('nodes differ by their type, and the first endpoint node is a main bridge', () => {
  const { text = '' } = homi.output('setup --cn-num 1 --en-num 2'.split(' ')) ?? {};
  const scripts = text
    .split(/^ {2}[A-Z]+-\d:$/m)
    .slice(1)
    .map((one) => one.slice(one.indexOf('- |') + 4));
  const lines = (launcher: string, own: readonly string[], after: readonly string[] = []) => {
    const conf = `/klaytn-docker-pkg/conf/${launcher}.conf`;
    const all = [
      'NETWORK=""',
      'DATA_DIR="/klaytn"',
      'RPC_ENABLE=1',
      'RPC_API="db,eth,klay,net,governance,web3,miner,personal,txpool,debug,admin,istanbul,mainbridge,subbridge"',
      'NETWORK_ID="2018"',
      'NO_DISCOVER=1',
      ...own,
      'ADDITIONAL="$$ADDITIONAL --debug --metrics --prometheus"',
    ].map((line) => `echo '${line}' >> ${conf}`);
    return [...all, `/klaytn-docker-pkg/bin/${launcher} start`, ...after]
      .map((line) => `        ${line}\n`)
      .join('');
  };
  expect(scripts).toEqual([
    lines(
      'kcnd',
      [`REWARDBASE=${'0'.repeat(40)}`],
      [`ken attach --exec "personal.unlockAccount('0x0', '', 999999999)" http://localhost:8551`],
    ),
    lines('kend', ['SC_MAIN_BRIDGE=1', 'SC_MAIN_BRIDGE_PORT=50505']),
    lines('kend', []),
  ]);
});

test.each([
  ['homi setup docker', true],
  ['cd x && homi  setup', true],
  ['# homi setup', false],
  ['homi setupx', false],
])('%j is a command of homi: %s', (text, expected) => {
  expect(homi.command.test(text)).toBe(expected);
});
