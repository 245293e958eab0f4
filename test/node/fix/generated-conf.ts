/** Confs with settings that rules have something to say about. */
import { line } from '../sources/generator.js';
import type { Random } from '../sources/random.js';

const lists = [
  'klay',
  'klay,eth,net',
  'klay,debug',
  'eth,admin,personal',
  'klay,ETH',
  'miner,klay',
  '',
  'klay, txpool',
  'db',
];
const flags = [
  '--rpcapi klay,debug',
  '--rpcaddr 0.0.0.0',
  '--rpc',
  '--ws',
  '--wsorigins *',
  '--rpcvhosts=*',
  '--no.such',
  '--txpool.nolocals',
  '--http-rpc.api klay',
  '--pprof',
  '--rpcapi klay --rpcapi eth',
  '--rpc.unsafe-debug.disable',
];

/** Lines that rules have something to say about, and now and then any line at all. */
function setting(random: Random): string {
  const quoted = (value: string) => (random.chance(0.7) || /[ *]/.test(value) ? `"${value}"` : value);
  const ends = random.chance(0.2) ? ' # note' : '';
  return random.weighted<() => string>([
    [3, () => `RPC_ENABLE=${random.pick(['1', '1', '0', 'true', '"1"'])}`],
    [2, () => `WS_ENABLE=${random.pick(['1', '0', 'yes'])}`],
    [3, () => `${random.pick(['RPC_API', 'WS_API'])}=${quoted(random.pick(lists))}${ends}`],
    [
      2,
      () =>
        `${random.pick(['RPC_ADDR', 'WS_ADDR'])}=${quoted(random.pick(['0.0.0.0', '127.0.0.1', '10.0.0.4', '::']))}`,
    ],
    [
      2,
      () =>
        `${random.pick(['RPC_CORSDOMAIN', 'RPC_VHOSTS', 'WS_ORIGINS'])}=${quoted(random.pick(['*', 'a,b', '*,a', 'a, b', '']))}${ends}`,
    ],
    [
      2,
      () =>
        `ADDITIONAL=${random.chance(0.3) ? '"$ADDITIONAL ' : '"'}${[random.pick(flags), random.pick(flags)].join(' ')}"`,
    ],
    [1, () => `METRICS=1\nPROMETHEUS=1`],
    [
      2,
      () =>
        random.pick([
          'LOG_MAXBACKUPS=3',
          'MAIN_BRIDGE=1',
          'TXPOOL_LIFE_TIME=5m',
          'SC_SUB_BRIDGE=1',
          'REWARDBASE=""',
          'REWARDBASE=0x0000000000000000000000000000000000000001',
          'GCMODE=archive',
          'NETWORK_ID=5',
          'PORT=1',
          '# docker-compose',
          'ADDITIONAL=""',
        ]),
    ],
    [
      1,
      () =>
        random.pick([
          '# kaiactl-ignore public-bind reason="firewall"',
          'SC_MAIN_BRIDGE=1',
          '',
          '# a comment',
        ]),
    ],
    [1, () => line(random, 0)],
  ])();
}

/** One conf; now and then with the line ends of Windows, a byte order mark, or no last line end. */
export function generatedConf(random: Random): Buffer {
  const lines = Array.from({ length: 3 + random.below(12) }, () => setting(random));
  lines.splice(random.below(lines.length), 0, 'NETWORK="mainnet"', 'DATA_DIR=/srv/kend');
  let text = lines.join('\n');
  if (random.chance(0.03)) text = text.replaceAll('\n', '\r\n');
  if (random.chance(0.8)) text += '\n';
  return Buffer.from(random.chance(0.03) ? `\uFEFF${text}` : text);
}
