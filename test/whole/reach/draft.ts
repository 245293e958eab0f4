/** What a generated deployment consists of, and the choices that its parts share. */
import type { Random } from '../../node/sources/random.js';
import type { Asked, Socket } from './network.js';

export interface CaseFile {
  /** On the machine. */
  readonly path: string;
  /** In the folder that is read; null: not there. */
  readonly read: string | null;
  readonly text: string;
}

export interface Port {
  readonly port: number;
  readonly tls: boolean;
  /** False where no program of the machine connects to it on loopback. */
  readonly isLocal: boolean;
}

/** An interface of the node, or another service of the machine. */
export interface Service {
  readonly name: 'http' | 'ws' | 'other';
  readonly host: string;
  readonly port: number;
}

/** A request that may reach a service. */
export interface Attempt extends Omit<Asked, 'host' | 'from'> {
  readonly service: Service['name'];
}

/** Calls are POST requests, and a WebSocket begins with GET. */
const methods = { http: 'POST', ws: 'GET', other: 'POST' } as const;

export type ProxyName = 'nginx' | 'caddy' | 'haproxy';

/** A deployment, and what callers may try on it. */
export class Draft {
  readonly proxies: ProxyName[] = [];
  /** True where one program leads to another one. */
  hasSeveral = false;
  firewall: string | null = null;
  readonly files: CaseFile[] = [];
  readonly services: Service[] = [];
  /** Where the programs listen that stand in front of the node. */
  readonly ports: Port[] = [];
  /** True where the last listener is on the private address alone. */
  private isInside = false;
  readonly names = new Set<string>();
  readonly paths = new Set<string>(['/']);

  readonly random: Random;
  /** The private network that most lists admit. */
  readonly office: Office;

  constructor(random: Random) {
    this.random = random;
    this.office = random.pick(offices);
  }

  get sockets(): readonly Socket[] {
    // A Go program listens on both families when it binds 0.0.0.0.
    return this.services.map((one) => (one.host === '0.0.0.0' ? { ...one, host: '::' } : one));
  }

  get ofNode(): readonly Service[] {
    return this.services.filter(({ name }) => name !== 'other');
  }

  /** The interfaces of the node themselves, and through every port, name and path in front of it. */
  get attempts(): readonly Attempt[] {
    const each = (
      port: Port,
      names: readonly (string | null)[],
      paths: Iterable<string>,
      services: readonly Service[],
    ) =>
      names.flatMap((name) =>
        [...paths].flatMap((path) =>
          services.map(({ name: service }) => ({ ...port, name, path, service, method: methods[service] })),
        ),
      );
    return [
      ...this.ofNode.flatMap((one) =>
        each({ port: one.port, tls: false, isLocal: true }, [null], ['/'], [one]),
      ),
      ...this.ports.flatMap((port) => each(port, [null, ...this.names], this.paths, this.ofNode)),
    ];
  }

  get hasLogin(): boolean {
    return this.files.some(({ text }) =>
      /auth_basic|basicauth|http_auth|ssl_verify_client|verify required|client_auth/.test(text),
    );
  }

  write(path: string, read: string | null, text: string): void {
    this.files.push({ path, read, text });
  }

  /** A port that nothing else of the deployment uses. */
  port(tls = false): number {
    const usual = tls ? [443, 8443, 9443, 4443, 10443] : [80, 8080, 8545, 9545, 18545, 8000, 9000];
    const free = usual.filter((one) => !this.uses(one));
    return this.random.pick(free);
  }

  /** Notes where a program listens, by the words for its addresses. `isNamed`: only requests with its name get through. */
  listens(port: number, tls: boolean, addresses: readonly string[], isNamed = false): void {
    const isLocal = !tls && !isNamed && addresses.some((one) => !/10\.77\.0\.1|203\.0\.113\.1/.test(one));
    this.ports.push({ port, tls, isLocal });
    this.isInside = addresses.every((one) => one.includes('10.77.0.1'));
  }

  /** Addresses to admit, of which each is a caller's or holds one: mostly those of the private network. */
  admitted(): readonly string[] {
    const { random } = this;
    const office = random.chance(0.95) ? this.office : random.pick(offices);
    return random.pick(
      random.weighted([
        [6, inside(office)],
        [2, near],
        [this.isInside ? 0 : 1, random.chance(0.95) ? outside(office) : [['203.0.113.0/24']]],
      ]),
    );
  }

  /** The port of the node, which a proxy takes on another address than the node's. */
  portOfNode(): number | null {
    const [node] = this.ofNode;
    return node?.host === '127.0.0.1' && !this.ports.some(({ port }) => port === node.port)
      ? node.port
      : null;
  }

  private uses(port: number): boolean {
    return [...this.ports, ...this.services].some((one) => one.port === port);
  }

  name(given?: string): string {
    const name = given ?? this.random.pick(['rpc.example.com', 'node.example.org', 'api.example.net']);
    this.names.add(name);
    return name;
  }

  /** Mostly the node; a listener made before `ports` in front of it, or a service that is not the node. */
  service(ports = this.ports.length): Service {
    const [node, ...others] = this.services;
    const before = this.ports.slice(0, ports).filter(({ isLocal }) => isLocal);
    if (before.length > 0 && this.random.chance(this.proxies.length > 1 ? 0.6 : 0.12))
      return { name: 'other', host: '127.0.0.1', port: this.random.pick(before).port };
    return this.random.chance(0.75) ? (node as Service) : this.random.pick([node as Service, ...others]);
  }

  /** The address and port of a service, as a proxy of its machine names it. */
  authority({ host, port }: Service): string {
    return `${this.dialled(host)}:${port}`;
  }

  private dialled(host: string): string {
    if (host === '::1') return '[::1]';
    if (host !== '127.0.0.1' && host !== '0.0.0.0' && host !== '::') return host;
    return this.random.chance(0.2) ? 'localhost' : '127.0.0.1';
  }
}

export const user = 'operator';
export const password = 'open-sesame-77';

/** `password`, as bcrypt makes it at its least cost. */
export const passwordHash = '$2b$04$abcdefghijklmnopqrstuuhsaF7HPU29Q1kRg4bhnrT9MvUkWCDPO';

/** Private networks, each with callers: a network, a wider one, and one address. */
const offices = [
  ['10.77.0.0/24', '10.0.0.0/8', '10.77.0.2'],
  ['192.168.77.0/24', '192.168.0.0/16', '192.168.77.2'],
  ['172.20.77.0/24', '172.16.0.0/12', '172.20.77.2'],
] as const;
export type Office = (typeof offices)[number];

const near: readonly (readonly string[])[] = [['127.0.0.1'], ['127.0.0.0/8'], ['127.0.0.1', '::1']];

function inside([network, wide, address]: Office): readonly (readonly string[])[] {
  const all = offices.map(([, one]) => one);
  return [[network], [wide], [address], all, ['127.0.0.1', network], [network, 'fd77::/64']];
}

function outside([network, wide]: Office): readonly (readonly string[])[] {
  return [
    [network, '203.0.113.0/24'],
    [wide, '198.51.100.2'],
    [network, '198.51.100.0/24', '2001:db8:77::/64'],
  ];
}

/** Addresses to deny, which leave others of their network. */
export function denied(random: Random): readonly string[] {
  return random.pick([
    ['203.0.113.2'],
    ['198.51.100.0/24'],
    ['10.77.0.2'],
    ['192.168.0.0/16'],
    ['2001:db8:77::2'],
  ]);
}

export function indented(lines: readonly string[], by = '    '): string[] {
  return lines.map((line) => (line === '' ? line : by + line));
}
