/** Nodes that are not Kaia nodes: nothing of Kaia's is said of them, and nothing is run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Report, TargetReport } from '../../src/node/facts/report.js';
import { foreignNode, type Manner, manners } from '../peers/foreign.js';
import { jsonrpseeNode } from '../peers/jsonrpsee.js';
import { describeAnvil, describeGanache } from '../peers/real.js';
import { expectValid } from '../peers/report.js';
import { kaiactl } from '../peers/run.js';
import { closePeers } from '../peers/scripted.js';
import { withNode } from '../peers/shape.js';

const folders: string[] = [];
afterEach(async () => {
  await closePeers();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function audit(...words: string[]): Promise<{ code: number; target: TargetReport }> {
  const { code, stdout } = await kaiactl(['node', 'audit', '--format', 'json', ...words]);
  const [target] = (expectValid(stdout) as Report).targets;
  if (target === undefined) throw new Error('no target');
  return { code, target };
}

/** Words that mean something on a Kaia node alone. */
const kaias = /[Kk]aia\b|[Kk]lay|\bk[cpe]nd?\b|unsafe-debug|\b(?:RPC|WS)_[A-Z]+|PROMETHEUS|ADDITIONAL/;
/** Words for a node of a known kind alone. */
const compares = /\bconf\b|restart pending/;

/** Every sentence of a report, but for those that say that it is not a Kaia node. */
function sentencesOf({ findings, undetermined, notLookedAt = [] }: TargetReport): string[] {
  return [
    ...findings
      .filter(({ rule }) => rule !== 'foreign-node')
      .flatMap(({ rule, message, fix, subject, title }) => [rule, message, fix, subject, title]),
    ...undetermined.map(({ reason }) => reason),
    ...notLookedAt,
  ].map((text) => text.replaceAll('kaiactl', ''));
}

const found = (target: TargetReport) =>
  target.findings.map(({ rule, severity, subject }) => `${severity} ${rule} ${subject}`);
const kindOf = ({ kind, kindBy }: TargetReport) => ({ kind, kindBy });

describe.each(['http', 'ws'] as const)('over %s', (wire) => {
  test.each(Object.entries<Manner>(manners))(
    '%s: nothing is run, and nothing of Kaia’s is said',
    async (_name, manner) => {
      const { peer, violations } = await foreignNode(wire, manner);
      const { target } = await audit(peer.address);
      expect(violations).toEqual([]);
      expect(sentencesOf(target).filter((text) => kaias.test(text))).toEqual([]);
      expect(target.kind).toBe(manner.client?.split('/')[0]?.toLowerCase() ?? null);
      const verdictOn = (id: string) => target.checks?.find(({ rule }) => rule === id)?.verdict;
      expect(verdictOn('unsafe-debug')).toBe('not-applicable');
      if (target.kind !== 'geth' && target.kind !== 'erigon') {
        expect(verdictOn('unknown-module')).toBe('not-applicable');
        expect(sentencesOf(target).filter((text) => compares.test(text))).toEqual([]);
      }
      expect(target.interfaces.map(({ unsafeDebug }) => unsafeDebug)).toEqual([null]);
      expect(target.findings.length + target.undetermined.length).toBeGreaterThan(0);
    },
  );

  test('geth: its modules, its accounts and its access checks', async () => {
    const { peer } = await foreignNode(wire, manners.geth);
    const { code, target } = await audit(peer.address);
    const access =
      wire === 'http'
        ? ['wildcard-cors --http.corsdomain', 'wildcard-vhosts --http.vhosts']
        : ['wildcard-origins --ws.origins'];
    expect(found(target).sort()).toEqual(
      [
        ...['admin', 'debug', 'personal'].map((name) => `critical privileged-module ${wire} ${name}`),
        `medium privileged-module ${wire} miner`,
        `medium privileged-module ${wire} txpool`,
        `medium accounts-listed ${wire} accounts`,
        ...access.map((one) => `critical ${one}`),
      ].sort(),
    );
    expect(code).toBe(1);
  });

  test.each([
    ['a client that names nothing', 'a client that does not name itself'],
    ['a client that nobody knows', 'foo'],
    ['besu', 'besu'],
  ] as const)('%s gets no {}, and the check is undetermined', async (name, called) => {
    const { peer, violations } = await foreignNode(wire, manners[name]);
    const { target } = await audit(peer.address);
    expect(violations).toEqual([]);
    expect(target.undetermined).toContainEqual(
      expect.objectContaining({
        rule: 'privileged-module',
        about: peer.address,
        reason: `no existence probe is sent to ${called}: modules that are not listed were not probed`,
      }),
    );
  });

  test('a client that calls itself geth and runs methods with {} gets one that only reads', async () => {
    const manner = { ...manners.geth, withObject: 'run' } as const;
    const { peer, violations } = await foreignNode(wire, manner);
    const { target } = await audit(peer.address);
    expect(violations).toEqual([]);
    expect(target.undetermined).toContainEqual(
      expect.objectContaining({
        rule: 'privileged-module',
        about: peer.address,
        reason: expect.stringContaining('the node ran rpc_modules {}'),
      }),
    );
  });

  test('reth: an unlisted namespace that answers is judged, and none of its methods runs', async () => {
    const { peer, ran, withObject } = await jsonrpseeNode(wire, {
      client: 'reth/v2.5.1-7b3432d9/x86_64-unknown-linux-gnu',
      modules: ['admin', 'debug', 'eth', 'net', 'web3'],
    });
    const { target } = await audit(peer.address);
    expect(withObject).toEqual([]);
    expect(ran.filter((method) => !/^(?:web3_clientVersion|net_version|eth_accounts)$/.test(method))).toEqual(
      [],
    );
    expect(kindOf(target)).toEqual({ kind: 'reth', kindBy: 'answer' });
    expect(found(target).filter((one) => one.includes(' privileged-module '))).toEqual([
      expect.stringMatching(new RegExp(`privileged-module ${wire} debug$`)),
    ]);
    // Whether it offers admin, only rpc_modules tells.
    expect(target.undetermined.filter(({ rule }) => rule === 'privileged-module')).toContainEqual(
      expect.objectContaining({ reason: 'rpc_modules answered error -32601: Method not found' }),
    );
  });

  test('modules of which nothing is known stay open', async () => {
    const { peer } = await foreignNode(wire, manners.bor);
    const { target } = await audit(peer.address);
    expect(target.undetermined.map(({ reason }) => reason)).toContain('the effect of bor is not known here');
  });

  test('an unrecognized kind is null and undetermined', async () => {
    const { peer } = await foreignNode(wire, manners['geth without web3']);
    const { target } = await audit(peer.address);
    expect(kindOf(target)).toEqual({ kind: null, kindBy: null });
    expect(target.undetermined.find(({ rule }) => rule === 'foreign-node')?.reason).toMatch(
      /do not show which kind of node it is/,
    );
    expect(found(target)).toContain(`critical privileged-module ${wire} debug`);
  });
});

test('the peer does see what a careless probe would run', async () => {
  const { peer, violations } = await foreignNode('http', { ...manners.geth, withObject: 'run' });
  const body = '{"jsonrpc":"2.0","id":1,"method":"admin_nodeInfo","params":{}}';
  await fetch(peer.address, { method: 'POST', body });
  expect(violations).toEqual([`it ran ${body}`]);
});

test('the text contains no name of Kaia either', async () => {
  const { peer } = await foreignNode('http', manners.geth);
  const { stdout } = await kaiactl(['node', 'audit', '--ignore', 'foreign-node', peer.address]);
  expect(stdout.replaceAll('kaiactl', '')).not.toMatch(kaias);
  expect(stdout).toContain('Geth/v1.17.8');
});

function confAt(port: string, ...lines: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-foreign-'));
  folders.push(folder);
  const file = join(folder, 'kend.conf');
  const usual = ['NETWORK=mainnet', `DATA_DIR=${folder}`, 'RPC_ENABLE=1', `RPC_PORT=${port}`];
  writeFileSync(
    file,
    [...usual, 'RPC_ADDR=127.0.0.1', 'RPC_API="klay,eth,debug,istanbul"', ...lines, ''].join('\n'),
  );
  return file;
}

test('a conf whose port another kind of node answers is not compared with it', async () => {
  const { peer } = await foreignNode('http', manners.geth);
  const conf = confAt(new URL(peer.address).port);
  const { code, target } = await audit(conf);
  expect(kindOf(target)).toEqual({ kind: 'geth', kindBy: 'answer' });
  const drift = /^(?:un|mis)(?:declared|sing)-|^pending-restart/;
  // A node of this machine may have the usual port of metrics.
  const isOfMachine = ({ at }: { at: object }) => 'endpoint' in at && String(at.endpoint).endsWith(':61001');
  expect(target.findings.filter((one) => drift.test(one.rule) && !isOfMachine(one))).toEqual([]);
  expect(target.drift).toBeUndefined();
  expect(target.undetermined).toContainEqual({
    rule: 'foreign-node',
    code: 'indeterminate',
    about: null,
    reason: `the node of ${conf} was not seen: another kind of node answers at its addresses`,
  });
  // What the conf says stays the conf's, and what answers is judged as any node.
  const debug = target.findings.filter(({ subject }) => subject === 'http debug');
  expect(debug.map(({ rule, at, related }) => [rule, 'file' in at, related])).toEqual([
    ['privileged-module', false, []],
    ['unsafe-debug', true, []],
  ]);
  expect(found(target).filter((one) => one.includes('istanbul'))).toHaveLength(1);
  expect(code).toBe(1);
});

test('beside a Kaia node another kind on one of its ports is judged apart', async () => {
  const { peer } = await foreignNode('ws', manners.besu);
  await withNode(
    (shape) => ({ ...shape, ws: null }),
    async (node) => {
      const folder = mkdtempSync(join(tmpdir(), 'kaiactl-foreign-'));
      folders.push(folder);
      const inventory = join(folder, 'nodes.ini');
      writeFileSync(inventory, `[en-1]\nrpc = ${node.http}\nws = ${peer.address}\n`);
      const { target } = await audit('--inventory', inventory);
      expect(kindOf(target)).toEqual({ kind: 'kaia', kindBy: 'answer' });
      expect(found(target)).toContain('critical privileged-module ws admin');
      expect(found(target)).toContain(`medium foreign-node ${peer.address}`);
      expect(target.findings.filter(({ rule }) => ['unsafe-debug', 'unknown-module'].includes(rule))).toEqual(
        [],
      );
    },
  );
});

test('a built-in policy is not held against another kind of node, one of the user’s own is', async () => {
  const { peer } = await foreignNode('http', manners.geth);
  const built = await audit('--policy', 'public-en', peer.address);
  expect(built.target.findings.filter(({ rule }) => rule === 'policy-violation')).toEqual([]);
  expect(built.target.undetermined).toContainEqual(
    expect.objectContaining({ reason: 'policy public-en is written for another kind of node' }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-foreign-'));
  folders.push(folder);
  const file = join(folder, 'ours.ini');
  writeFileSync(file, '[policy]\nname = ours\nversion = 1\n\n[http]\nmodules = eth,net,web3\n');
  const own = await audit('--policy', file, peer.address);
  expect(
    own.target.findings.filter(({ rule }) => rule === 'policy-violation').map(({ subject }) => subject),
  ).toContain('http admin');
});

describeGanache((peer) => {
  test.each(['http', 'ws'] as const)('is judged as any node over %s', async (wire) => {
    const { target } = await audit(peer()[wire]);
    expect(kindOf(target)).toEqual({ kind: 'ganache', kindBy: 'answer' });
    expect(sentencesOf(target).filter((text) => kaias.test(text))).toEqual([]);
    expect(found(target)).toContain(`critical privileged-module ${wire} personal`);
  });
});

describeAnvil((peer) => {
  test.each(['http', 'ws', 'ipc'] as const)('is judged as any node over %s', async (wire) => {
    const { target } = await audit(peer()[wire] ?? '');
    expect(kindOf(target)).toEqual({ kind: 'anvil', kindBy: 'answer' });
    expect(sentencesOf(target).filter((text) => kaias.test(text))).toEqual([]);
    if (wire !== 'ipc') expect(found(target)).toContain(`low accounts-listed ${wire} accounts`);
  });
});
