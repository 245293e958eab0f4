/** Targets of words on the command line: endpoints, sockets, conf files, inventories. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { addPlace, explain, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { readText } from '../../input.js';
import { hostPort, isAddressText } from '../../jsonrpc/endpoint.js';
import { nameFrom } from '../../util/name-from.js';
import { visible } from '../../util/visible.js';
import { loadNodes } from '../deployment/load.js';
import type { Conf } from '../facts/facts.js';
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
} from '../probe/index.js';
import {
  isAsked,
  noService,
  openConf,
  type ReadTarget,
  readConfOptions,
  seenOrUnreadable,
} from './conf-options.js';
import { shardOf } from './fleet.js';
import { gatherFolder } from './gather-confs.js';
import { type InventoryNode, readInventory } from './inventory.js';
import type { ConfOptions } from './options/shared.js';
import type { VerbOptions } from './options/verbs.js';
import { processTarget, runningTargets } from './processes.js';

export type TargetOptions = ConfOptions &
  Pick<VerbOptions<'audit'>, 'inventory' | 'targetsFrom' | 'metricsPort'> &
  Partial<Pick<VerbOptions<'audit'>, 'shard'>> & { readonly targets: readonly string[] };

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
): Promise<ReadTarget[]> {
  if (isOfMachine(options))
    return [...shardOf(await runningTargets(options, machine, host, { mayBeNone }), options.shard)];
  const { inventory } = options;
  const words = [
    ...options.targets.map((word) => ({ word, at: null })),
    ...(await listedWords(options, host)),
  ];
  const run = { options, machine, host };
  const named: ReadTarget[] = [];
  for (const word of words) named.push(...(await listedTargets(word, run)));
  const listed = inventory === undefined ? [] : await inventoryTargets(inventory, run);
  const targets: ReadTarget[] = [];
  // The confs of other shards are not read.
  for (const target of shardOf([...named.map((one) => () => one), ...listed], options.shard))
    targets.push(await target());
  if (options.service !== undefined && targets.length === 0) throw noService(options.service);
  for (const { address } of targets.flatMap(({ endpoints }) => endpoints)) {
    const name = endpointName(address.endpoint);
    if (address.isBare)
      await print(host.stderr, `kaiactl: ${name.replace(/^\w+:\/\//, '')} has no scheme: asked as ${name}\n`);
  }
  return targets;
}

/** What a word is read for, and where. */
interface Run {
  readonly options: TargetOptions;
  readonly machine: Machine;
  readonly host: Host;
}

/** Whether no target is named: the nodes of this machine are meant. */
export function isOfMachine({ targets, inventory, targetsFrom }: TargetOptions): boolean {
  return targets.length === 0 && inventory === undefined && targetsFrom === undefined;
}

/** A word that names targets, and the line of a list that it is on. */
interface Word {
  readonly word: string;
  readonly at: string | null;
}

/** One target per line, # begins a comment. @throws {KaiactlError} when the list is unreadable or empty (exit 2) */
export async function listedWords(
  { targetsFrom: file }: Pick<TargetOptions, 'targetsFrom'>,
  host: Host,
): Promise<Word[]> {
  if (file === undefined) return [];
  const source = file === '-' ? host.stdin : resolve(host.cwd, file);
  const text = await readText(source, { what: `the targets from ${file}`, mib: 16 });
  if (isInventory(text))
    throw new KaiactlError(`${file} is an inventory`, { hint: `Write --inventory ${visible(file)}.` });
  const words = wordsIn(text, file);
  if (words.length > 0) return words;
  throw new KaiactlError(`${file === '-' ? 'stdin' : file} names no target`, {
    hint: 'Write one target per line.',
  });
}

const isInventory = (text: string): boolean =>
  /^[ \t]*\[[^\]]+\]/m.test(text) && /^[ \t]*(?:rpc|ws|ipc|conf|role|url|https?|endpoint)[ \t]*=/m.test(text);

function wordsIn(text: string, file: string): Word[] {
  const name = file === '-' ? 'stdin' : visible(file);
  return text
    .split('\n')
    .map((line, at) => ({ word: line.replace(/(?:^|\s)#.*/, '').trim(), at: `${name}:${at + 1}` }))
    .filter(({ word }) => word !== '');
}

/** The targets of a word; a line of a list that names none is a target that was not read. */
async function listedTargets({ word, at }: Word, run: Run): Promise<ReadTarget[]> {
  try {
    const targets = await targetsOf(word, run);
    return at === null ? targets : targets.map((one) => placedTarget(one, at));
  } catch (error) {
    const placed = at === null ? error : addPlace(at, error);
    if (at === null || !(placed instanceof KaiactlError)) throw error;
    return [await unreadTarget(at, placed, run.host)];
  }
}

/** With the line of the list in the reason why it was not read. */
function placedTarget(target: ReadTarget, at: string): ReadTarget {
  const { conf } = target;
  if (conf?.state !== 'not-seen') return target;
  return { ...target, conf: notSeen(conf.code, `${at}: ${conf.detail}`) };
}

/** In place of a target that a list or an inventory does not name in a valid way. */
async function unreadTarget(name: string, error: KaiactlError, host: Host): Promise<ReadTarget> {
  await print(host.stderr, `${explain(error).join('\n')}\n`);
  return confTarget(name, null, notSeen('unreadable', error.message));
}

/** A target for each section of an inventory; each is read when it is asked for. @throws {KaiactlError} as `readInventory` */
async function inventoryTargets(
  file: string,
  { options, host }: Run,
): Promise<(() => Promise<ReadTarget>)[]> {
  const { nodes, problems } = await readInventory(resolve(host.cwd, file));
  return [
    ...nodes.map((node) => () => inventoryTarget(node, options, host)),
    ...problems.map(({ name, error }) => unreadTarget.bind(null, name, error, host)),
  ];
}

async function targetsOf(word: string, run: Run): Promise<ReadTarget[]> {
  const { options, machine, host } = run;
  const pid = /^pid:(.*)$/s.exec(word)?.[1];
  if (pid !== undefined && !/^\d{1,10}$/.test(pid))
    throw new KaiactlError(`${visible(word, 60)} names no process`, { hint: 'Write its number: pid:4711.' });
  if (pid !== undefined) return [await processTarget(Number(pid), options, machine, host)];
  if (isEndpointText(word)) return [endpointTarget(parseEndpoint(word), options)];
  const path = resolve(host.cwd, word);
  const stat = word === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat?.isSocket()) return [endpointTarget(parseEndpoint(`ipc:${path}`), options)];
  if (stat === undefined && isAddressText(word)) return [endpointTarget(parseEndpoint(word), options)];
  if (stat?.isDirectory()) return await folderTargets(word, run);
  return (await fleetTargets(word, run)) ?? (await sourceTargets(word, run));
}

/** The largest file that may be a list or an inventory without an option that says so. */
const maxFleetBytes = 1 << 20;

/** The targets of a file that is an inventory or a list of endpoints by its content; null for another file. */
async function fleetTargets(word: string, run: Run): Promise<ReadTarget[] | null> {
  const { host } = run;
  const file = resolve(host.cwd, word);
  const stat = word === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > maxFleetBytes || (stat.mode & 0o444) === 0) return null;
  const text = await readText(file, { what: word, mib: 1 }).catch(() => '');
  const say = (what: string) => print(host.stderr, `kaiactl: ${visible(word)} is read as ${what}\n`);
  if (isInventory(text)) {
    await say('an inventory (--inventory)');
    return await Promise.all((await inventoryTargets(word, run)).map((target) => target()));
  }
  const words = wordsIn(text, word);
  const named = words.filter((one) => isEndpointText(one.word) || hostPort.test(one.word));
  const others = words.filter(({ word }) => /\s/.test(word));
  if (named.length === 0 || named.length * 2 < words.length || named.length < others.length * 2) return null;
  await say('a list of targets (--targets-from)');
  const targets: ReadTarget[] = [];
  for (const one of words) targets.push(...(await listedTargets(one, run)));
  return targets;
}

async function folderTargets(word: string, { options, host }: Run): Promise<ReadTarget[]> {
  const { targets, editables } = await gatherFolder(word, readConfOptions(options, kinds), host);
  const asked = targets.filter(({ conf }) => isAsked(conf, options));
  return asked.map(({ name, role, conf }) => ({
    ...confTarget(name, role, conf ?? notSeen('unreadable', 'its settings could not be read')),
    editables,
  }));
}

/** The nodes of a file; an unreadable file affects only its own target. */
async function sourceTargets(word: string, { options, host }: Run): Promise<ReadTarget[]> {
  const loaded = await seenOrUnreadable(() => loadNodes(word, readConfOptions(options, kinds), host));
  if (loaded.state !== 'seen') {
    const isName = /^[\w-]+(?:\.[\w-]+)+$/.test(word) && loaded.detail.endsWith('there is no such file');
    const advice = isName ? `; if it is a host, write http://${word}:8551` : '';
    return [confTarget(word, null, { ...loaded, detail: loaded.detail + advice })];
  }
  const { nodes, problems, editables } = loaded.value;
  if (
    nodes.length > 0 &&
    nodes.every(({ conf }) => confTarget(word, null, seen(conf)).endpoints.length === 0)
  )
    await print(
      host.stderr,
      `kaiactl: ${visible(word)} opens no interface that this machine reaches: nothing is asked; kaiactl node lint judges the file\n`,
    );
  const targets = nodes.map(({ name, conf }) => ({
    ...confTarget(name === null ? word : `${word}: ${name}`, null, seen(conf)),
    editables,
  }));
  return [
    ...targets.filter(({ conf }) => isAsked(conf, options)),
    ...problems.map(({ message }) => confTarget(word, null, notSeen('unreadable', message))),
  ];
}

function endpointTarget(address: Address, options: TargetOptions): ReadTarget {
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

function confTarget(name: string, role: string | null, conf: Seen<Conf>): ReadTarget {
  if (conf.state !== 'seen') return { name, role, conf, endpoints: [], metrics: [] };
  const settings = withKind(kinds, conf.value.settings);
  return { name, role, conf, endpoints: confEndpoints(settings), metrics: confMetrics(settings) };
}

/** The target of a node in an inventory; its conf is read now. */
export async function inventoryTarget(
  node: InventoryNode,
  options: ConfOptions,
  host: Host,
): Promise<ReadTarget> {
  const how = readConfOptions(options, kinds);
  const nodeVersion = node.nodeVersion ?? how.nodeVersion;
  const opened =
    node.conf === null
      ? { conf: null }
      : await openConf(nameFrom(host.cwd, node.conf), { ...how, nodeVersion }, host);
  const { conf } = opened;
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
    ...opened,
    endpoints: [...addresses.map((address) => ({ address, source: 'inventory' as const })), ...derived],
    metrics,
  };
}

function portOf(url: string, port: string | undefined): string[] {
  if (port === undefined) return [];
  if (!/^\d{1,5}$/.test(port) || Number(port) === 0 || Number(port) > 65_535) {
    const ports = kinds.map(({ interfaces }) => interfaces.defaultPort('metrics')).filter((one) => one > 0);
    const hint = `The default of a node is ${[...new Set(ports)].join(' or ')}.`;
    throw new KaiactlError(`--metrics-port ${port} is not a port`, { hint });
  }
  return [`http://${new URL(url).hostname}:${port}`];
}
