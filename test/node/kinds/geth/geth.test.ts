/** geth and its forks: what their settings open, which of them a text starts, and what is said of it. */
import { describe, expect, test } from 'vitest';
import { interfaceName, type Report, type TargetReport } from '../../../../src/node/facts/report.js';
import type { Listener } from '../../../../src/node/facts/settings.js';
import { starterOfProcess } from '../../../../src/node/kinds/find.js';
import { bsc, geth, opGeth } from '../../../../src/node/kinds/geth/index.js';
import { kinds } from '../../../../src/node/kinds/index.js';
import { kaia } from '../../../../src/node/kinds/kaia/index.js';
import { settingsOfWords } from '../../../../src/node/sources/argv/node.js';
import { run } from '../../offline.js';
import { gethSettings } from '../../sources/geth.js';

async function lint(command: string, ...options: string[]): Promise<TargetReport> {
  const argv = ['node', 'lint', '--command-line', command, '--format', 'json', ...options];
  const { out, err } = await run(argv);
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as Report).targets[0] as TargetReport;
}

const found = ({ findings }: TargetReport) => findings.map(({ rule, subject }) => `${rule} ${subject}`);

describe('an empty list of modules', () => {
  const { sure } = geth.modules.existing('geth', geth.flags.of('geth').defaults);

  test.each([[['']], [['', '']], [[]]])('%j offers every module of geth, and rpc alone of Kaia', (list) => {
    expect(geth.modules.offered({ sure, maybe: [] }, list)).toEqual(sure);
    expect(sure).toEqual(['admin', 'debug', 'eth', 'miner', 'net', 'rpc', 'testing', 'txpool', 'web3']);
    expect(kaia.modules.offered({ sure, maybe: [] }, list)).toEqual(['rpc']);
  });

  test('is not a list of unknown names, which offers rpc alone', () => {
    expect(geth.modules.offered({ sure, maybe: [] }, ['ETH', 'parity'])).toEqual(['rpc']);
  });

  test('is not the built-in list, which applies where none is given', () => {
    expect(geth.modules.offered({ sure, maybe: [] }, null)).toEqual(['eth', 'net', 'rpc', 'web3']);
  });

  test.each([
    ["geth --http --http.api ''", []],
    ['geth --http --http.api=,', []],
    ['geth --http', ['--env', 'GETH_HTTP_API=']],
  ])('is critical in %s', async (command, options) => {
    const target = await lint(`${command} --http.addr 0.0.0.0`, ...options);
    const said = [
      'everything-offered http 0.0.0.0',
      'privileged-module http admin',
      'privileged-module http debug',
    ];
    expect(found(target)).toEqual(expect.arrayContaining(said));
  });

  test.each([
    ['v1.10.26', '', true],
    ['v1.10.19', '', false],
    ['v1.11.0', '', true],
    ['v1.14.11', '', true],
    ['v1.14.12', '--rpc.enabledeprecatedpersonal', false],
    ['v1.15.0', '--rpc.enabledeprecatedpersonal', false],
  ])('offers personal at %s with “%s”: %s', async (version, flag, isOffered) => {
    const target = await lint(`geth --http --http.api= ${flag}`, '--node-version', version);
    expect(found(target).includes('privileged-module http personal')).toBe(isOffered);
  });

  test('offers personal in the releases that have it, where the release is not known', async () => {
    const { findings } = await lint('geth --http --http.api=');
    const { message } = findings.find(({ subject }) => subject === 'http personal') ?? {};
    expect(message).toMatch(/^In releases geth v1\.10\.20 to v1\.14\.11: /);
  });

  test('of the forks offers their own modules too', () => {
    const everything = (kind: typeof geth) =>
      kind.modules.offered(kind.modules.existing('geth', kind.flags.of('geth').defaults), ['']);
    // As bsc v1.7.8 and op-geth v1.101702.3 answer to rpc_modules.
    const common = ['admin', 'debug', 'eth', 'miner', 'net', 'rpc', 'txpool', 'web3'];
    expect(everything(bsc)).toEqual([...common, 'mev', 'parlia'].sort());
    expect(everything(opGeth)).toEqual([...common, 'testing'].sort());
  });
});

/** The listener of that kind for a command line, as `--format json` shows the settings. */
async function listenerOf(kind: Listener['kind'], command: string) {
  const { interfaces } = await lint(command);
  const name = kind === 'authrpc' ? 'engine' : kind;
  return interfaces.find((one) => interfaceName(one) === name)?.endpoint ?? null;
}

describe('listeners', () => {
  test.each([
    ['geth', 'http', null],
    ['geth --http.addr 0.0.0.0', 'http', null],
    ['geth --http', 'http', 'http://127.0.0.1:8545'],
    ['geth --http --http.addr ""', 'http', null],
    ['geth --http --ws --ws.port 8545 --ws.addr 0.0.0.0', 'http', 'http://0.0.0.0:8545'],
    ['geth --http --http.addr 0.0.0.0 --ws --ws.port 8545', 'http', 'http://127.0.0.1:8545'],
    ['geth --ws', 'ws', 'ws://127.0.0.1:8546'],
    ['geth', 'authrpc', 'http://localhost:8551'],
    ['geth --authrpc.addr 0.0.0.0 --authrpc.port 9', 'authrpc', 'http://0.0.0.0:9'],
    ['geth --dev', 'authrpc', null],
    ['geth --metrics', 'metrics', 'http://127.0.0.1:6060'],
    ['geth --metrics --pprof', 'metrics', null],
    ['geth --metrics.addr 0.0.0.0', 'metrics', null],
  ] as const)('%s: %s %s', async (command, kind, endpoint) => {
    expect(await listenerOf(kind, command)).toBe(endpoint);
  });

  test.each([
    ['geth', true],
    ['geth --dev', false],
  ])('of ipc offers the engine API, which %s opens: %s', async (command, isOffered) => {
    const { interfaces } = await lint(command);
    const ipc = interfaces.find(({ transport }) => transport === 'ipc');
    expect(ipc?.declared?.modules).toContain('admin');
    expect(ipc?.declared?.modules?.includes('engine')).toBe(isOffered);
  });

  test('of http and ws on one port is bound by the address of ws', async () => {
    const { findings } = await lint(
      'geth --http --http.addr 127.0.0.1 --ws --ws.addr 0.0.0.0 --ws.port 8545 --http.api eth',
    );
    const { fix } =
      findings.find(({ rule, subject }) => rule === 'public-bind' && /^http/.test(subject)) ?? {};
    expect(fix).toContain('--ws.addr');
  });

  test('metrics have a port without the profiler', async () => {
    const open = '--metrics.addr 0.0.0.0 --pprof.addr 0.0.0.0 --pprof.port 6061';
    expect(found(await lint(`geth --metrics ${open}`))).toEqual(['inert-address pprof']);
    expect(found(await lint(`geth --metrics --pprof ${open}`))).toEqual(['open-profiler pprof']);
  });

  test('a release before v1.15.0 opens the metrics only with an address', () => {
    const before = geth.at('geth/v1.14.13');
    const values = { ...before.flags.of('geth').defaults };
    const on = { value: true, origin: { kind: 'flag', flag: 'metrics', at: null } } as const;
    const start = { dialect: geth.dialect, launcher: 'geth', words: [], locate: () => null };
    const metrics = (kind: typeof geth) =>
      kind
        .listeners({
          ...start,
          values: { ...values, metrics: { ...on, shadowed: [], indeterminate: null } },
        })
        .find(({ kind: one }) => one === 'metrics')?.state;
    expect([metrics(before), metrics(geth)]).toEqual(['off', 'on']);
  });

  test('a file of settings that is not read leaves open what no flag decides', async () => {
    const { verdict, undetermined } = await lint('geth --config node.toml');
    expect(verdict).toBe('undetermined');
    expect(undetermined.map(({ reason }) => reason).join('\n')).toContain(
      '--config names node.toml (--command-line:1), which is not read',
    );
  });
});

describe('values with which the node does not start', () => {
  test.each([
    ['--http.rpcprefix rpc', '--http.rpcprefix rpc does not begin with a slash'],
    ['--http --http.port 70000', '--http.port 70000 is not a port'],
    // A switch counts even if it is given as false.
    ['--ipcdisable=false --ipcpath y', '--ipcdisable and --ipcpath exclude each other'],
  ])('%s', async (words, said) => {
    const { findings } = await lint(`geth ${words}`);
    expect(findings.map(({ message }) => message).join('\n')).toContain(said);
  });
});

test.each([
  ['8545', true],
  ['0', false],
])('up to v1.9.12 http and ws on port %s clash: %s', async (port, clash) => {
  const words = `--rpc --rpcport ${port} --ws --wsport ${port}`;
  const { findings } = await lint(`geth ${words}`, '--node-version', 'v1.9.12');
  const messages = findings.map(({ message }) => message).join('\n');
  expect(/--\w+ and --\w+ are both 8545/.test(messages)).toBe(clash);
});

describe('words that are not known', () => {
  const unknown = (words: string) => lint(`geth ${words} $MORE`, '--node-version', 'v1.15.11');

  test('are not taken for flags that a later release removed', async () => {
    expect(found(await unknown('--http'))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/^removed-flag/)]),
    );
  });

  test('leave a listed name without effect', async () => {
    const { findings } = await unknown('--http --http.addr 0.0.0.0 --http.api eth,engine,debug');
    const offered = findings.filter(({ rule }) => rule === 'privileged-module');
    expect(offered.map(({ subject }) => subject)).toEqual(['http debug']);
  });
});

describe('releases', () => {
  test('a flag that was removed keeps a later release from starting', async () => {
    const late = await lint('geth --unlock 0x1 --http', '--node-version', 'v1.17.4');
    expect(late.findings.map(({ rule, message }) => `${rule}: ${message}`)).toContainEqual(
      expect.stringMatching(/^removed-flag: .*geth v1\.17\.3/),
    );
    expect(found(await lint('geth --unlock 0x1 --http', '--node-version', 'v1.13.15'))).toEqual(
      expect.arrayContaining(['unlocked-account --unlock']),
    );
    expect(found(await lint('geth --unlock 0x1 --http', '--node-version', 'v1.15.0'))).not.toContain(
      'unlocked-account --unlock',
    );
  });

  test('the environment counts from v1.13.1', () => {
    const named = (tag: string) => geth.at(`geth/${tag}`).flags.of('geth').byEnvironment.has('GETH_HTTP');
    expect([named('v1.13.0'), named('v1.13.1')]).toEqual([false, true]);
  });

  test.each([
    [geth, 'Geth/v1.17.8-stable-1a2b3c4d/linux-amd64/go1.24.2', 'geth/v1.17.8'],
    [geth, 'Geth/v1.7.8/linux-amd64/go1.24.2', null],
    [opGeth, 'Geth/v1.101702.3-stable/linux-amd64/go1.24.2', 'op-geth/v1.101702.3'],
  ] as const)('$id of %s', (kind, client, id) => {
    expect(kinds.filter(({ identity }) => identity.client.test(client))).toEqual([kind]);
    expect(kind.evidence.ofClient(client)?.value ?? null).toBe(id);
  });

  test('an image gives the release of its own kind only', () => {
    const tag = (image: string) =>
      kinds.map(({ id, evidence }) => [id, evidence.ofImage(image)?.value ?? null]);
    expect(Object.fromEntries(tag('docker.io/ethereum/client-go:v1.13.14@sha256:ab'))).toEqual({
      kaia: null,
      geth: 'geth/v1.13.14',
      bsc: null,
      'op-geth': null,
      erigon: null,
      'op-reth': null,
      reth: null,
    });
    expect(bsc.evidence.ofImage('ghcr.io/bnb-chain/bsc:1.7.8')?.value).toBe('bsc/v1.7.8');
  });
});

describe('which kind a command starts', () => {
  test.each([
    [['geth', '--http'], 'geth'],
    [['/usr/local/bin/geth', '--rollup.sequencerhttp', 'https://x.example'], 'op-geth'],
    [['geth', '--blswallet', '/w'], 'bsc'],
    [['geth', '--not.a.flag'], 'geth'],
    [['geth', '--datadir', '/d', 'init', '/genesis.json'], undefined],
    [['geth', 'init-network', '--init.dir', '/d', '--init.size=3', '/genesis.json'], undefined],
    [['geth', 'bls', 'account', 'new', '--datadir', '/d'], undefined],
    [['geth', 'attach'], undefined],
    [['geth', '--datadir', '/d', 'console'], 'geth'],
    [['geth', '--http', 'js', 'blocks.js'], 'geth'],
    [['ken', '--rpc'], 'kaia'],
    [['ken', 'console', '--rpc'], 'kaia'],
    [['kcn', '--datadir', '/d', 'console', '--rpc'], 'kaia'],
    [['ken', 'attach', 'klay.ipc'], undefined],
  ])('%j: %s', (argv, id) => {
    expect(starterOfProcess(kinds, { argv })?.kind.id).toBe(id);
  });
});

test.each(['ken console --rpc', 'ken --rpc console', 'geth --http console', 'geth --http js blocks.js'])(
  '%s has no word that the node refuses',
  async (command) => {
    expect((await lint(command)).findings.filter(({ rule }) => rule === 'malformed-flag')).toEqual([]);
  },
);

test.each(['0', '$ACCOUNT'])(
  'an account, %s, is unlocked in the releases that unlock it',
  async (account) => {
    const { findings } = await lint(`geth --http --http.addr 0.0.0.0 --unlock ${account}`);
    const unlocked = findings.filter(({ rule }) => rule === 'unlocked-account');
    expect(unlocked.map(({ severity, message }) => `${severity} ${message.slice(0, 53)}`)).toEqual([
      'critical In releases geth v1.9.14 to v1.14.11: --unlock keeps ',
    ]);
  },
);

test('a module that later releases ignore is one finding, and releases that refuse a flag add none', async () => {
  const { findings, release } = await lint(
    'geth --http --http.addr 0.0.0.0 --http.api eth,personal --unlock 0 --allow-insecure-unlock',
  );
  expect(findings.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual([
    'privileged-module http personal',
    'unlocked-account --unlock',
    'public-bind http 0.0.0.0',
  ]);
  expect(release?.refused).toEqual(['unlock', 'allow-insecure-unlock']);
});

test('the flags that a release no longer has are one finding', async () => {
  const { findings } = await lint('geth --unlock 0 --mine --miner.threads 1', '--node-version', 'v1.17.8');
  expect(findings.map(({ rule, subject, message }) => `${rule} ${subject}: ${message}`)).toEqual([
    'removed-flag unlock, mine, miner.threads: geth v1.17.8 refuses to start with --unlock and --mine (up to geth v1.17.3) and --miner.threads (up to geth v1.11.6).',
  ]);
});

test('a flag of newer releases is not told as one that was removed', async () => {
  const { findings } = await lint('geth --state.scheme path', '--node-version', 'v1.10.25');
  expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
    'removed-flag: geth v1.10.25 refuses to start with --state.scheme (not known yet: from geth v1.13.0 on).',
  ]);
});

test('no message about a geth node contains a name of Kaia', async () => {
  const words =
    /kaia(?!ctl)|klay|\bk(?:en|cn|pn|scn|spn|sen|bn)d?\b|\b(?:RPC|WS)_[A-Z]+|ADDITIONAL|launcher|unsafe-debug/i;
  const target = await lint(
    'geth --http --http.addr 0.0.0.0 --http.api "" --http.vhosts * --http.corsdomain * --ws --ws.origins * --pprof --pprof.addr 0.0.0.0 --unlock 0x1 --nope',
  );
  const sentences = [
    ...target.findings.flatMap(({ rule, message, fix, subject, title }) => [
      rule,
      message,
      fix,
      subject,
      title,
    ]),
    ...target.undetermined.map(({ reason }) => reason),
  ];
  expect(sentences.length).toBeGreaterThan(20);
  expect(sentences.filter((one) => words.test(one))).toEqual([]);
});

test.each([
  ['/usr/local/bin/op-geth', 'op-geth'],
  ['bsc', 'bsc'],
  ['./geth_linux', 'geth'],
])('%s is a program of %s', (path, id) => {
  const starter = starterOfProcess(kinds, { argv: [path, '--http', '--http.api', 'admin'] });
  expect(starter?.kind.id).toBe(id);
});

/** What geth v1.9.25 and v1.10.8 do. */
test.each([
  [['--rpc=1', '--rpc=false'], 'off'],
  [['--rpc=false', '--rpc'], 'on'],
  [['--rpc', '--http=false'], 'on'],
  [['--rpc=false', '--http=false'], 'off'],
])('the last use of either switch counts: %j', (words, state) => {
  const kind = geth.at('geth/v1.10.8');
  const { listeners } = settingsOfWords(gethSettings('', '', words, kind));
  expect(listeners.find(({ kind: one }) => one === 'http')?.state).toBe(state);
});

test.each([
  ['a flag that resembles none of geth', 'geth --rollup.verify', [], 'low'],
  ['the same of a release that is known', 'geth --rollup.verify', ['--node-version', 'v1.13.15'], 'medium'],
  ['a misspelt flag', 'geth --http.adrr 127.0.0.1', [], 'medium'],
])(
  'the severity of unknown-flag says whether a fork may have it: %s',
  async (_, command, options, severity) => {
    const { findings } = await lint(command, ...options);
    const unknown = findings.filter(({ rule }) => rule === 'unknown-flag');
    expect(unknown.map((one) => one.severity)).toEqual([severity]);
  },
);
