/** Limits on open connections, in total and per address. At a limit, the oldest idle connection is closed for the new one. */
import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { Limits } from './parts.js';

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Remote address and port. */
  readonly place: string;
  requests: number;
}

/** Connections beyond the limit that the system may open in one turn of the event loop, before others are closed. */
const maxBurst = 1024;

export class Connections {
  readonly #limits: Limits;
  readonly #isProxy: (address: string) => boolean;
  /** By remote address and port, in the order of arrival. */
  readonly #open = new Map<string, Connection>();
  readonly #of = new WeakMap<Socket, Connection>();
  readonly #byAddress = new Map<string, Set<Connection>>();

  constructor(server: Server, limits: Limits) {
    this.#limits = limits;
    this.#isProxy = proxies(limits.trustProxy);
    server.maxConnections = limits.connections + maxBurst;
    server.on('connection', (socket: Socket) => this.#add(socket));
    // The socket of TLS has the same remote address and port.
    server.on('secureConnection', (socket: Socket) => {
      const one = this.#open.get(socketKey(socket));
      if (one !== undefined) this.#of.set(socket, one);
    });
  }

  *sockets(): Generator<Socket> {
    for (const { socket } of this.#open.values()) yield socket;
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const place = socketKey(socket);
    const one = { socket, address, place, requests: 0 };
    const beside = this.#byAddress.get(address) ?? new Set();
    this.#open.set(place, one);
    this.#of.set(socket, one);
    this.#byAddress.set(address, beside.add(one));
    socket.once('close', () => this.#remove(one));
    const { connections, connectionsPerAddress } = this.#limits;
    const isMany =
      connectionsPerAddress > 0 && beside.size > connectionsPerAddress && !this.#isProxy(address);
    if (isMany) this.#makeRoom(beside);
    else if (this.#open.size > connections) this.#makeRoom(this.#open.values());
  }

  /** Closes the oldest idle one: the new one, if all others are busy. */
  #makeRoom(among: Iterable<Connection>): void {
    for (const one of among) {
      if (one.requests > 0) continue;
      this.#remove(one);
      return void one.socket.destroy();
    }
  }

  #remove(one: Connection): void {
    if (this.#open.get(one.place) === one) this.#open.delete(one.place);
    const beside = this.#byAddress.get(one.address);
    beside?.delete(one);
    if (beside?.size === 0) this.#byAddress.delete(one.address);
  }

  /** Counts a request that begins (1) or ends (-1). */
  count(socket: Socket, change: 1 | -1): void {
    const one = this.#of.get(socket);
    if (one !== undefined) one.requests += change;
  }
}

function socketKey({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Tells the connections of trusted proxies, which carry those of many clients. A number of hops trusts any peer. */
function proxies(trusted: Limits['trustProxy']): (address: string) => boolean {
  if (trusted === false || typeof trusted === 'number') return () => trusted !== false;
  const list = new BlockList();
  for (const network of trusted) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
