/** The flags of geth and its forks and the keys of its file by release; against the facts where they lie beside the project. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configFileAt } from '../../../../src/node/kinds/geth/config-file.js';
import { flagOf, flagsAt, flagsOf } from '../../../../src/node/kinds/geth/flags.js';
import {
  bscFlavour,
  type Flavour,
  gethFlavour,
  opFlavour,
} from '../../../../src/node/kinds/geth/flavours.js';
import { geth, kindsOf } from '../../../../src/node/kinds/geth/index.js';
import type { TomlFile } from '../../../../src/node/kinds/kind.js';

const facts = new URL('../../../../../shared/facts/geth-versions.json', import.meta.url);
const beside = new URL('../../../../../../shared/facts/geth-versions.json', import.meta.url);
const path = [facts, beside].find((one) => existsSync(one));
if (path === undefined) process.stderr.write('geth-facts.test.ts: skipped, the facts are not here\n');

interface Facts {
  readonly versions: readonly { readonly tag: string }[];
  readonly flags: readonly Row[];
  readonly otherFlags: readonly Row[];
  readonly toml: { readonly retired: Readonly<Record<string, readonly string[]>> };
  readonly tomlNode: Readonly<Record<string, Omit<Row, 'name'>>>;
  readonly tomlEth: { readonly keys: Readonly<Record<string, Omit<Row, 'name'>>> };
}
interface Row {
  readonly name: string;
  readonly since: string;
  readonly until: string | null;
  readonly periods?: readonly { readonly since: string; readonly until: string | null }[];
}

test.skipIf(path === undefined)('every release has the flags that its source has', () => {
  const { versions, flags, otherFlags } = JSON.parse(readFileSync(path as URL, 'utf8')) as Facts;
  const tags = versions.map(({ tag }) => tag);
  expect(geth.releases.map(({ tag }) => tag)).toEqual(tags);
  const rows = [...flags, ...otherFlags];
  expect(rows.length).toBeGreaterThan(300);
  const at = (tag: string) => tags.indexOf(tag);
  for (const [index, tag] of tags.entries()) {
    const has = geth.at(`geth/${tag}`).flags.of('geth').byName;
    const wanted = rows.filter(({ periods, ...own }) =>
      (periods ?? [own]).some(
        ({ since, until }) => at(since) <= index && (until === null || at(until) >= index),
      ),
    );
    const names = wanted.map(({ name }) => name).sort();
    const own = [...has.keys()].filter((name) => rows.some((row) => row.name === name)).sort();
    expect(own, tag).toEqual(names);
  }
});

test.skipIf(path === undefined)('the file of every release has the keys that its source has', () => {
  const { versions, toml, tomlNode, tomlEth } = JSON.parse(readFileSync(path as URL, 'utf8')) as Facts;
  const tags = versions.map(({ tag }) => tag);
  const at = (tag: string) => tags.indexOf(tag);
  // The facts have the keys of [Eth] from v1.10.0 on. A release warns of retired keys, and starts.
  const [first, firstOfEth] = ['v1.6.0', 'v1.10.0'].map(at) as [number, number];
  const retired = new Set(Object.values(toml.retired).flat());
  const sections = [
    ['Node', tomlNode, first],
    ['Eth', tomlEth.keys, firstOfEth],
  ] as const;
  for (const [section, keys, from] of sections)
    for (const [name, { since, until }] of Object.entries(keys))
      for (const [index, tag] of tags.entries()) {
        if (index < from) continue;
        const key = `${section}.${name}`;
        const isThere = at(since) <= index && (until === null || at(until) >= index || retired.has(key));
        const { isRefused } = geth.at(`geth/${tag}`).configFile as TomlFile;
        expect(isRefused(key), `${key} ${tag}`).toBe(!isThere);
      }
});

const flavours = { geth: gethFlavour, bsc: bscFlavour, 'op-geth': opFlavour };

/** A name, and the releases with which a new part begins for settings that have it. */
const gethParts: readonly (readonly [string, string])[] = [
  ['datadir', ''],
  ['authrpc.addr', 'v1.10.17 v1.12.1'],
  ['unlock', 'v1.9.0 v1.14.12 v1.17.4'],
  ['metrics.addr', 'v1.9.16 v1.15.0'],
  ['rpcaddr', 'v1.9.14 v1.10.9'],
  ['http', 'v1.9.14 v1.10.9'],
  ['http.rpcprefix', 'v1.10.0'],
  ['wsport', 'v1.9.13 v1.9.14 v1.9.19 v1.10.0'],
  ['shh', 'v1.9.21 v1.10.0'],
  ['config', 'v1.6.0 v1.9.0 v1.9.19 v1.10.0 v1.10.20 v1.13.6 v1.17.4'],
  ['GETH_HTTP', 'v1.13.1'],
  ['personal', 'v1.14.12'],
  ['engine', 'v1.10.14 v1.10.16 v1.10.19 v1.11.0'],
  ['miner', 'v1.14.0'],
  ['Node.NoUSB', 'v1.6.1 v1.17.4'],
  ['Eth.RPCGasCap', 'v1.9.0'],
  ['Eth.NoSuchKey', ''],
  ['toString', ''],
  [
    '',
    'v1.8.18 v1.9.0 v1.9.7 v1.9.16 v1.9.21 v1.10.3 v1.10.14 v1.10.16 v1.10.19 v1.10.20 v1.10.21 v1.11.0 v1.12.1 v1.13.1 v1.13.6 v1.14.0 v1.14.12 v1.17.1',
  ],
];
const bscParts: typeof gethParts = [
  ['datadir', ''],
  ['diffsync', 'v1.3.13'],
  ['db.engine', 'v1.3.13 v1.4.18'],
  ['rpc', 'v1.1.0 v1.1.12'],
  ['unlock', 'v1.5.19'],
];

test.each(['geth', 'bsc'] as const)('settings of %s change their meaning with some releases', (id) => {
  const flavour = flavours[id];
  const { all, whole } = flavour.releases;
  const table = { geth: gethParts, bsc: bscParts }[id];
  const { since: first, until: last } = whole;
  for (const [name, starts] of table) {
    const parts = kindsOf(flavour).parts(first, last, new Map([[name, null]]));
    const tags = parts.slice(1).map(({ since }) => since.slice(since.indexOf('/') + 1));
    expect(tags.join(' '), name).toBe(starts);
    expect([parts[0]?.since, parts.at(-1)?.until]).toEqual([first, last]);
    for (const [at, { until }] of parts.slice(0, -1).entries()) {
      const place = all.findIndex(({ id }) => id === until);
      expect(all[place + 1]?.id).toBe(parts[at + 1]?.since);
    }
  }
});

test('a release at an end of a range begins no part of its own', () => {
  const parts = (since: string, until: string) =>
    geth.parts(`geth/${since}`, `geth/${until}`, new Map([['metrics', null]])).map((one) => one.since);
  expect(parts('v1.9.16', 'v1.14.13')).toEqual(['geth/v1.9.16']);
  expect(parts('v1.14.13', 'v1.15.0')).toEqual(['geth/v1.14.13', 'geth/v1.15.0']);
  expect(parts('v1.15.0', 'v1.15.0')).toEqual(['geth/v1.15.0']);
});

/** A flag, its first and its last release (empty: the first or the last known), type, default and aliases. */
const flags: readonly (readonly [id: string, string, period: string | null, last: string])[] = [
  ['geth', 'http', 'v1.9.14..', 'bool null rpc'],
  ['geth', 'rpc', '..v1.10.8', 'bool null '],
  ['geth', 'http.rpcprefix', 'v1.10.0..', 'string null '],
  ['geth', 'unlock', '..v1.17.3', 'string null '],
  ['geth', 'authrpc.jwtsecret', 'v1.10.17..', 'path null '],
  ['geth', 'blobpool.datacap', 'v1.12.1..', 'uint64 2684354560 '],
  ['geth', 'datadir', '..', 'path null '],
  ['geth', 'nosuch', null, ''],
  ['geth', 'toString', null, ''],
  ['bsc', 'blswallet', '..', 'path null '],
  ['bsc', 'diffsync', '..v1.2.15', 'bool null '],
  ['bsc', 'db.engine', 'v1.3.13..', 'string null '],
  ['bsc', 'instance', 'v1.4.18..', 'int 1 '],
  ['bsc', 'block-amount-reserved', '..v1.4.18', 'uint64 null '],
  ['bsc', 'history.blocks', 'v1.5.19..', 'uint64 0 '],
  ['bsc', 'authrpc.addr', null, ''],
  ['op-geth', 'authrpc.addr', '..', 'string localhost '],
];

test('flags have a period, and the form of their last release', () => {
  for (const [id, name, period, last] of flags) {
    const found = flagsOf[id as Flavour['id']].period(name);
    const { since = `${id}/`, until = `${id}/` } = found ?? {};
    const shown = [since, until].map((one) => one.slice(id.length + 1)).join('..');
    expect(found === null ? null : shown, name).toBe(period);
    const { type, fallback, aliases = [] } = flagOf(flavours[id as Flavour['id']], name) ?? {};
    expect(period === null ? '' : `${type} ${fallback} ${aliases.join()}`, name).toBe(last);
  }
});

test.each<[Flavour['id'], tag: string, fork: string, name: string, found: string | undefined]>([
  ['geth', 'v1.9.13', '', 'rpcport', 'rpcport int 8545 '],
  ['geth', 'v1.9.14', '', 'rpcport', 'http.port int 8545 rpcport'],
  ['geth', 'v1.10.8', '', 'rpcport', 'http.port int 8545 rpcport'],
  ['geth', 'v1.10.9', '', 'rpcport', undefined],
  ['geth', 'v1.13.1', '', 'GETH_HTTP_PORT', 'http.port int 8545 '],
  ['geth', 'v1.13.0', '', 'GETH_HTTP_PORT', undefined],
  ['geth', 'v1.17.8', '', 'GETH_HELP', undefined],
  ['geth', 'v1.9.10', 'l2geth', 'RPC_PORT', 'rpcport int 8545 '],
  ['geth', 'v1.9.10', '', 'RPC_PORT', undefined],
  ['geth', 'v1.7.1', '', 'Node.WSExposeAll', 'Node.WSExposeAll bool null '],
  ['geth', 'v1.9.18', '', 'Node.WSExposeAll', 'Node.WSExposeAll bool null '],
  ['geth', 'v1.9.19', '', 'Node.WSExposeAll', undefined],
  ['geth', 'v1.10.26', '', 'authrpc.jwtsecret', 'authrpc.jwtsecret string null '],
  ['geth', 'v1.11.0', '', 'authrpc.jwtsecret', 'authrpc.jwtsecret path null '],
  ['geth', 'v1.10.9', 'celo-blockchain', 'tx-fee-recipient', 'tx-fee-recipient string 0 '],
  ['bsc', 'v1.2.15', '', 'authrpc.addr', undefined],
  ['bsc', 'v1.7.8', '', 'authrpc.addr', undefined],
  ['bsc', 'v1.4.18', '', 'fake-beacon', 'fake-beacon bool null '],
  ['bsc', 'v1.7.8', '', 'fake-beacon', undefined],
])('%s %s %s has as %s the flag %s', (id, tag, fork, name, found) => {
  const { byName, byEnvironment } = flagsAt(flavours[id], `${id}/${tag}`, fork);
  const flag = byName.get(name) ?? byEnvironment.get(name);
  expect(flag && `${flag.name} ${flag.type} ${flag.fallback} ${flag.aliases.join()}`).toBe(found);
});

const fileAt = (id: Flavour['id'], tag: string, fork = '') => {
  const [flavour, release] = [flavours[id], `${id}/${tag}`];
  return configFileAt(flavour, release, () => flagsAt(flavour, release, fork), fork);
};

test('the tables of a config file, and the uses that count, are made on demand', () => {
  let asked = 0;
  const flags = () => {
    asked += 1;
    return flagsAt(gethFlavour, 'geth/v1.13.14', '');
  };
  const file = configFileAt(gethFlavour, 'geth/v1.13.14', flags, '');
  expect([file.flag, file.names.has('Node.HTTPHost'), file.isRefused('NoSuch')]).toEqual([
    'config',
    true,
    true,
  ]);
  expect(asked).toBe(0);
  expect([file.keys.get('Node.HTTPHost'), file.switches.get('http.addr')]).toEqual(['http.addr', 'http']);
  expect(asked).toBeGreaterThan(0);
  for (const kind of [geth, kindsOf(bscFlavour)])
    expect(Object.getOwnPropertyDescriptor(kind.flags, 'counting')).not.toHaveProperty('value');
  expect(geth.at('geth/v1.9.20').flags.counting).not.toBeNull();
  expect(geth.flags.counting).toBeNull();
});

test.each<
  [Flavour['id'], tag: string, fork: string, key: string, isRefused: boolean, flag: string | undefined]
>([
  ['geth', 'v1.17.8', '', 'Node.HTTPHost', false, 'http.addr'],
  ['geth', 'v1.9.13', '', 'Node.HTTPHost', false, 'rpcaddr'],
  ['geth', 'v1.17.8', '', 'Node.NoSuch', true, undefined],
  ['geth', 'v1.17.8', '', 'NoSuch', true, undefined],
  ['geth', 'v1.17.8', '', 'NoSuch.Key', true, undefined],
  ['geth', 'v1.17.8', '', 'Node', false, undefined],
  ['geth', 'v1.17.8', '', 'Node.P2P.MaxPeers', false, 'maxpeers'],
  ['geth', 'v1.17.8', '', 'Node.P2P.Peers', true, undefined],
  ['geth', 'v1.17.8', '', 'Eth.GPO.Blocks', false, undefined],
  ['geth', 'v1.17.8', '', 'Eth.Genesis.Config', false, undefined],
  ['geth', 'v1.9.20', '', 'Shh', false, undefined],
  ['geth', 'v1.9.21', '', 'Shh', true, undefined],
  ['geth', 'v1.17.3', '', 'Node.NoUSB', false, 'nousb'],
  ['geth', 'v1.17.4', '', 'Node.NoUSB', true, undefined],
  ['bsc', 'v1.7.8', '', 'Node.BLSWalletDir', false, 'blswallet'],
  ['bsc', 'v1.7.8', '', 'Node.Instance', false, undefined],
  ['bsc', 'v1.7.8', '', 'Node.NoSuch', true, undefined],
  ['bsc', 'v1.7.8', '', 'Node.P2P.NoSuch', true, undefined],
  ['bsc', 'v1.7.8', '', 'Eth.NoSuch', false, undefined],
  ['bsc', 'v1.7.8', '', 'NoSuch', false, undefined],
  ['geth', 'v1.17.8', '', 'Node.BLSWalletDir', true, undefined],
  ['geth', 'v1.9.7', 'quorum', 'Node.Plugins', false, undefined],
  ['geth', 'v1.9.7', '', 'Node.Plugins', true, undefined],
  ['geth', 'v1.9.7', 'quorum', 'Eth.NoSuch', false, undefined],
  ['geth', 'v1.9.7', 'quorum', 'Node.NoSuch', true, undefined],
])('the file of %s %s %s: %s is refused: %s; its flag is %s', (id, tag, fork, key, isRefused, flag) => {
  const { isRefused: refuses, keys, names } = fileAt(id, tag, fork);
  expect([refuses(key), keys.get(key)]).toEqual([isRefused, flag]);
  if (flag !== undefined) expect(names.has(key)).toBe(true);
});

test('addresses in the file switch http and ws on, over a flag up to v1.13.5', () => {
  const [old, today] = [fileAt('geth', 'v1.9.13'), fileAt('geth', 'v1.13.6')];
  expect([...old.switches]).toEqual([
    ['rpcaddr', 'rpc'],
    ['wsaddr', 'ws'],
  ]);
  expect([...today.switches]).toEqual([
    ['http.addr', 'http'],
    ['ws.addr', 'ws'],
  ]);
  expect([fileAt('geth', 'v1.13.5').keepsAddress, today.keepsAddress]).toEqual([true, false]);
  expect([today.reads('geth'), today.flag, today.format]).toEqual(['all', 'config', 'toml']);
});
