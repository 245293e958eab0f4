/** Sockets are known by address and port: nodes that share a port number, in namespaces that the tests make. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { canIsolate, type Isolation, type Peer, runIsolated } from '../peers/isolated.js';
import { expectValid } from '../peers/report.js';
import { shareOf } from '../seed.js';

const script = fileURLToPath(new URL('../peers/child-node.mjs', import.meta.url));
const account = '0x71562b71999873db5b286df957af199ec94617f7';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kaiactl-addresses-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A node with a data folder and IPC of its own, which has an unlocked account where it is asked to. */
function node(name: string, host: string, sockets: readonly string[], isUnlocked = false): Peer {
  const data = join(folder, name);
  mkdirSync(data);
  const settings = ['--rpc', '--rpcaddr', host, '--rpcport', '8551', '--datadir', data];
  const own = ['modules=kaia,net,personal', `ipc=${join(data, 'klay.ipc')}`];
  return {
    script,
    words: ['ken', ...sockets, ...own, ...(isUnlocked ? [`unlocked=${account}`] : []), ...settings],
  };
}

/** `target` '': the node of the machine. */
function audited(target: string, isolation: Isolation) {
  const words = ['node', 'audit', '--format', 'json', ...(target === '' ? [] : [target])];
  const { stdout } = runIsolated(words, isolation);
  const [found] = (expectValid(stdout) as Report).targets;
  if (found === undefined) throw new Error('no target');
  return found;
}
const isUnlocked = ({ findings }: Report['targets'][number]) =>
  findings.some(({ rule }) => rule === 'unlocked-account');

describe.skipIf(!canIsolate)('in namespaces (skipped where they may not be made)', () => {
  const pairs = [
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.1', '[::1]'],
    ['[::1]', '127.0.0.1'],
    ['198.51.100.7', '[2001:db8::7]'],
    ['only6/[::]', '0.0.0.0'],
    ['0.0.0.0', 'only6/[::]'],
  ] as const;
  test.each(shareOf(2, pairs))(
    'nodes at %s and %s are each judged by its own process and IPC',
    (first, second) => {
      const bare = (host: string) => host.replace(/^only6\/|[[\]]/g, '');
      const peers = [
        node('one', bare(first), [`listen=${first}:8551`]),
        node('two', bare(second), [`listen=${second}:8551`], true),
      ];
      const addresses = ['198.51.100.7/32', '2001:db8::7/128'];
      for (const [host, name] of [
        [first, 'one'],
        [second, 'two'],
      ] as const) {
        const dialled = host.replace('only6/', '').replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]');
        const target = audited(`http://${dialled}:8551`, { peers, addresses });
        expect(target.process?.dataDir).toBe(join(folder, name));
        expect(target.interfaces.map(({ endpoint }) => endpoint)).toContain(
          `ipc:${join(folder, name, 'klay.ipc')}`,
        );
        expect(isUnlocked(target)).toBe(name === 'two');
      }
    },
  );

  test.each([
    ['127.0.0.1', '198.51.100.7'],
    ['[::1]', '[2001:db8::7]'],
    ['127.0.0.1', '[2001:db8::7]'],
  ])('http on %s and ws, opened at run time, on %s at one port: both are asked', (local, open) => {
    const peers = [node('one', local.replace(/[[\]]/g, ''), [`listen=${local}:8551`, `ws=${open}:8551`])];
    const addresses = ['198.51.100.7/32', '2001:db8::7/128'];
    const target = audited(`http://${local}:8551`, { peers, addresses });
    const shown = target.interfaces.map(({ endpoint, state, reach }) => [endpoint, state, reach]);
    expect(shown).toContainEqual([`http://${local}:8551`, 'open', 'loopback']);
    expect(shown).toContainEqual([`ws://${open}:8551`, 'open', 'any']);
    const subjects = target.findings.map(({ rule, severity, subject }) => `${severity} ${rule} ${subject}`);
    expect(subjects).toContain('critical privileged-module ws personal');
    expect(subjects.some((one) => one.includes(`undeclared-interface ws://${open}:8551`))).toBe(true);
  });

  test('a dual-stack socket is the node’s at both families', () => {
    const peers = [node('one', '::', ['listen=[::]:8551'], true)];
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const target = audited(`http://${host}:8551`, { peers });
      expect(target.process?.dataDir).toBe(join(folder, 'one'));
      expect(target.interfaces[0]).toMatchObject({ bind: ['::'], reach: 'any' });
      expect(isUnlocked(target)).toBe(true);
    }
  });

  test('an interface that was stopped at run time, as IPC and the sockets tell, is closed', () => {
    const target = audited('', { peers: [node('one', '127.0.0.1', [])] });
    const shown = target.interfaces.map(({ transport, state }) => [transport, state]);
    expect(shown).toContainEqual(['http', 'closed']);
    expect(shown).toContainEqual(['ipc', 'open']);
    expect(target.undetermined).toEqual([]);
  });

  test('a node at the same address in another network namespace is not the one that answers', () => {
    const peers = [
      { ...node('apart', '127.0.0.1', ['listen=127.0.0.1:8551'], true), isApart: true },
      node('here', '127.0.0.1', ['listen=127.0.0.1:8551']),
    ];
    const target = audited('http://127.0.0.1:8551', { peers });
    expect(target.process?.dataDir).toBe(join(folder, 'here'));
    expect(isUnlocked(target)).toBe(false);
  });
});
