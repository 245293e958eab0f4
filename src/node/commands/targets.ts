/** Targets of words on the command line: endpoints, sockets, conf files, inventories. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { readText } from '../../input.js';
import { bareHost, hostPort } from '../../jsonrpc/endpoint.js';
import { loadNodes } from '../deployment/load.js';
import type { Conf, Facts } from '../facts/facts.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import { kinds } from '../kinds/index.js';
import { withKind } from '../kinds/node.js';
import {
  type Address,
  confEndpoints,
  confMetrics,
  endpointName,
  isEndpointText,
  type Machine,
  parseEndpoint,
  type Target,
} from '../probe/index.js';
import { openConf, readConfOptions, seenOrUnreadable } from './conf-options.js';
import { shardOf } from './fleet.js';
import { gatherFolder } from './gather-confs.js';
import { type InventoryNode, readInventory } from './inventory.js';
import type { AuditOptions } from './options/live.js';
import type { ConfOptions } from './options/shared.js';
import { processTarget, runningTargets } from './processes.js';

export type TargetOptions = ConfOptions &
  Pick<AuditOptions, 'inventory' | 'targetsFrom' | 'metricsPort'> &
  Partial<Pick<AuditOptions, 'shard'>> & { readonly targets: readonly string[] };

/**
 * The targets in the given order, then those of the inventory, of all these the shard; without any, the nodes that run on
 * this machine. A conf that cannot be read stays a target without facts.
 * @throws {KaiactlError} on an invalid target, or when none is named and no node runs unless `mayBeNone` (exit 2)
 */
export async function readTargets(
  options: TargetOptions,
  machine: Machine,
  host: Host,
  { mayBeNone = false } = {},
): Promise<Target[]> {
  const words = [...options.targets, ...(await listedWords(options, host))];
  const { targetsFrom, inventory } = options;
  if (words.length === 0 && inventory === undefined && targetsFrom === undefined)
    return [...shardOf(await runningTargets(options, machine, host, { mayBeNone }), options.shard)];
  const named: Target[] = [];
  for (const word of words) named.push(...(await targetsOf(word, options, machine, host)));
  const nodes = inventory === undefined ? [] : await readInventory(resolve(host.cwd, inventory));
  // The confs of other shards are not read.
  const all = [
    ...named.map((one) => () => one),
    ...nodes.map((one) => () => inventoryTarget(one, options, host)),
  ];
  const targets: Target[] = [];
  for (const target of shardOf(all, options.shard)) targets.push(await target());
  for (const { address } of targets.flatMap(({ endpoints }) => endpoints)) {
    const name = endpointName(address.endpoint);
    if (address.isBare)
      await print(host.stderr, `kaiactl: ${name.replace(/^\w+:\/\//, '')} has no scheme: asked as ${name}\n`);
  }
  return targets;
}

/** One target per line, # begins a comment. @throws {KaiactlError} when the list is unreadable or empty (exit 2) */
export async function listedWords(
  { targetsFrom: file }: Pick<TargetOptions, 'targetsFrom'>,
  host: Host,
): Promise<string[]> {
  if (file === undefined) return [];
  const source = file === '-' ? host.stdin : resolve(host.cwd, file);
  const lines = (await readText(source, { what: `the targets from ${file}`, mib: 16 })).split('\n');
  const words = lines.map((line) => line.replace(/(?:^|\s)#.*/, '').trim()).filter((line) => line !== '');
  if (words.length > 0) return words;
  throw new KaiactlError(`${file === '-' ? 'stdin' : file} names no target`, {
    hint: 'Write one target per line.',
  });
}

async function targetsOf(
  word: string,
  options: TargetOptions,
  machine: Machine,
  host: Host,
): Promise<Target[]> {
  const pid = /^pid:(\d{1,10})$/.exec(word)?.[1];
  if (pid !== undefined) return [await processTarget(Number(pid), options, machine, host)];
  if (isEndpointText(word)) return [endpointTarget(parseEndpoint(word), options)];
  const path = resolve(host.cwd, word);
  const stat = word === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat?.isSocket()) return [endpointTarget(parseEndpoint(`ipc:${path}`), options)];
  if (stat === undefined && [/^[a-z][a-z0-9+.-]*:\/\//i, hostPort, bareHost].some((form) => form.test(word)))
    return [endpointTarget(parseEndpoint(word), options)];
  if (stat?.isDirectory()) return (await gatherFolder(word, options, host)).map(ofFacts);
  return await sourceTargets(word, options, host);
}

function ofFacts({ name, role, conf }: Facts): Target {
  return confTarget(name, role, conf ?? notSeen('unreadable', 'its settings could not be read'));
}

/** The nodes of a file; an unreadable file affects only its own target. */
async function sourceTargets(word: string, options: TargetOptions, host: Host): Promise<Target[]> {
  const loaded = await seenOrUnreadable(() => loadNodes(word, readConfOptions(options), host));
  if (loaded.state !== 'seen') return [confTarget(word, null, loaded)];
  const { nodes, problems } = loaded.value;
  const wanted = nodes.filter(({ name }) => options.service === undefined || name === options.service);
  return [
    ...wanted.map(({ name, conf }) =>
      confTarget(name === null ? word : `${word}: ${name}`, null, seen(conf)),
    ),
    ...problems.map(({ message }) => confTarget(word, null, notSeen('unreadable', message))),
  ];
}

function endpointTarget(address: Address, options: TargetOptions): Target {
  const { endpoint } = address;
  const metrics = endpoint.kind === 'ipc' ? [] : portOf(endpoint.url, options.metricsPort);
  return {
    name: endpointName(endpoint),
    role: null,
    ...(options.nodeVersion === undefined ? {} : { nodeVersion: options.nodeVersion }),
    conf: null,
    endpoints: [{ address, source: 'argument' }],
    metrics: metrics.map((url) => ({ kind: 'metrics', url, source: 'argument' })),
  };
}

function confTarget(name: string, role: string | null, conf: Seen<Conf>): Target {
  if (conf.state !== 'seen') return { name, role, conf, endpoints: [], metrics: [] };
  const settings = withKind(kinds, conf.value.settings);
  return { name, role, conf, endpoints: confEndpoints(settings), metrics: confMetrics(settings) };
}

/** The target of a node in an inventory; its conf is read now. */
export async function inventoryTarget(
  node: InventoryNode,
  options: ConfOptions,
  host: Host,
): Promise<Target> {
  const how = readConfOptions(options);
  const nodeVersion = node.nodeVersion ?? how.nodeVersion;
  const conf = node.conf === null ? null : await openConf(node.conf, { ...how, nodeVersion }, host);
  const addresses = node.endpoints;
  const known = conf?.state === 'seen' ? withKind(kinds, conf.value.settings) : null;
  const named = addresses.map(({ endpoint }) => endpoint.kind);
  // The node of a conf beside explicit endpoints may run elsewhere: its conf gives no address to connect to.
  const derived = known !== null && addresses.length === 0 ? confEndpoints(known, named) : [];
  const metrics =
    node.metrics === null
      ? derived.length > 0 && known
        ? confMetrics(known)
        : []
      : [{ kind: 'metrics' as const, url: node.metrics, source: 'inventory' as const }];
  return {
    name: node.name,
    role: node.role,
    ...(node.assumeReach === null ? {} : { assumeReach: node.assumeReach }),
    ...(nodeVersion === undefined ? {} : { nodeVersion }),
    ...(node.timeoutMs === null ? {} : { timeoutMs: node.timeoutMs }),
    conf,
    endpoints: [...addresses.map((address) => ({ address, source: 'inventory' as const })), ...derived],
    metrics,
  };
}

function portOf(url: string, port: string | undefined): string[] {
  if (port === undefined) return [];
  if (!/^\d{1,5}$/.test(port) || Number(port) === 0 || Number(port) > 65_535) {
    throw new KaiactlError(`--metrics-port ${port} is not a port`, {
      hint: `The default of a node is ${kinds.map(({ interfaces }) => interfaces.defaultPort('metrics')).join(' or ')}.`,
    });
  }
  return [`http://${new URL(url).hostname}:${port}`];
}
