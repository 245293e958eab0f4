/** Listening TCP sockets as the kernel lists them: /proc/<pid>/net/tcp{,6}, and what `lsof` prints elsewhere. */
import type { Socket } from '../../facts/live.js';

/** A socket with the number that /proc/<pid>/fd knows it by. */
export interface TableSocket extends Socket {
  readonly inode: string;
}

const listening = '0A';
/** A machine has a few hundred at most; beyond this it is not read further. */
const mostSockets = 4_096;

/** The listening sockets of a table, v4 or v6; lines that are none are passed over. */
export function readSocketTable(text: string): TableSocket[] {
  const sockets: TableSocket[] = [];
  for (const line of text.split('\n')) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/, 11);
    const [, hex = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(local) ?? [];
    if (state !== listening || hex === '') continue;
    sockets.push({ address: addressOf(hex), port: Number.parseInt(port, 16), inode });
    if (sockets.length === mostSockets) break;
  }
  return sockets;
}

/** The kernel writes words of 32 bits, each in the machine's byte order: little-endian wherever the node runs. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255) {
    return bytes.slice(12).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** What `lsof -nP -iTCP -sTCP:LISTEN -Fpn` prints: `p<pid>`, then `n<address>:<port>` for each socket. */
export function readLsof(text: string): (Socket & { readonly pid: number })[] {
  const sockets: (Socket & { pid: number })[] = [];
  let pid = 0;
  for (const line of text.split('\n')) {
    if (/^p\d{1,10}$/.test(line)) pid = Number(line.slice(1));
    const [, host = '', port] = /^n(\*|\[[0-9a-f:.%\w]+\]|[\d.]+):(\d{1,5})$/i.exec(line) ?? [];
    if (port === undefined) continue;
    const address = host === '*' ? '::' : host.replace(/^\[|\]$/g, '');
    sockets.push({ address, port: Number(port), pid });
    if (sockets.length === mostSockets) break;
  }
  return sockets;
}

/** What `ss -Htln` prints: state, two counts, `address:port`, peer. */
export function readSs(text: string): Socket[] {
  return text
    .split('\n')
    .slice(0, mostSockets)
    .flatMap((line) => {
      const local = line.trim().split(/\s+/)[3] ?? '';
      const [, host = '', port] = /^(\*|\[[0-9a-f:.%\w]+\]|[\d.]+(?:%\w+)?):(\d{1,5})$/i.exec(local) ?? [];
      if (port === undefined) return [];
      const bare = host.replace(/^\[|\]$/g, '').replace(/%\w+$/, '');
      return [{ address: bare === '*' ? '::' : bare.replace(/^::ffff:/i, ''), port: Number(port) }];
    });
}
