/** Listening TCP sockets of a process and of this machine, from /proc, `ss` or `lsof`. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';
import { readCapped, readSocketInodes, userOf } from './proc.js';

/** `proc` is /proc except in tests. */
export interface ProcPlace {
  readonly proc: string;
  readonly platform: string;
}

const maxTableBytes = 16 << 20;
const maxFiles = 1 << 16;

/** The listening sockets of a process. `not-permitted` when it belongs to another user. */
export function socketsOf(pid: number, { proc }: ProcPlace): Seen<readonly Socket[]> {
  const folder = join(proc, String(pid));
  const own = readSocketInodes(folder, maxFiles);
  if (own.state !== 'seen') return own;
  const table = readTables(folder);
  if (table.state !== 'seen') return table;
  return seen(table.value.filter(({ inode }) => own.value.has(inode)).map(bare));
}

/** The listening sockets of the process's user in the process's network namespace, which every user can read. */
export function socketsOfUser(pid: number, { proc }: ProcPlace): Seen<readonly Socket[]> {
  const folder = join(proc, String(pid));
  const table = readTables(folder);
  const user = userOf(folder);
  return table.state === 'seen' ? seen(table.value.filter(({ uid }) => uid === user).map(bare)) : table;
}

/** Every listening socket of kaiactl's own network namespace. */
export async function machineSockets(place: ProcPlace): Promise<Seen<readonly Socket[]>> {
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

function readTables(folder: string): Seen<ReturnType<typeof readSocketTable>> {
  const tables = ['tcp', 'tcp6'].map((name) => readCapped(join(folder, 'net', name), maxTableBytes));
  const read = tables.flatMap((one) => (one.state === 'seen' ? [one.value.toString('latin1')] : []));
  const [first] = tables;
  if (read.length === 0 && first?.state === 'not-seen') return first;
  return seen(read.flatMap(readSocketTable));
}

function bare({ address, port }: Socket): Socket {
  return { address, port };
}

/** The output of a program; empty when it is missing, fails or takes longer than two seconds. */
function output(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 2_000, maxBuffer: 4 << 20 }, (_error, stdout) => resolve(stdout));
  });
}

/** A socket with its inode, which /proc/<pid>/fd names, and the id of its user. */
interface TableSocket extends Socket {
  readonly inode: string;
  readonly uid: string;
  /** The other end of its connection. */
  readonly remote: Socket;
}

const listening = '0A';
/** A machine has a few hundred; further ones are ignored. */
const maxSockets = 4_096;

/** The listening sockets of /proc/<pid>/net/tcp or tcp6. Other lines are ignored. */
export function readSocketTable(text: string): Omit<TableSocket, 'remote'>[] {
  return socketRows(text, listening).map(({ remote: _, ...one }) => one);
}

/** The sockets in a state: `01` is that of a connection (include/net/tcp_states.h). */
export function socketRows(text: string, state: string): TableSocket[] {
  const sockets: TableSocket[] = [];
  for (const line of text.split('\n')) {
    const [, local = '', remote = '', own, , , , uid = '', , inode = ''] = line.trim().split(/\s+/, 11);
    const [here, there] = [local, remote].map(socketOf);
    if (own !== state || here == null || there == null) continue;
    sockets.push({ ...here, inode, uid, remote: there });
    if (sockets.length === maxSockets) break;
  }
  return sockets;
}

function socketOf(text: string): Socket | null {
  const [, hex = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text) ?? [];
  return hex === '' ? null : { address: addressOf(hex), port: Number.parseInt(port, 16) };
}

/** The kernel writes 32-bit words in the machine's byte order, which is little-endian wherever the node runs. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  return addressOfBytes(bytes);
}

/** The address of 4 or 16 bytes in its shortest form; one of IPv4 that is mapped into IPv6 is one of IPv4. */
export function addressOfBytes(bytes: readonly number[]): string {
  return ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString();
}

/** Parses `lsof -nP -iTCP -sTCP:LISTEN -Fpn`: `p<pid>`, then `n<address>:<port>` for each socket. */
export function readLsof(text: string): (Socket & { readonly pid: number })[] {
  const sockets: (Socket & { pid: number })[] = [];
  let pid = 0;
  for (const line of text.split('\n')) {
    if (/^p\d{1,10}$/.test(line)) pid = Number(line.slice(1));
    const [, host = '', port] = /^n(\*|\[[0-9a-f:.%\w]+\]|[\d.]+):(\d{1,5})$/i.exec(line) ?? [];
    if (port === undefined) continue;
    const address = host === '*' ? '::' : host.replace(/^\[|\]$/g, '');
    sockets.push({ address, port: Number(port), pid });
    if (sockets.length === maxSockets) break;
  }
  return sockets;
}

/** Parses `ss -Htln`: state, two counts, `address:port`, peer. */
export function readSs(text: string): Socket[] {
  return text
    .split('\n')
    .slice(0, maxSockets)
    .flatMap((line) => {
      const local = line.trim().split(/\s+/)[3] ?? '';
      const [, host = '', port] = /^(\*|\[[0-9a-f:.%\w]+\]|[\d.]+(?:%\w+)?):(\d{1,5})$/i.exec(local) ?? [];
      if (port === undefined) return [];
      const bare = host.replace(/^\[|\]$/g, '').replace(/%\w+$/, '');
      return [{ address: bare === '*' ? '::' : bare.replace(/^::ffff:/i, ''), port: Number(port) }];
    });
}
