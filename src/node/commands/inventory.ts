/** A fleet in a file: one section for each node. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'ini';
import { KaiactlError } from '../../errors.js';

/** One node of the fleet. Paths are absolute. */
export interface InventoryNode {
  readonly name: string;
  readonly role: string | null;
  /** The node's conf file, if there is a copy here. */
  readonly conf: string | null;
  /** As written: rpc, ws and ipc, in that order. */
  readonly endpoints: readonly string[];
  /** Address of the metrics port. */
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
  const sections = Object.entries(parse(load(file)));
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
  return sections.flatMap(([name, values]) => nodesOf(file, name, values as Record<string, unknown>));
}

/** ini turns [a.b] into nested objects; host names have dots, so they are put together again. */
function nodesOf(file: string, name: string, values: Record<string, unknown>): InventoryNode[] {
  const nested = Object.entries(values).filter(
    ([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const deeper = nested.flatMap(([part, value]) =>
    nodesOf(file, `${name}.${part}`, value as Record<string, unknown>),
  );
  const own = Object.entries(values).filter(([, value]) => typeof value !== 'object' || Array.isArray(value));
  return own.length === 0 && nested.length > 0
    ? deeper
    : [nodeOf(file, name, Object.fromEntries(own)), ...deeper];
}

function nodeOf(file: string, name: string, values: Record<string, unknown>): InventoryNode {
  const unknown = Object.keys(values).find((key) => !keys.some((one) => one === key));
  if (unknown !== undefined) {
    throw new KaiactlError(`${file} [${name}]: there is no key ${unknown}`, {
      hint: `Keys: ${keys.join(', ')}.`,
    });
  }
  const text = (key: (typeof keys)[number]): string | null => {
    const value = values[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const ipc = text('ipc');
  const conf = text('conf');
  const endpoints = [text('rpc'), text('ws'), ipc === null ? null : ipcName(file, ipc)].filter(
    (one) => one !== null,
  );
  if (endpoints.length === 0 && conf === null) {
    throw new KaiactlError(`${file} [${name}] names neither an endpoint nor a conf`, {
      hint: 'For example rpc = http://10.0.0.5:8551.',
    });
  }
  return {
    name,
    role: text('role'),
    conf: conf === null ? null : resolve(dirname(file), conf),
    endpoints,
    metrics: text('metrics'),
  };
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
