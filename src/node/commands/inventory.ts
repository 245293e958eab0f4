/** Inventories: an ini file with a section for each node. */
import { dirname, resolve } from 'node:path';
import { addPlace, KaiactlError } from '../../errors.js';
import { readText } from '../../input.js';
import { type Address, hostPort, parseEndpoint } from '../../jsonrpc/endpoint.js';
import { type IniSection, sectionsOf } from '../../options/ini.js';
import { closest, suggest } from '../../util/closest.js';
import { repeatedIn } from '../../util/group-by.js';
import { maskUrls } from '../../util/mask-url.js';
import { visible } from '../../util/visible.js';
import type { AssumedReach } from '../facts/settings.js';
import { kinds, roles } from '../kinds/index.js';
import { knownVersion, readAssumedReach } from './conf-options.js';
import { readTimeout } from './connection.js';

/** Paths are absolute. */
export interface InventoryNode {
  readonly name: string;
  readonly role: string | null;
  /** The release it is; null if not given. */
  readonly nodeVersion: string | null;
  /** From `http=private, ws=loopback`. */
  readonly assumeReach: AssumedReach | null;
  /** The path of the node's conf on this machine. */
  readonly conf: string | null;
  /** rpc, ws and ipc, in that order. */
  readonly endpoints: readonly Address[];
  /** The metrics port: `http://host:port`. */
  readonly metrics: string | null;
  /** For all interfaces together; null if --timeout applies. */
  readonly timeoutMs: number | null;
}

interface Problem {
  /** Of the section. */
  readonly name: string;
  readonly error: KaiactlError;
}

export interface Inventory {
  readonly nodes: readonly InventoryNode[];
  readonly problems: readonly Problem[];
}

const keys = [
  'rpc',
  'ws',
  'ipc',
  'conf',
  'role',
  'metrics',
  'timeout',
  'assume-reach',
  'node-version',
] as const;

/**
 * Reads `[name]` sections with `rpc`, `ws`, `ipc`, `metrics` (endpoints), `conf` (a path, relative to the inventory),
 * `role` (one of `roles`), `node-version`, `timeout` and `assume-reach`. `[defaults]` gives the default of each key.
 * `[en-[01:20]]` is twenty nodes; {name} and {n} in values are replaced by the name and the number of each node.
 * A section that is not valid is a problem, and the others are read.
 * @throws {KaiactlError} when the file cannot be read, names a node twice or has no section of a node (exit 2)
 */
export async function readInventory(file: string): Promise<Inventory> {
  const text = await readText(file, { what: `the inventory ${file}`, mib: 4 });
  const all = sectionsOf(file, text, noSection, 'Use each node name once, and each key once per node.');
  const defaults = all.find(({ name }) => name === 'defaults');
  if (defaults !== undefined) checkKeys(defaults);
  const nodes: InventoryNode[] = [];
  const problems: Problem[] = [];
  for (const section of all.filter((one) => one !== defaults)) {
    try {
      checkKeys(section);
      const names = placed(section.placeOf(), () => expandRange(section.name));
      nodes.push(...names.map((one) => nodeOf(file, one, section, defaults)));
    } catch (error) {
      if (!(error instanceof KaiactlError)) throw error;
      problems.push({ name: section.name, error });
    }
  }
  const [repeated] = repeatedIn(nodes.map(({ name }) => name));
  if (repeated !== undefined)
    throw new KaiactlError(`${file} names ${visible(repeated, 60)} twice`, {
      hint: 'Use each node name once, also in ranges.',
    });
  if (nodes.length + problems.length > 0) return { nodes, problems };
  throw new KaiactlError(`${file} lists no node`, { hint: 'Each node is a section: [en-1].' });
}

const noSection = 'Each node is a section: [en-1]. --targets-from reads a list of one target per line.';

function checkKeys({ values, placeOf }: IniSection): void {
  const unknown = Object.keys(values).find((key) => !keys.some((one) => one === key));
  if (unknown === undefined) return;
  // The interface that the node's flags and this file call rpc.
  const near = /^https?$/i.test(unknown) ? 'rpc' : closest(unknown, keys);
  throw new KaiactlError(`${placeOf(unknown)}: there is no key ${visible(unknown, 40)}`, {
    hint: `${near === null ? '' : `Did you mean ${near}? `}Keys: ${keys.join(', ')}.`,
  });
}

/** A node of a section, with the values of [defaults] for missing keys. */
function nodeOf(file: string, node: Ranged, section: IniSection, defaults = section): InventoryNode {
  const read = <T>(key: (typeof keys)[number], parse: (value: string) => T): T | null => {
    const { values, placeOf } = Object.hasOwn(section.values, key) ? section : defaults;
    const value = values[key];
    if (typeof value !== 'string' || value === '') return null;
    return placed(`${placeOf(key)}: ${key}`, () => parse(fillIn(value, node)));
  };
  const conf = read('conf', (value) => resolve(dirname(file), value));
  const endpoints = [
    read('rpc', (value) => parseEndpoint(value)),
    read('ws', (value) => parseEndpoint(value, 'ws')),
    read('ipc', (value) => parseEndpoint(ipcName(file, value))),
  ].filter((one) => one !== null);
  if (endpoints.length === 0 && conf === null) {
    throw new KaiactlError(`${section.placeOf()} names neither an endpoint nor a conf`, {
      hint: 'For example rpc = http://10.0.0.5:8551.',
    });
  }
  return {
    name: node.name,
    role: read('role', roleNamed),
    nodeVersion: read('node-version', (value) => knownVersion(kinds, value, '') ?? null),
    assumeReach: read('assume-reach', (value) => readAssumedReach([value])) ?? null,
    conf,
    endpoints,
    metrics: read('metrics', metricsUrl),
    timeoutMs: read('timeout', readTimeout),
  };
}

/** @throws {KaiactlError} on an unknown role (exit 2) */
function roleNamed(name: string): string {
  if (roles.includes(name)) return name;
  throw new KaiactlError(`there is no role ${visible(name, 60)}`, {
    hint: suggest(name, roles, `Roles: ${roles.join(', ')}.`),
  });
}

/** `http://host:port`. @throws {KaiactlError} on any other text (exit 2) */
function metricsUrl(text: string): string {
  const { endpoint, authorization } =
    /^https?:\/\//i.test(text) || hostPort.test(text)
      ? parseEndpoint(text)
      : { endpoint: null, authorization: null };
  const url = endpoint?.kind === 'http' ? new URL(endpoint.url) : null;
  if (url !== null && authorization === null && url.pathname === '/' && url.search === '') return url.origin;
  throw new KaiactlError(`${visible(maskUrls(text), 80)} is not the address of a metrics port`, {
    hint: 'Write it as http://127.0.0.1:61001, without a path.',
  });
}

/** Runs `read` and adds the place to its errors. */
function placed<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw addPlace(place, error);
  }
}

function ipcName(file: string, text: string): string {
  return /^ipc:|^\\\\/i.test(text) ? text : `ipc:${resolve(dirname(file), text)}`;
}

/** A name, and the numbers in place of its ranges, as written. */
interface Ranged {
  readonly name: string;
  readonly numbers: readonly string[];
}

/** A longer range is a typo. */
const maxNames = 100_000;
const range = /\[(\d{1,9}):(\d{1,9})\]/;

/**
 * The names in order. Leading zeros of the first number are kept.
 * @throws {KaiactlError} when a range runs backwards or is too long (exit 2)
 */
export function expandRange(name: string): Ranged[] {
  const match = range.exec(name);
  if (match === null) return [{ name, numbers: [] }];
  const [whole, first = '', last = ''] = match;
  const count = Number(last) - Number(first) + 1;
  if (count < 1 || count > maxNames)
    throw new KaiactlError(`${visible(name, 80)}: ${whole} is not a range`, {
      hint: `Write the smaller number first, at most ${maxNames} in all: en-[01:20].`,
    });
  const all = Array.from({ length: count }, (_, at) =>
    String(Number(first) + at).padStart(first.length, '0'),
  );
  return all.flatMap((number) => {
    const rest = expandRange(name.slice(match.index + whole.length));
    return rest.map((one) => ({
      name: name.slice(0, match.index) + number + one.name,
      numbers: [number, ...one.numbers],
    }));
  });
}

/** Replaces `{name}` by the name of the node, `{n}` by its number in the first range. */
export function fillIn(value: string, { name, numbers }: Ranged): string {
  return value.replaceAll('{name}', name).replaceAll('{n}', numbers[0] ?? '');
}
