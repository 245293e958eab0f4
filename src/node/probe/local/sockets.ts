/** Which sockets listen: of a process, in its own network namespace, and of this machine. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';
import { readCapped, readSocketInodes } from './proc.js';
import { readLsof, readSocketTable, readSs, type TableSocket } from './socket-table.js';

/** Where to look; `proc` is /proc but for tests. */
export interface Place {
  readonly proc: string;
  readonly platform: string;
}

const mostTableBytes = 16 << 20;
const mostFiles = 1 << 16;

/** The listening sockets a process holds. `not-permitted` when it belongs to another user. */
export function socketsOf(pid: number, { proc }: Place): Seen<readonly Socket[]> {
  const folder = join(proc, String(pid));
  const own = readSocketInodes(folder, mostFiles);
  if (own.state !== 'seen') return own;
  const table = readTables(folder);
  if (table.state !== 'seen') return table;
  return seen(table.value.filter(({ inode }) => own.value.has(inode)).map(bare));
}

/** Every listening socket of the network kaiactl itself is in; asked once a run. */
export async function machineSockets(place: Place): Promise<Seen<readonly Socket[]>> {
  if (place.platform === 'none') return notSeen('not-applicable', 'the sockets of this machine are not read');
  if (place.platform === 'linux') {
    const table = readTables(join(place.proc, 'self'));
    if (table.state === 'seen') return seen(table.value.map(bare));
    const shown = readSs(await output('ss', ['-Htln']));
    return shown.length > 0 ? seen(shown) : table;
  }
  const sockets = readLsof(await output('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fpn']));
  if (sockets.length > 0) return seen(sockets.map(bare));
  return notSeen('not-found', 'neither /proc nor lsof shows which sockets listen on this machine');
}

function readTables(folder: string): Seen<TableSocket[]> {
  const tables = ['tcp', 'tcp6'].map((name) => readCapped(join(folder, 'net', name), mostTableBytes));
  const read = tables.flatMap((one) => (one.state === 'seen' ? [one.value.toString('latin1')] : []));
  const [first] = tables;
  if (read.length === 0 && first?.state === 'not-seen') return first;
  return seen(read.flatMap(readSocketTable));
}

function bare({ address, port }: Socket): Socket {
  return { address, port };
}

/** What a program prints; nothing when it is not there, fails, or takes longer than two seconds. */
function output(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 2_000, maxBuffer: 4 << 20 }, (_error, stdout) => resolve(stdout));
  });
}
