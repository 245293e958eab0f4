/** Accounts unlocked at run time: what ipc tells of them, from the request to the report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { plainAddress } from '../../src/jsonrpc/channel.js';
import { parseEndpoint } from '../../src/jsonrpc/endpoint.js';
import type { Report } from '../../src/node/facts/report.js';
import { kinds } from '../../src/node/kinds/index.js';
import { probesOf } from '../../src/node/probe/probes/index.js';
import { probeEndpoint } from '../../src/node/probe/run.js';
import type { SimulateOptions } from '../../src/node/simulator/interfaces.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';
import { closePeers, scripted } from '../peers/scripted.js';
import { withNode } from '../peers/shape.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-unlocked-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(closePeers);

const account = '0x71562b71999873db5b286df957af199ec94617f7';
const other = `0x${'ab'.repeat(20)}`;

/** Audits a simulated node through an inventory; `over`: the interfaces it names. */
async function audited(over: readonly ('rpc' | 'ipc')[], options: SimulateOptions, ...words: string[]) {
  return withNode(
    (shape) => shape,
    async ({ http, ipc }) => {
      const addresses = { rpc: http, ipc };
      const inventory = join(folder, 'fleet.ini');
      writeFileSync(inventory, `[en-1]\n${over.map((key) => `${key} = ${addresses[key]}\n`).join('')}`);
      const argv = ['node', 'audit', '--format', 'json', '--inventory', inventory, ...words];
      const { code, stdout } = await kaiactl(argv);
      const target = (expectValid(stdout) as Report).targets[0];
      const check = target?.checks?.find(({ rule }) => rule === 'unlocked-account')?.verdict;
      const finding = target?.findings.find(({ rule }) => rule === 'unlocked-account');
      const open = target?.undetermined.filter(({ rule }) => rule === 'unlocked-account');
      return { code, check, finding, open };
    },
    options,
  );
}

test('an account unlocked at run time is found over ipc and named', async () => {
  const options = { unlocked: [account], accounts: [other] };
  const { code, check, finding } = await audited(['rpc', 'ipc'], options, '--assume-reach', 'http=any');
  expect({ code, check, severity: finding?.severity }).toEqual({
    code: 1,
    check: 'fail',
    severity: 'critical',
  });
  expect(finding?.message).toContain(`${account} is unlocked, and http can sign with it`);
  expect(finding?.message).not.toContain(other);
  expect(finding?.evidence).toMatchObject({ accounts: [account], interfaces: ['http'], proven: true });
});

test('locked accounts pass; without ipc they are undetermined', async () => {
  const locked = { accounts: [account] };
  expect(await audited(['rpc', 'ipc'], locked)).toMatchObject({ check: 'pass', finding: undefined });
  const { code, check, open } = await audited(['rpc'], locked);
  expect({ code, check }).toEqual({ code: 3, check: 'undetermined' });
  expect(open?.[0]?.reason).toMatch(/^only IPC tells which accounts are unlocked: /);
});

test('ipc alone signs for its own users only', async () => {
  expect(await audited(['ipc'], { unlocked: [account] })).toMatchObject({ check: 'pass' });
});

test('the plan has the request for ipc only', async () => {
  const plan = async (endpoint: string) => (await kaiactl(['node', 'audit', '--plan', endpoint])).stdout;
  expect(await plan('ipc:/run/klay.ipc')).toMatch(/personal_listWallets \[\] +if personal is offered\n/);
  for (const address of ['http://127.0.0.1:8551', 'ws://127.0.0.1:8552'])
    expect(await plan(address)).not.toContain('personal_listWallets');
});

const wallet = (status: unknown, ...addresses: unknown[]) => ({
  url: 'keystore:///k',
  status,
  accounts: addresses.map((address) => ({ address, url: 'keystore:///k' })),
});

/** What an IPC socket tells of its wallets, where a client of this name answers. */
async function walletsOf(wallets: unknown, client: string) {
  const results: Record<string, unknown> = {
    rpc_modules: { personal: '1.0', web3: '1.0' },
    web3_clientVersion: client,
    personal_listWallets: wallets,
  };
  const peer = await scripted('ipc', (text) => {
    const { id, method } = JSON.parse(text) as { id: number; method: string };
    return JSON.stringify({ jsonrpc: '2.0', id, result: results[method] });
  });
  const visit = {
    probes: probesOf(kinds),
    source: 'argument',
    options: plainAddress,
    depth: 'safe',
  } as const;
  const signal = new AbortController().signal;
  return (await probeEndpoint({ ...visit, address: parseEndpoint(peer.address), signal })).unlocked;
}

test.each<[string, unknown, readonly string[] | null]>([
  ['none', [], []],
  ['locked and unlocked', [wallet('Locked', other), wallet('Unlocked', account)], [account]],
  ['a locked one without accounts', [{ status: 'Locked' }], []],
  ['another status', [wallet('Online, PIN needed', account)], null],
  ['no status', [wallet(undefined, account)], null],
  ['unlocked without accounts', [wallet('Unlocked')], null],
  ['unlocked with a word', [wallet('Unlocked', 'root')], null],
  ['accounts that are no list', [{ status: 'Unlocked', accounts: account }], null],
  ['null', [null], null],
  ['an object', { 0: wallet('Locked') }, null],
  ['more than any node has', Array.from({ length: 10_001 }, () => wallet('Locked')), null],
])('wallets are read: %s', async (_name, wallets, unlocked) => {
  const told = await walletsOf(wallets, 'Klaytn/v2.2.1/linux-amd64/go1.25.3');
  if (unlocked !== null) expect(told).toEqual({ state: 'seen', value: unlocked });
  else expect(told).toMatchObject({ state: 'not-seen', code: 'unreadable' });
});

test('the wallets of a client that is not recognised are not asked for', async () => {
  expect(await walletsOf([], 'Foo/v1')).toMatchObject({
    code: 'not-asked',
    detail: 'foo is not asked which accounts are unlocked',
  });
});
