/** The command line from a conf is the one that the launcher itself prints. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Launcher, launchers, type Package, packages } from '../../../../src/node/kinds/kaia/names.js';
import type { ReadConf } from '../../../../src/node/sources/conf/text.js';
import { seed } from '../../../seed.js';
import { readConf } from '../../editables.js';
import { everything } from '../everything.js';
import { printed, publishedSteps } from '../launcher-oracle.js';
import { hasBash } from '../oracle.js';
import { Random } from '../random.js';

const steps = publishedSteps();
const bash = hasBash();
if (steps === null || !bash) {
  process.stderr.write('SKIPPED: without the published steps and bash, launchers are not replayed by bash\n');
}

function facts(name: string, conf: string, env?: Readonly<Record<string, string>>): ReadConf {
  const [launcher, from] = name.split('/') as [Launcher, Package];
  return readConf('some.conf', Buffer.from(conf), { launcher, package: from, env, nodeVersion: 'v2.2.1' });
}

/** The command line, or null when the launcher refuses to start. */
function argv(name: string, conf: string, env?: Readonly<Record<string, string>>): (string | null)[] | null {
  const { start, problems } = facts(name, conf, env).settings;
  const refused = problems.some(
    ({ kind, fatal }) => fatal && /^(?:data-dir-missing|launcher-refuses)$/.test(kind),
  );
  return refused ? null : (start ?? []).map(({ text }) => text);
}

const http = '--rpc --rpcapi klay';
const tail = '--mainnet --datadir /d';

/** What is written, and the words between --rpc and the network. */
const rows: readonly (readonly [string, string])[] = [
  ['RPC_ENABLE=1', '--rpc'],
  ...['01', '0x1', '"1 "', '1+0', '$((2-1))', 'WS_ONE', '"1"', '2-1'].map((one): [string, string] => [
    `WS_ONE=1\nRPC_ENABLE=${one}`,
    '--rpc',
  ]),
  ...['0', '', 'true', 'yes', 'on', '2', '1.0', '08', '1#c', "$'1\\r'", '"1 1"', 'NOWHERE'].map(
    (zero): [string, string] => [`RPC_ENABLE=${zero}\nRPC_API=klay`, ''],
  ),
  ['RPC_ENABLE=1\nRPC_API="klay, eth\n,net"', '--rpc --rpcapi klay,eth,net'],
  ["RPC_ENABLE=1\nRPC_API=$'klay\\r'", http],
  ['RPC_ENABLE=1\nRPC_API="  "', '--rpc'],
  ['RPC_ENABLE=1\nRPC_API="-n klay"', http],
  ['RPC_ENABLE=1\nRPC_API="-n"', '--rpc'],
  ['RPC_ENABLE=1\nRPC_VHOSTS="a, b"', '--rpc'],
  ['RPC_ENABLE=1\nRPC_VHOSTS="a "', '--rpc --rpcvhosts a'],
  ['RPC_ENABLE=1\nRPC_CORSDOMAIN="a, b"', '--rpc'],
  ['RPC_ENABLE=1\nRPC_CORSDOMAIN="*"', '--rpc --rpccorsdomain *'],
  ['RPC_ENABLE=1\nRPC_ADDR="x y"', '--rpc'],
  ['RPC_ENABLE=1\nRPC_PORT="8551 -o x"', '--rpc --rpcport 8551 -o x'],
  ['RPC_ENABLE=1\nRPC_PORT="= ="', '--rpc --rpcport = ='],
  ['RPC_ENABLE=1\nRPC_PORT="a = b"', '--rpc'],
  ['WS_ENABLE=1\nWS_ORIGINS="http://a, http://b"', '--ws'],
  ['WS_ENABLE=1\nWS_API="eth, net"\nWS_PORT=1', '--ws --wsapi eth,net --wsport 1'],
  ['RPC_ENABLE = 1\nRPC_API=klay', ''],
  ['RPC_ENABLE=1\nRPC_API = "klay"', '--rpc'],
  ['RPC_ENABLE=1\nRPC_API= "klay"', '--rpc'],
  ['RPC_ENABLE=1\nRPC_API=klay, eth', '--rpc'],
  ['RPC_ENABLE=1\nRPC_API=klay;personal', http],
  ['RPC_ENABLE=1\nRPC_API="klay;eth"', '--rpc --rpcapi klay;eth'],
  ['RPC_ENABLE=1\nRPC_API=klay\nRPC_API+=",personal"', '--rpc --rpcapi klay,personal'],
  ['RPC_ENABLE=1\nRPC_API=x\nRPC_API=klay', http],
  ['RPC_ENABLE=1\r\nRPC_API=klay', ''],
  ['RPC_ENABLE=1\nRPC_PORT=9000\r', '--rpc --rpcport 9000\r'],
  ['\uFEFFRPC_ENABLE=1\nRPC_API=klay', ''],
  ['rpc_enable=1', ''],
  ['if true; then RPC_ENABLE=1; fi\nexport RPC_API=klay', http],
  ['RPC_ENABLE=1\nRPC_API=klay\nunset RPC_API', '--rpc'],
  ['RPC_ENABLE=1\nX=klay\nRPC_API=$X', http],
  ['RPC_ENABLE=1\nRPC_API=kl\\\nay', http],
];

describe('kend (tar): settings and the command line that the launcher prints', () => {
  test.each(rows)('%j', (conf, words) => {
    const expected = [...words.split(' '), ...tail.split(' ')].filter((word) => word !== '');
    expect(argv('kend/tar', `NETWORK=mainnet\nDATA_DIR=/d\n${conf}\n`)).toEqual(expected);
  });

  test.skipIf(steps === null || !bash)('bash yields the same for every row', () => {
    const cases = rows.map(([conf]) => ({
      name: 'kend/tar',
      conf: `NETWORK=mainnet\nDATA_DIR=/d\n${conf}\n`,
    }));
    const found = printed(cases, steps ?? {});
    expect(found).toEqual(rows.map(([conf]) => argv('kend/tar', `NETWORK=mainnet\nDATA_DIR=/d\n${conf}\n`)));
  });
});

test.each(Object.entries(everything))('%s passes every variable at once', (name, words) => {
  expect(argv(name, everythingConf(name))?.join(' ')).toBe(words);
});

test('every launcher of both packages has its row', () => {
  const all = launchers.flatMap((launcher) => packages.map((from) => `${launcher}/${from}`));
  expect(Object.keys(everything).sort()).toEqual(all.sort());
});

/** Each variable set to its own name in lower case; switches to 1. */
function everythingConf(name: string): string {
  const { reads, switches } = facts(name, '').shell;
  const lines = reads.map((variable) => `${variable}=${variable in switches ? '1' : variable.toLowerCase()}`);
  return lines.join('\n');
}

describe('starting', () => {
  test.each([
    ['kend/tar', 'NETWORK=mainnet', null],
    ['kend/tar', 'NETWORK=mainnet\nDATA_DIR=" "', null],
    ['kend/tar', 'DATA_DIR=/d', null],
    ['kend/tar', 'DATA_DIR=/d\nNETWORK=testnet', null],
    ['kend/rpm', 'NETWORK=baobab', '--kairos'],
    ['kend/tar', 'DATA_DIR=/d\nNETWORK=kairos\nNETWORK_ID=9', '--networkid 9 --datadir /d'],
    ['kscnd/tar', 'DATA_DIR=/d', '--nodiscover --datadir /d'],
    ['kspnd/tar', 'DATA_DIR=/d', null],
    ['ksend/rpm', 'NETWORK_ID=1', '--networkid 1'],
    ['kbnd/tar', '', '--nodekey'],
    ['kscnd/tar', 'DATA_DIR=/d\nSC_SUB_BRIDGE=1\nSC_KAS_ANCHOR=1', null],
    ['kscnd/tar', 'DATA_DIR=/d\nSC_MAIN_BRIDGE=1', '--nodiscover --datadir /d --mainbridge --mainbridgeport'],
  ])('%s %j', (name, conf, words) => {
    expect(argv(name, conf)?.join(' ') ?? null).toBe(words);
  });

  test('variables that the conf lacks come from the given environment', () => {
    const conf = 'NETWORK=mainnet\nDATA_DIR=/d\nRPC_ENABLE=1\n';
    expect(argv('kend/tar', conf, { RPC_API: 'personal' })?.join(' ')).toBe(
      `--rpc --rpcapi personal ${tail}`,
    );
    expect(argv('kend/tar', `${conf}RPC_API=\n`, { RPC_API: 'personal' })?.join(' ')).toBe(`--rpc ${tail}`);
  });
});

const switchValues = [
  '1',
  '0',
  '',
  '01',
  '0x1',
  '"1 "',
  '1+0',
  'true',
  '08',
  '1.0',
  'METRICS',
  "$'1\\r'",
  '1#c',
  '"PORT=1"',
  '"1 0"',
  'X',
];
const wordValues = [
  '8551',
  '0.0.0.0',
  '"*"',
  '',
  '"a, b"',
  '"x y z"',
  '"a "',
  '" a"',
  '"8551 -o x"',
  '"= ="',
  '"-a x"',
  '"! x"',
  '"( )"',
  '"a -a b"',
  '"-n klay"',
  '"-ne klay"',
  '"-E"',
  "$'a\\tb'",
  "$'a\\nb'",
  "$'a\\vb'",
  '"a\u00a0b"',
  '!',
  '-z',
  '"-z x"',
  '"= b -o x"',
  '"a = b c"',
  '"x -a ! -z"',
  '"-eq 1"',
  '"1 -eq 1"',
  'klay,eth',
  '"klay, eth"',
  '"a=b"',
  '\'"q"\'',
];
const additional = [
  '',
  '"--rpcapi klay,debug --ws"',
  '"--x\n--y  \t--z"',
  `'--rpcapi "klay, personal"'`,
  '"*"',
  '"[a-z] ?"',
];

/** A random conf for one launcher, of the variables it reads and a few it does not. */
function randomCase(random: Random): { name: string; conf: string; env: Record<string, string> } {
  const name = `${random.pick(launchers)}/${random.pick(packages)}`;
  const { reads, switches } = facts(name, '').shell;
  const lines = [...reads, 'LOG_MAXBACKUPS', 'X', 'VTRECOVERY'].flatMap((variable) => {
    if (random.chance(0.35)) return [];
    if (variable in switches) return `${variable}=${random.chance(0.5) ? '1' : random.pick(switchValues)}`;
    if (variable === 'ADDITIONAL') return `${variable}=${random.pick(additional)}`;
    if (variable === 'NETWORK')
      return `${variable}=${random.pick(['mainnet', 'kairos', 'baobab', 'cypress', 'x', ''])}`;
    if (variable === 'NETWORK_ID') return `${variable}=${random.pick(['', '', '3000', '"1 2"'])}`;
    // No folder's name holds a control character; the published steps do not look.
    const anywhere = wordValues.filter((value) => !value.includes('\\v'));
    if (variable === 'DATA_DIR') return `${variable}=${random.chance(0.9) ? '/d' : random.pick(anywhere)}`;
    return `${variable}=${random.chance(0.4) ? '1' : random.pick(wordValues)}`;
  });
  const env = random.chance(0.2) ? { RPC_API: 'personal, x', RPC_ENABLE: '1', KAIA_RPC: '1' } : {};
  return { name, conf: `${lines.join('\n')}\n`, env: env as Record<string, string> };
}

const count = Number(process.env.KAIACTL_TEST_BASH_CONFS ?? 60);

test.skipIf(steps === null || !bash)(
  `${count} random confs for random launchers: the words bash prints`,
  { timeout: 900_000 },
  () => {
    const wrong: string[] = [];
    let words = 0;
    let unknown = 0;
    for (let from = 0; from < count && wrong.length < 5; from += 500) {
      const size = Math.min(500, count - from);
      const cases = Array.from({ length: size }, (_, at) =>
        randomCase(new Random(seed * 77_000_003 + from + at)),
      );
      const found = printed(cases, steps ?? {});
      expect(found.length).toBe(size);
      for (const [at, { name, conf, env }] of cases.entries()) {
        const ours = argv(name, conf, env);
        words += ours?.length ?? 0;
        unknown += ours?.filter((word) => word === null).length ?? 0;
        if (!sameWords(ours, found[at] ?? null)) {
          wrong.push(`${name}\n${conf}\nbash ${found[at]?.join(' ')}\nours ${ours?.join(' ')}`);
        }
      }
    }
    expect(wrong.slice(0, 5).join('\n\n')).toBe('');
    expect(words).toBeGreaterThan(count);
    expect(unknown / words).toBeLessThan(0.01);
  },
);

/** An unknown word stands for any number of words. */
function sameWords(ours: readonly (string | null)[] | null, theirs: readonly string[] | null): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  if (!ours.includes(null))
    return ours.length === theirs.length && ours.every((word, at) => word === theirs[at]);
  let at = 0;
  return ours.every((word) => {
    if (word === null) return true;
    at = theirs.indexOf(word, at) + 1;
    return at > 0;
  });
}

const real = new URL('../../../../../shared/real-confs/', import.meta.url);
const present = existsSync(real);
if (!present) process.stderr.write('SKIPPED: the confs as packaged are not at hand\n');

describe.skipIf(!present)('the confs as packaged', () => {
  test.each(['kcnd', 'kend', 'kscnd'])('%s.conf', (launcher) => {
    const text = present ? readFileSync(new URL(`${launcher}.conf`, real)) : Buffer.alloc(0);
    const conf = readConf(`${launcher}.conf`, text);
    expect(conf.settings).toMatchObject({ launcher, by: 'name', package: 'tar', packageBy: 'guess' });
    const reward = launcher === 'kcnd' ? ['bad-value'] : []; // REWARDBASE="0x0"
    expect(conf.settings.problems.map(({ kind }) => kind)).toEqual(['data-dir-missing', ...reward]);
    expect([conf.shell.syntaxIssues, conf.shell.indeterminate]).toEqual([[], []]);
    const on = conf.settings.listeners.filter(({ state }) => state === 'on').map(({ kind }) => kind);
    const served = launcher === 'kcnd' ? [] : ['http', 'ws'];
    expect(on).toEqual([...served, 'metrics', 'ipc']);
    if (steps !== null && bash) {
      const whole = `${text}DATA_DIR=/d\n`;
      const [found] = printed([{ name: `${launcher}/tar`, conf: whole }], steps);
      expect(argv(`${launcher}/tar`, whole)).toEqual(found);
    }
  });
});
