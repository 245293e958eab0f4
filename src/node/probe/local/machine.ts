/** This machine: its node processes and its listening sockets, read once per run. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { basename, join } from 'node:path';
import { failure } from '../../../jsonrpc/failure.js';
import { once } from '../../../util/once.js';
import { oncePerKey } from '../../../util/once-per.js';
import { redactWords } from '../../../util/redact.js';
import type { RulesInForce } from '../../facts/firewall.js';
import type { Names, Neighbour, ProcessFacts, Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen, seenValue } from '../../facts/seen.js';
import { readLink, readNames, readPids, readSocketInodes, readText, readWords } from './proc.js';
import { type NodePlace, type Processes, processesOf } from './process.js';
import { networkOf, rulesInForce } from './rules-in-force.js';
import { machineSockets, type ProcPlace, readSocketTable, socketRows } from './sockets.js';

export interface Machine {
  readonly place: NodePlace;
  /** What its processes run; `not-applicable` elsewhere than on Linux. */
  running(): Seen<Processes>;
  /** Every node process, lowest pid first; `not-applicable` elsewhere than on Linux. */
  processes(): Seen<readonly ProcessFacts[]>;
  /** Every listening socket of kaiactl's own network namespace. */
  sockets(): Promise<Seen<readonly Socket[]>>;
  /** The rules in force in the network namespace of a process; null if not all of them can be read. */
  rulesFor(pid: number): Promise<RulesInForce | null>;
  /** The other programs of its network namespace, and whether packets to loopback are routed there. */
  beside(node: ProcessFacts): Beside;
  /** The addresses of a host name. */
  resolve(host: string): Promise<Seen<readonly string[]>>;
}

export interface Beside {
  readonly neighbours: readonly Neighbour[];
  readonly routesLoopback: boolean | null;
}

/** Reads lazily and caches. */
export function machineOf(place: NodePlace): Machine {
  const running = once(() => processesOf(place));
  const programs = oncePerKey((network: string) => programsIn(network, place));
  const rules = new Map<string | null, Promise<RulesInForce | null>>();
  return {
    place,
    resolve: oncePerKey(resolveName),
    running,
    processes() {
      const all = running();
      return all.state === 'seen' ? seen(all.value.nodes) : all;
    },
    sockets: once(() => machineSockets(place)),
    beside(node) {
      const network = networkOf(node.pid, place.proc);
      if (network === null) return { neighbours: [], routesLoopback: null };
      const all = running();
      const known =
        all.state === 'seen' ? [...all.value.nodes, ...all.value.others.map((one) => one.process)] : [];
      const neighbours = neighboursOf(node, programs(network), place, new Set(known.map(({ pid }) => pid)));
      return { neighbours, routesLoopback: routesLoopback(node.pid, place) };
    },
    rulesFor(pid) {
      // Processes of one namespace have the same rules.
      const network = networkOf(pid, place.proc);
      const found = rules.get(network) ?? rulesInForce(pid, place);
      rules.set(network, found);
      return found;
    },
  };
}

const timeoutMs = 5_000;

/** Resolves one name. Never throws. */
export async function resolveName(host: string): Promise<Seen<readonly string[]>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Seen<readonly string[]>>((resolve) => {
    const reason = `the host name was not looked up within ${timeoutMs / 1_000} s`;
    timer = setTimeout(() => resolve(notSeen('timeout', reason)), timeoutMs);
  });
  try {
    return await Promise.race([lookup(host, { all: true }).then(addressesOf), late]);
  } catch (error) {
    const { code, message } = failure(error);
    return notSeen(code, message);
  } finally {
    clearTimeout(timer);
  }
}

function addressesOf(found: readonly { readonly address: string }[]): Seen<readonly string[]> {
  return seen([...new Set(found.map(({ address }) => address))].sort());
}

/** The names among the hosts of these URLs, each with its addresses; `localhost` is this machine without a lookup. */
export async function namesOf(
  urls: readonly string[],
  resolve: (host: string) => Promise<Seen<readonly string[]>>,
): Promise<Names> {
  const hosts = [...new Set(urls.map((url) => new URL(url).hostname))].filter(isName);
  return Object.fromEntries(
    await Promise.all(hosts.map(async (host) => [host, await resolve(host)] as const)),
  );
}

function isName(host: string): boolean {
  return host !== 'localhost' && isIP(host.replace(/^\[|\]$/g, '')) === 0;
}

/** Whether the kernel routes packets to addresses of loopback, on any interface; null in a namespace that cannot be read. */
function routesLoopback(pid: number, { proc }: ProcPlace): boolean | null {
  if (networkOf(pid, proc) !== networkOf('self', proc)) return null;
  const folder = join(proc, 'sys/net/ipv4/conf');
  const names = seenValue(readNames(folder)) ?? [];
  return names.some((name) => readText(join(folder, name, 'route_localnet'), 8).trim() === '1');
}

const [maxProcesses, maxWordBytes, maxFiles, maxTableBytes] = [20_000, 1 << 16, 1 << 14, 16 << 20];

/** A program of a network namespace, with the inodes of its sockets; none where they cannot be read. */
type Program = Pick<Neighbour, 'pid' | 'program' | 'words' | 'isWorker' | 'root'> & {
  readonly inodes: ReadonlySet<string>;
};

/** The programs of a network namespace. */
function programsIn(network: string, { proc, platform }: ProcPlace): readonly Program[] {
  const own = seenValue(readLink(join(proc, 'self')));
  const pids = platform === 'linux' ? (seenValue(readPids(proc, maxProcesses)) ?? []) : [];
  return pids.flatMap((pid): Program[] => {
    const folder = join(proc, String(pid));
    const isIn = String(pid) !== own && networkOf(pid, proc) === network;
    const words = isIn ? (seenValue(readWords(join(folder, 'cmdline'), maxWordBytes)) ?? []) : [];
    if (words.length === 0) return [];
    // A server names its processes: "nginx: master process /usr/sbin/nginx -c nginx.conf".
    const title = /^([\w-]+): (?:(master|worker)\b)?/.exec(words[0] ?? '');
    return [
      {
        pid,
        words: redactWords(words),
        root: join(folder, 'root'),
        program: title?.[1] ?? basename(words[0] ?? ''),
        isWorker: title !== null && title[2] !== 'master',
        inodes: seenValue(readSocketInodes(folder, maxFiles)) ?? new Set(),
      },
    ];
  });
}

/** The programs beside a node. @param known - processes that are known to forward nothing */
function neighboursOf(
  { pid: own, sockets }: ProcessFacts,
  programs: readonly Program[],
  { proc }: ProcPlace,
  known: ReadonlySet<number>,
): Neighbour[] {
  const ports = new Set((seenValue(sockets) ?? []).map(({ port }) => port));
  const tables = ['tcp', 'tcp6'].map((name) => readText(join(proc, String(own), 'net', name), maxTableBytes));
  const listening = tables.flatMap(readSocketTable);
  const connections = tables
    .flatMap((table) => socketRows(table, '01'))
    .filter(({ remote }) => ports.has(remote.port));
  const others = programs.filter(({ pid }) => pid !== own && !known.has(pid));
  return others.map(({ inodes, ...one }) => ({
    ...one,
    listens: listening
      .filter(({ inode }) => inodes.has(inode))
      .map(({ address, port }) => ({ address, port })),
    connected: connections.filter(({ inode }) => inodes.has(inode)).map(({ remote }) => remote),
  }));
}
