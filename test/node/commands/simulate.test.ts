import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../peers/outcome.js';
import { kaiactl } from '../live.js';
import { post, raw } from '../simulator/ask.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = `NETWORK=kairos
RPC_ENABLE=1
RPC_API=klay,net
WS_ENABLE=0
METRICS=1
PROMETHEUS=1
DATA_DIR=${folder}
`;

function conf(text: string, name = 'kend.conf'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

type Ends = Readonly<Record<'http' | 'ws' | 'ipc' | 'metrics' | 'authrpc', string | null>>;

/** Runs the command until `use` is done with the interfaces of its first line, then interrupts it. */
async function simulating(argv: readonly string[], use: (ends: Ends) => Promise<void>): Promise<Outcome> {
  const abort = new AbortController();
  let printed = '';
  let work = Promise.resolve();
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk);
      if (printed.includes('\n')) {
        work = use(JSON.parse(printed.split('\n', 1)[0] ?? '') as Ends).finally(() => abort.abort());
      }
      done();
    },
  });
  const outcome = await kaiactl(['node', 'simulate', ...argv], { signal: abort.signal, stdout });
  await work;
  return { ...outcome, stdout: printed };
}

const version = '{"id":1,"method":"net_version"}';

test('the first line names the interfaces; a signal ends it with 0 and leaves nothing', async () => {
  let socket = '';
  const outcome = await simulating([conf(open), '--free-ports'], async ({ http, ws, ipc, metrics }) => {
    socket = ipc ?? '';
    expect([ws, ipc]).toEqual([null, join(folder, 'klay.ipc')]);
    expect(metrics).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await post(http ?? '', version)).toMatchObject({ result: '1001' });
    expect(JSON.parse((await raw({ path: socket }, [version], 1)).text)).toMatchObject({ result: '1001' });
  });
  expect([outcome.code, outcome.stdout.split('\n').length]).toEqual([0, 2]);
  expect(outcome.stderr).toBe(
    `simulating ${join(folder, 'kend.conf')} (kend, tar) on loopback; Ctrl-C ends it\n`,
  );
  expect(existsSync(socket)).toBe(false);
});

test('options set ipc, client version, release, accounts and environment', async () => {
  const account = `0x${'b'.repeat(40)}`;
  const socket = join(folder, 'own.ipc');
  const text = open.replace('RPC_API=klay,net\n', '').replace('kairos', 'cypress');
  const options = [
    '--ipc',
    socket,
    '--client-version',
    'Klaytn/v1.12.1',
    '--node-version',
    'v1.12.1',
    '--account',
    account,
  ];
  const argv = [conf(text), '--free-ports', '--env', 'RPC_API=klay,web3', ...options, '-q'];
  const outcome = await simulating(argv, async ({ http, ipc }) => {
    expect(ipc).toBe(socket);
    const ask = async (method: string) => post(http ?? '', `{"id":1,"method":"${method}"}`);
    expect(await ask('rpc_modules')).toMatchObject({ result: { klay: '1.0', rpc: '1.0', web3: '1.0' } });
    expect(await ask('web3_clientVersion')).toMatchObject({ result: 'Klaytn/v1.12.1' });
    expect(await ask('klay_accounts')).toMatchObject({ result: [account] });
  });
  expect([outcome.code, outcome.stderr]).toEqual([0, '']);
});

test('accounts that the conf or --unlocked unlocks are unlocked, others are locked', async () => {
  const [own, given, locked] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
  const text = `${open}ADDITIONAL="--unlock ${own}"\n`;
  const options = ['--unlocked', given ?? '', '--account', given ?? '', '--account', locked ?? ''];
  await simulating([conf(text), '--free-ports', ...options], async ({ http, ipc }) => {
    const ask = '{"id":1,"method":"personal_listWallets"}';
    const { result } = JSON.parse((await raw({ path: ipc ?? '' }, [ask], 1)).text) as {
      result: { status: string; accounts: { address: string }[] }[];
    };
    expect(result.map(({ status, accounts }) => [accounts[0]?.address, status])).toEqual([
      [own, 'Unlocked'],
      [given, 'Unlocked'],
      [locked, 'Locked'],
    ]);
    expect(await post(http ?? '', ask)).toMatchObject({ error: { code: -32601 } });
  });
});

test('-v logs each message with control characters escaped', async () => {
  const { stderr } = await simulating([conf(open), '--free-ports', '-v'], async ({ http }) => {
    await post(http ?? '', '[{"id":1,"method":"net_version"},{"id":2,"method":"a_\\u001b[2J\\u202e"}]');
  });
  expect(stderr).toMatch(/\d {2}http {2}net_version {2}ok\n/);
  expect(stderr).toContain('http  a_\\u{1b}[2J\\u{202e}  -32601\n');
});

test.skipIf(process.platform === 'win32')('a geth node is named by its kind', async () => {
  const compose = new URL('../../../fixtures/geth/compose.yml', import.meta.url).pathname;
  const { stderr } = await simulating([compose, '--free-ports'], async ({ authrpc, ipc }) => {
    expect([authrpc, ipc]).toEqual([expect.stringMatching(/^http:/), expect.stringMatching(/node\.ipc$/)]);
  });
  expect(stderr).toContain(`simulating ${compose} (geth) on loopback`);
  expect(stderr).toContain('note: The ipc socket is in a private folder: its data folder is not known.');
});

test('a folder is its only node', async () => {
  const deployment = mkdtempSync(join(folder, 'deployment-'));
  const unit = (port: number) =>
    `[Service]\nExecStart=/usr/bin/ken --datadir ${folder} --rpc --rpcport ${port} --kairos\n`;
  writeFileSync(join(deployment, 'a.service'), unit(8551));
  await simulating([deployment, '--free-ports'], async ({ http }) => {
    expect(await post(http ?? '', version)).toMatchObject({ result: '1001' });
  });
  writeFileSync(join(deployment, 'b.service'), unit(9551));
  const two = await kaiactl(['node', 'simulate', deployment, '--free-ports']);
  expect([two.code, two.stdout]).toEqual([2, '']);
  expect(two.stderr).toContain('starts 2 nodes');
});

describe('what cannot be simulated', () => {
  const failing: readonly (readonly [what: string, argv: readonly string[], sentence: string])[] = [
    ['a missing file', [join(folder, 'none.conf')], 'there is no such file'],
    ['no conf', [], "missing required argument 'conf'"],
    ['no address', [conf(open), '--account', '0x12'], '--account 0x12 is not an address'],
    ['more than an address', [conf(open), '--account', `x0x${'b'.repeat(40)}`], 'is not an address'],
    ['no address to unlock', [conf(open), '--unlocked', '0x12'], '--unlocked 0x12 is not an address'],
    ['a socket that exists', [conf(open), '--free-ports', '--ipc', folder], `${folder} already exists`],
  ];
  test.each(failing)('%s', async (_what, argv, sentence) => {
    const outcome = await kaiactl(['node', 'simulate', ...argv]);
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
    expect(outcome.stderr).toContain(sentence);
  });

  const unstartable = open.replace(`DATA_DIR=${folder}\n`, 'ADDITIONAL=--nonsense\n');
  test('a node that would not start, with the reasons', async () => {
    const outcome = await kaiactl(['node', 'simulate', '-', '--launcher', 'kend'], {
      stdin: Readable.from([Buffer.from(unstartable)]),
    });
    expect([outcome.code, outcome.stdout]).toEqual([2, '']);
    expect(outcome.stderr).toMatch(/^kaiactl: a node with the conf on stdin would not start\n/);
    expect(outcome.stderr).toContain('DATA_DIR is empty');
    expect(outcome.stderr).toMatch(/\n {2}7:12 {2}.*--nonsense/);
    expect(outcome.stderr).toContain('--force');
  });
  test('unless it is forced', async () => {
    const argv = [conf(unstartable), '--free-ports', '--force'];
    const outcome = await simulating(argv, async ({ http }) => {
      expect(await post(http ?? '', version)).toMatchObject({ result: '1001' });
    });
    expect(outcome.code).toBe(0);
  });
  test('a conf that opens nothing', async () => {
    const outcome = await kaiactl([
      'node',
      'simulate',
      conf(`NETWORK=mainnet\nDATA_DIR=${folder}\nADDITIONAL=--ipcdisable`),
    ]);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('opens nothing');
  });
});
