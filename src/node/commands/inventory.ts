/** A fleet in a file: one section for each node. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'ini';
import { KaiactlError } from '../../errors.js';
import { type Address, hostPort, parseEndpoint } from '../../jsonrpc/endpoint.js';
import { closest } from '../../util/closest.js';
import { visible } from '../../util/visible.js';
import { policies } from '../kinds/kaia/policies.js';
import { type IniSource, iniPlace } from './ini-place.js';

/** One node of the fleet. Paths are absolute. */
export interface InventoryNode {
  readonly name: string;
  readonly role: string | null;
  /** The node's conf file, if there is a copy here. */
  readonly conf: string | null;
  /** rpc, ws and ipc, in that order. */
  readonly endpoints: readonly Address[];
  /** The metrics port: `http://host:port`. */
  readonly metrics: string | null;
}

const maxBytes = 4 << 20;
const keys = ['rpc', 'ws', 'ipc', 'conf', 'role', 'metrics'] as const;

/**
 * Reads `[name]` sections with `rpc`, `ws`, `ipc`, `metrics` (endpoints), `conf` (a path, relative to the inventory)
 * and `role`.
 * @throws {KaiactlError} when the file cannot be read, has no node, or a node has nothing to look at (exit 2)
 */
export async function readInventory(file: string): Promise<InventoryNode[]> {
  const source: IniSource = { file, text: load(file) };
  const sections = Object.entries(parse(source.text));
  const loose = sections.find(
    ([, value]) => typeof value !== 'object' || value === null || Array.isArray(value),
  );
  if (loose !== undefined) {
    throw new KaiactlError(`${file}: ${loose[0]} stands before the first section`, {
      hint: 'Each node is a section: [en-1].',
    });
  }
  if (sections.length === 0)
    throw new KaiactlError(`${file} lists no node`, { hint: 'Each node is a section: [en-1].' });
  return sections.flatMap(([name, values]) => nodesOf(source, name, values as Record<string, unknown>));
}

/** ini turns [a.b] into nested objects; host names have dots, so they are put together again. */
function nodesOf(source: IniSource, name: string, values: Record<string, unknown>): InventoryNode[] {
  const nested = Object.entries(values).filter(
    ([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const deeper = nested.flatMap(([part, value]) =>
    nodesOf(source, `${name}.${part}`, value as Record<string, unknown>),
  );
  const own = Object.entries(values).filter(([, value]) => typeof value !== 'object' || Array.isArray(value));
  return own.length === 0 && nested.length > 0
    ? deeper
    : [nodeOf(source, name, Object.fromEntries(own)), ...deeper];
}

function nodeOf(source: IniSource, name: string, values: Record<string, unknown>): InventoryNode {
  const { file } = source;
  const unknown = Object.keys(values).find((key) => !keys.some((one) => one === key));
  if (unknown !== undefined) {
    throw new KaiactlError(`${iniPlace(source, name, unknown)}: there is no key ${visible(unknown, 40)}`, {
      hint: `Keys: ${keys.join(', ')}.`,
    });
  }
  const text = (key: (typeof keys)[number]): string | null => {
    const value = values[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const read = <T>(key: (typeof keys)[number], parse: (value: string) => T): T | null => {
    const value = text(key);
    return value === null ? null : placed(source, [name, key], () => parse(value));
  };
  const conf = text('conf');
  const endpoints = [
    read('rpc', parseEndpoint),
    read('ws', parseEndpoint),
    read('ipc', (value) => parseEndpoint(ipcName(file, value))),
  ].filter((one) => one !== null);
  if (endpoints.length === 0 && conf === null) {
    throw new KaiactlError(`${iniPlace(source, name, null)} names neither an endpoint nor a conf`, {
      hint: 'For example rpc = http://10.0.0.5:8551.',
    });
  }
  return {
    name,
    role: read('role', roleNamed),
    conf: conf === null ? null : resolve(dirname(file), conf),
    endpoints,
    metrics: read('metrics', metricsUrl),
  };
}

/** Any word; one that is nearly a policy's name was meant to be it. @throws {KaiactlError} (exit 2) */
function roleNamed(name: string): string {
  const near = Object.hasOwn(policies, name) ? null : closest(name, Object.keys(policies));
  if (near === null) return name;
  throw new KaiactlError(`there is no role ${visible(name, 60)}`, { hint: `Did you mean ${near}?` });
}

/** `http://host:port`, and nothing more. @throws {KaiactlError} (exit 2) */
function metricsUrl(text: string): string {
  const { endpoint, authorization } = /^https?:\/\//i.test(text)
    ? parseEndpoint(text)
    : { endpoint: null, authorization: null };
  const url = endpoint?.kind === 'http' ? new URL(endpoint.url) : null;
  if (url !== null && authorization === null && url.pathname === '/' && url.search === '') return url.origin;
  throw new KaiactlError(
    `${visible(text.replace(/\/\/.*@/s, '//…@'), 80)} is not the address of a metrics port`,
    {
      hint: hostPort.test(text)
        ? `Write http://${text}.`
        : 'Write it as http://127.0.0.1:61001, without a path.',
    },
  );
}

/** Runs `read`; what it says is wrong is said with the place. */
function placed<T>(source: IniSource, [section, key]: readonly [string, string], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof KaiactlError)) throw error;
    throw new KaiactlError(`${iniPlace(source, section, key)}: ${key}: ${error.message}`, {
      notes: error.notes,
      ...(error.hint === null ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}

function ipcName(file: string, text: string): string {
  return /^ipc:|^\\\\/i.test(text) ? text : `ipc:${resolve(dirname(file), text)}`;
}

function load(file: string): string {
  try {
    if (statSync(file).size > maxBytes) throw new Error('larger than 4 MiB');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new KaiactlError(`cannot read the inventory ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
