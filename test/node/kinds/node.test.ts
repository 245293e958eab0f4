import { expect, test } from 'vitest';
import type { Facts } from '../../../src/node/facts/facts.js';
import { notSeen, seen } from '../../../src/node/facts/seen.js';
import type { Settings } from '../../../src/node/facts/settings.js';
import { kinds } from '../../../src/node/kinds/index.js';
import {
  addedBy,
  canonicalModule,
  hasUnsafeDebug,
  kindAnswering,
  kindBehind,
  kindKnown,
  kindOf,
  moduleOn,
  nameInEach,
  policyOfRole,
  roleOf,
  unsafeDebugOf,
  withKind,
} from '../../../src/node/kinds/node.js';
import { confOf, factsOf, processOf } from '../judge/facts.js';

const release = (value: string, until = value, since = value) =>
  ({ value: since === until ? value : null, since, until, by: 'option' }) as const;
const settingsOf = (over: Partial<Settings>): Settings => confOf([], over).settings;
const nodeOf = (kind: string, since?: string, until = since) =>
  withKind(
    kinds,
    settingsOf({ kind, ...(since === undefined ? {} : { release: release(since, until ?? since, since) }) }),
  );

test('a kind is known by its id, at the last release that the node may be', () => {
  expect(kindKnown(kinds, { kind: 'kaia' })?.release.id).toBe(
    kinds.find(({ id }) => id === 'kaia')?.releases.at(-1)?.id,
  );
  expect(
    kindKnown(kinds, { kind: 'geth', release: release('geth/v1.9.0', 'geth/v1.10.0', 'geth/v1.9.0') })
      ?.release.id,
  ).toBe('geth/v1.10.0');
  expect(kindKnown(kinds, { kind: 'other' })).toBeNull();
  expect(kindKnown(kinds, { kind: null })).toBeNull();
  expect(() => kindOf(kinds, { kind: 'other' })).toThrow('no kind of node is called other');
});

const refused = notSeen('refused', '');

test.each<
  [
    string,
    modules: readonly string[] | null,
    client: string | null,
    chain: string | null,
    kind: string | null,
  ]
>([
  ['a module of its own', ['kaia', 'rpc'], 'Geth/v1.9.0', null, 'kaia'],
  ['the name of its client', ['eth', 'rpc'], 'Klaytn/v1.9.0/linux', null, 'kaia'],
  ['its client and chain', null, 'Geth/v1.7.8', '56', 'bsc'],
  ['its client', null, 'Geth/v1.7.8', null, 'geth'],
  ['another client', null, 'Nethermind/v1.25', '1', 'nethermind'],
  ['a name of several words', null, 'My Node 2.0/x', null, 'my node 2.0'],
  ['no name', null, '/x', null, null],
  ['nothing', ['eth'], null, '56', null],
])('a node is known by %s', (_, modules, client, chain, kind) => {
  const fact = <T>(value: T | null) => (value === null ? refused : seen(value));
  const named = modules === null ? null : Object.fromEntries(modules.map((name) => [name, '1.0']));
  expect(kindAnswering(kinds, { modules: fact(named), client: fact(client), chain: fact(chain) })).toBe(kind);
});

test('the kind behind a process is the one that answers, if it has the program of the process', () => {
  const answers = (client: string) => [{ modules: refused, client: seen(client), chain: seen('56') }];
  const behind = (argv: readonly string[], client: string) =>
    kindBehind(kinds, { argv }, answers(client))?.id;
  expect(behind(['/usr/bin/geth', '--http'], 'Geth/v1.7.8')).toBe('bsc');
  expect(behind(['/usr/bin/geth', '--http'], 'Klaytn/v1.9.0')).toBeUndefined();
  expect(behind(['/usr/bin/ken', '--rpc'], 'Klaytn/v1.9.0')).toBeUndefined();
  expect(kindBehind(kinds, { argv: ['/usr/bin/geth'] }, [])).toBeNull();
});

test('modules of an unknown kind are the common ones, under their own name', () => {
  const unknown = { ...nodeOf('kaia'), nodeKind: null };
  expect([moduleOn(unknown, 'admin')?.privileged, moduleOn(unknown, 'governance')]).toEqual([true, null]);
  expect([canonicalModule(unknown, 'klay'), canonicalModule(nodeOf('kaia'), 'klay')]).toEqual([
    'klay',
    'kaia',
  ]);
  expect(moduleOn(nodeOf('kaia'), 'governance')).not.toBeNull();
});

test.each([
  ['kaia/v2.2.1', 'rpc.unsafe-debug.disable', false],
  ['klaytn/v1.9.0', 'rpc.unsafe-debug.disable', true],
  [undefined, 'rpc.unsafe-debug.disable', false],
  ['klaytn/v1.9.0', 'rpcport', false],
  ['klaytn/v1.9.0', 'nonsense', false],
])('whether a later release than %s added --%s: %s', (since, flag, isLater) => {
  const node = nodeOf('kaia', since);
  expect(addedBy(node, flag) !== null).toBe(isLater);
  expect(addedBy({ ...node, nodeKind: null }, flag)).toBeNull();
});

test.each([
  ['geth/v1.17.0', 'geth/v1.17.0', 'http.port', 'http.port'],
  ['geth/v1.9.0', 'geth/v1.9.0', 'http.port', null],
  ['geth/v1.9.0', 'geth/v1.9.0', 'rpcport', 'rpcport'],
  ['geth/v1.9.0', 'geth/v1.17.0', 'http.port', null],
  ['geth/v1.9.0', 'geth/v1.17.0', 'datadir', 'datadir'],
])('a node of %s to %s has --%s as %s', (since, until, flag, name) => {
  expect(nameInEach({ ...nodeOf('geth', since, until), launcher: 'geth' }, flag)).toBe(name);
});

test('without a known release a flag keeps its name', () => {
  expect(nameInEach({ ...nodeOf('geth'), launcher: 'geth' }, 'http.port')).toBe('http.port');
});

test('the switch of unsafe debug methods moves what every release that it may be moves', () => {
  const exact = unsafeDebugOf(nodeOf('kaia', 'kaia/v2.2.1'));
  const any = unsafeDebugOf(nodeOf('kaia'));
  const oldest = nodeOf('kaia').nodeKind.releases[0]?.id ?? '';
  expect(exact?.moved.length).toBeGreaterThan(any?.moved.length ?? 0);
  expect(exact?.moved).toEqual(expect.arrayContaining([...(any?.moved ?? [])]));
  expect(unsafeDebugOf(nodeOf('kaia', oldest))).toBeNull();
  expect(unsafeDebugOf(nodeOf('geth'))).toBeNull();
  expect(unsafeDebugOf({ nodeKind: null })).toBeNull();
  const has = [nodeOf('kaia', oldest), nodeOf('geth'), { nodeKind: null }].map(hasUnsafeDebug);
  expect(has).toEqual([true, false, false]);
});

const policy = { name: 'public-en', version: 1, about: '', interfaces: {} };

test.each<[string, Partial<Facts>, Parameters<typeof roleOf>[2], string | null]>([
  ['its operator', { role: 'x' }, policy, 'x'],
  ['the name of its policy', {}, policy, 'public-en'],
  ['its launcher', {}, null, 'endpoint'],
  ['its launcher, since its policy is called otherwise', {}, { ...policy, name: 'mine' }, 'endpoint'],
  ['nothing, since its launcher is a guess', { conf: seen(confOf([], { by: 'guess' })) }, null, null],
  ['nothing, since its settings were not seen', { conf: refused }, null, null],
  ['its process', { conf: null, live: { process: processOf(['--rpc']) } as never }, null, 'endpoint'],
  [
    'nothing, since its process was not seen',
    { conf: null, live: { process: refused } as never },
    null,
    null,
  ],
])('a node has the role that %s gives it', (_, over, given, role) => {
  expect(roleOf(kinds, { ...factsOf(confOf([])), ...over }, given)).toBe(role);
});

test('a role may have a policy', () => {
  expect(policyOfRole(kinds, 'public-en')?.name).toBe('public-en');
  expect([policyOfRole(kinds, 'toString'), policyOfRole(kinds, null)]).toEqual([null, null]);
});

test.each(kinds)('every policy of $id is for it, and is the one of its role', ({ id, policies }) => {
  expect(Object.values(policies).length).toBeGreaterThan(0);
  for (const policy of Object.values(policies)) {
    expect(policy.kinds).toContain(id);
    expect(policyOfRole(kinds, policy.name)).toBe(policy);
  }
});
