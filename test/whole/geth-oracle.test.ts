/**
 * Generated starts of geth against `geth … dumpconfig`, which prints the effective TOML and starts nothing. GETH names
 * the program, whose release decides which flags a start has: `GETH=geth npm run test:geth -- 5000`.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { geth } from '../../src/node/kinds/geth/index.js';
import { formerNames, nameIn } from '../../src/node/kinds/geth/names.js';
import type { TomlFile } from '../../src/node/kinds/kind.js';
import { settingsOfWords } from '../../src/node/sources/argv/node.js';
import { LineIndex } from '../../src/node/sources/text/line-index.js';
import { layerOf } from '../../src/node/sources/toml/layer.js';
import { groupBy } from '../../src/util/group-by.js';
import { gethOf, gethSettings } from '../node/sources/geth.js';
import { Random } from '../node/sources/random.js';
import { seed } from '../seed.js';

const program = process.env.GETH ?? '';
const count = Number(process.env.KAIACTL_TEST_GETH ?? 0);
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-geth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hosts = ['', '0.0.0.0', '127.0.0.1', '::', 'node.example.org'];
const lists = ['', 'eth', '*', 'eth, net', ',', 'eth,admin,,debug', 'ETH,nosuch'];
const numbers = ['0', '1', '08', '8545', '0x10', '30303'];
const texts: Readonly<Record<string, readonly string[]>> = {
  string: [...hosts, ...lists, '/rpc'],
  path: ['/x/y', 'y'],
  bool: ['true', 'false', '1', 'F', 'yes', ''],
  int: [...numbers, ''],
  uint64: numbers,
  float: ['0', '1.5', '1e3'],
  duration: ['0', '5s', '1m30s', '250ms', '7'],
};
const kind = program === '' ? geth : gethOf(program);
const flags = kind.flags.of('geth');
const config = kind.configFile as TomlFile;

/** Flags by their names of today, and by their former ones where the release has them. */
const named = [
  'http http.addr http.port http.api http.corsdomain http.vhosts http.rpcprefix',
  'ws ws.addr ws.port ws.api ws.origins ws.rpcprefix',
  'authrpc.addr authrpc.port authrpc.vhosts authrpc.jwtsecret graphql graphql.vhosts graphql.corsdomain',
  'graphql.addr graphql.port ipcpath ipcdisable rpc.allow-unprotected-txs rpc.batch-request-limit',
  'rpc.batch-response-max-size rpc.gascap rpc.evmtimeout rpc.txfeecap rpc.http-body-limit rpc.logquerylimit',
  'rpc.rangelimit metrics metrics.addr metrics.port maxpeers port keystore',
]
  .flatMap((line) => line.split(' '))
  .flatMap((name) => [name, formerNames[name] ?? []].flat())
  .filter((name) => flags.byName.has(name));
/** The flags that the file of the release has keys for. */
const keyed = new Set(config.keys.values());
const switches = new Set(['http', 'ws', 'graphql', 'ipcdisable'].map((name) => nameIn(flags, name)));
const comparable = [...new Set(named.map((name) => flags.byName.get(name)?.name ?? name))].filter(
  // A switch that the node looks for as plain text may differ from its file.
  (name) => keyed.has(name) && !switches.has(name) && !kind.flags.literal.has(name),
);
const listed = /\.?(?:api|corsdomain|vhosts|origins)$/;

const typeOf = (name: string) => flags.byName.get(name)?.type ?? 'string';
const textOf = (random: Random, name: string) => random.pick(texts[typeOf(name)] ?? ['x']);

/**
 * Switches and numbers of every release, each as a word: a release that lacks one does not start with it. --dev and the flags
 * of light clients change --maxpeers.
 */
const others = [...new Set(geth.releases.flatMap(({ id }) => geth.at(id).flags.of('geth').flags))].flatMap(
  ({ name, type }) => {
    if (named.includes(name) || /^(?:help|version)$|^light|^dev$/.test(name)) return [];
    if (type === 'bool') return [`--${name}`];
    return /int|float|duration/.test(type) ? [`--${name}=${type === 'duration' ? '1s' : '1'}`] : [];
  },
);

interface Start {
  readonly toml: string;
  readonly environment: string;
  readonly words: readonly string[];
}

function generate(random: Random): Start {
  const some = (most: number) => Array.from({ length: random.below(most) }, () => random.pick(named));
  const words = some(6).flatMap((name) => {
    if (typeOf(name) === 'bool')
      return [random.chance(0.7) ? `--${name}` : `--${name}=${textOf(random, name)}`];
    return random.chance(0.5) ? [`--${name}`, textOf(random, name)] : [`-${name}=${textOf(random, name)}`];
  });
  if (random.chance(0.3)) words.push(random.pick(others));
  // dumpconfig reads the variable of a path again after the words; a start does not.
  const isReadAgain = (name: string) =>
    typeOf(name) === 'path' && words.some((word) => word.replace(/^--?|=.*/g, '') === name);
  const environment = [...new Set(some(3))].flatMap((name) => {
    const value = textOf(random, name);
    if (isReadAgain(name)) return [];
    return value.includes(' ') ? [] : [`GETH_${name.replaceAll(/[.-]/g, '_').toUpperCase()}=${value}`];
  });
  const keys = [
    ...new Set(Array.from({ length: random.below(6) }, () => random.pick([...config.keys.keys()]))),
  ];
  const sections = groupBy(keys, (key) => key.slice(0, key.lastIndexOf('.')));
  const toml = [...sections]
    .flatMap(([section, own]) => [`[${section}]`, ...own.flatMap((key) => tomlLine(random, key))])
    .join('\n');
  return { toml, environment: environment.join(' '), words };
}

function tomlLine(random: Random, path: string): string[] {
  const flag = config.keys.get(path) ?? '';
  if (!comparable.includes(flag) || path.startsWith('Node.P2P')) return [];
  const key = path.slice(path.lastIndexOf('.') + 1);
  if (listed.test(flag))
    return [`${key} = ${JSON.stringify(random.pick([[], ['eth'], ['*'], ['eth', 'admin']]))}`];
  const type = typeOf(flag);
  if (type === 'bool') return [`${key} = ${random.chance(0.5)}`];
  if (type === 'float') return [`${key} = 1.5`];
  if (type === 'duration') return [`${key} = 250000000`];
  if (/int/.test(type))
    return [
      `${key} = ${random.pick(['1', '8545', key.endsWith('Port') ? '30303' : '10485760', random.chance(0.2) ? '"1"' : '7'])}`,
    ];
  return [`${key} = ${JSON.stringify(random.pick(hosts))}`];
}

/** The effective TOML, or why the node does not start. */
async function dumped(
  { toml, environment, words }: Start,
  at: number,
): Promise<{ readonly dump: string } | { readonly error: string }> {
  const path = join(folder, `${at}.toml`);
  writeFileSync(path, toml);
  const env = Object.fromEntries(
    environment
      .split(' ')
      .filter(Boolean)
      .map((one) => one.split(/=(.*)/s)),
  );
  const all = ['--datadir', join(folder, 'data'), '--config', path, ...words, 'dumpconfig'];
  return promisify(execFile)(program, all, { env, timeout: 60_000 }).then(
    ({ stdout }) => ({ dump: stdout }),
    (error: Error & { code?: unknown; stderr?: string }) => {
      if (typeof error.code !== 'number') throw error;
      return { error: error.stderr?.trim().split('\n').at(-1) ?? '' };
    },
  );
}

type Values = ReadonlyMap<string, unknown>;

/** What a flag that is not given means. */
function unset(name: string): string | null {
  if (name === 'ipcpath') return 'geth.ipc';
  return name.endsWith('api') ? 'net,web3,eth' : null;
}

function seconds(duration: string): number {
  const units: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, ns: 1e-9 };
  return [...duration.matchAll(/([\d.]+)([a-z]+)/g)].reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? Number.NaN),
    0,
  );
}

/** What is equal to the node: without blanks in a list, and with its lists where none is given. */
function normal(values: Values): Record<string, unknown> {
  const { http, ws } = kind.interfaces.flags;
  const closed = [http, ws].filter(({ enable }) => values.get(enable ?? '') !== true).map(({ addr }) => addr);
  return Object.fromEntries(
    comparable.map((name) => {
      const value = values.get(name) ?? unset(name);
      if (closed.includes(name)) return [name, ''];
      if (name === 'ipcpath' && values.get('ipcdisable') === true) return [name, ''];
      if (typeof value === 'string' && typeOf(name) === 'duration') return [name, seconds(value)];
      if (typeof value === 'string' && listed.test(name))
        return [
          name,
          value
            .split(',')
            .map((one) => one.trim())
            .filter(Boolean)
            .join(','),
        ];
      return [name, value === false || value === null || value === 0 ? '' : value];
    }),
  );
}

if (program === '')
  process.stderr.write('SKIPPED: settings against geth dumpconfig: GETH names no program\n');

test.skipIf(program === '' || count === 0)(
  'the settings are those that geth dumps',
  { timeout: 0 },
  async () => {
    const random = new Random(seed);
    const wrong: unknown[] = [];
    let compared = 0;
    for (let at = 0; at < count; at += 1) {
      const start = generate(random);
      const dump = await dumped(start, at);
      const own = settingsOfWords(gethSettings(start.toml, start.environment, start.words, kind));
      const isUnknown = Object.values(own.values).some(({ indeterminate }) => indeterminate !== null);
      if (isUnknown && own.startable) continue;
      compared += 1;
      const starts = 'dump' in dump;
      if (own.startable !== starts) wrong.push({ start, own: own.problems, geth: starts ? null : dump });
      if (!starts || !own.startable) continue;
      const told = layerOf(new LineIndex('dump', dump.dump), flags, config);
      const theirs = normal(new Map([...told.values].map(([name, { value }]) => [name, value])));
      const ours = normal(new Map(Object.entries(own.values).map(([name, { value }]) => [name, value])));
      const names = comparable.filter((name) => theirs[name] !== ours[name]);
      if (names.length > 0)
        wrong.push({ start, differ: names.map((name) => [name, ours[name], theirs[name]]) });
    }
    process.stderr.write(
      `${kind.release.id}: ${compared} of ${count} starts compared, ${wrong.length} wrong\n`,
    );
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(compared).toBeGreaterThan(count / 2);
  },
);
