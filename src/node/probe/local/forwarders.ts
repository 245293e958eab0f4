/** Programs beside a node in its network namespace: their words, their listening sockets and their connections to the node. */
import { basename, join } from 'node:path';
import { redactWords } from '../../../util/redact.js';
import type { Neighbour, ProcessFacts } from '../../facts/live.js';
import { seenValue } from '../../facts/seen.js';
import { readLink, readNames, readPids, readSocketInodes, readText, readWords } from './proc.js';
import { networkOf } from './rules-in-force.js';
import { type ProcPlace, readSocketTable, socketRows } from './sockets.js';

/** Whether the kernel routes packets to addresses of loopback, on any interface; null in a namespace that cannot be read. */
export function routesLoopback(pid: number, { proc }: ProcPlace): boolean | null {
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
export function programsIn(network: string, { proc, platform }: ProcPlace): readonly Program[] {
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
export function neighboursOf(
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
