/** Ports of a container that this machine publishes, as docker-proxy forwards them. */
import { basename, join } from 'node:path';
import type { PublishedPort } from '../../facts/live.js';
import { seenValue } from '../../facts/seen.js';
import { readPids, readText, readWords, userOf } from './proc.js';
import { addressOfBytes, type ProcPlace } from './sockets.js';

/** A docker-proxy: an address and port of this machine, and those of the container that it forwards to. */
export interface Forward {
  readonly host: { readonly address: string; readonly port: number };
  readonly container: { readonly address: string; readonly port: number };
}

const maxProcesses = 50_000;
const maxBytes = 1 << 16;

/** Every TCP forward of this machine. Only root's processes count: any user may give a program this name. */
export function forwardsOf({ proc }: ProcPlace): Forward[] {
  const pids = seenValue(readPids(proc, maxProcesses)) ?? [];
  return pids.flatMap((pid) => {
    const folder = join(proc, String(pid));
    const forward = forwardOf(seenValue(readWords(join(folder, 'cmdline'), maxBytes)) ?? []);
    return forward !== null && userOf(folder) === '0' ? [forward] : [];
  });
}

/** `docker-proxy -proto tcp -host-ip 0.0.0.0 -host-port 8551 -container-ip 172.17.0.2 -container-port 8551` */
function forwardOf([program = '', ...words]: readonly string[]): Forward | null {
  if (basename(program) !== 'docker-proxy') return null;
  const wordAfter = (flag: string) => (words.includes(flag) ? (words[words.indexOf(flag) + 1] ?? '') : '');
  const end = (side: string) => ({
    address: wordAfter(`-${side}-ip`),
    port: Number(wordAfter(`-${side}-port`)),
  });
  const [host, container] = [end('host'), end('container')];
  const isWhole = [host, container].every(({ address, port }) => address !== '' && port > 0 && port < 65_536);
  return wordAfter('-proto') === 'tcp' && isWhole ? { host, container } : null;
}

/** The ports of a process in another network namespace that this machine publishes. */
export function publishedPorts(folder: string, forwards: readonly Forward[]): PublishedPort[] {
  const own = forwards.length === 0 ? new Set<string>() : addressesOf(folder);
  return forwards
    .filter(({ container }) => own.has(container.address))
    .map(({ host, container }) => ({ inside: container.port, ...host }));
}

/** The addresses of the network namespace of a process but loopback; the kernel's routes end in them. */
function addressesOf(folder: string): Set<string> {
  const read = (name: string) => readText(join(folder, 'net', name), 1 << 20);
  const four = read('fib_trie').matchAll(/\|-- ([\d.]+)\n\s+\/32 host LOCAL/g);
  const six = read('if_inet6').matchAll(/^([0-9a-f]{32}) /gm);
  return new Set([
    ...[...four].map(([, address = '']) => address).filter((address) => !address.startsWith('127.')),
    ...[...six]
      .map(([, hex = '']) => addressOfBytes([...Buffer.from(hex, 'hex')]))
      .filter((address) => address !== '::1'),
  ]);
}
