/** What a generated deployment consists of, and the choices that its parts share. */
import type { Random } from '../../node/sources/random.js';
import type { Asked, Beside, Socket } from './network.js';

/** On the machine itself; in a container with its own network, or with that of the machine. */
export type Placing = 'machine' | 'bridge' | 'host';

/** A port of the machine that Docker leads to one of a container. */
export interface Published {
  /** null: every address of the machine. */
  readonly host: string | null;
  readonly port: number;
  readonly target: number;
  /** Lines of the compose file, shared by the ports of a range. */
  readonly entry: readonly string[];
}

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

/** The proxies, each with its folder in /etc. */
export const folders = { nginx: 'nginx', caddy: 'caddy', haproxy: 'haproxy' } as const;
export type ProxyName = keyof typeof folders;

/** A deployment, and what callers may try on it. */
export class Draft {
  readonly proxies: ProxyName[] = [];
  /** True where one program leads to another one. */
  hasSeveral = false;
  placing: Placing = 'machine';
  /** True for a proxy on the machine of the containers. */
  isProxyOutside = false;
  readonly published: Published[] = [];
  /** The ports of the machine that lead to containers. */
  private readonly taken = new Set<number>();
  /** Lines of .env. */
  readonly variables: string[] = [];
  firewall: 'nft' | null = null;
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
  /** The public one. */
  readonly guest: (typeof guests)[number];

  constructor(random: Random) {
    this.random = random;
    this.office = random.pick(offices);
    this.guest = random.pick(guests);
  }

  /** Those of the node and of the service beside it. */
  get sockets(): readonly Socket[] {
    // A Go program listens on both families when it binds 0.0.0.0.
    return this.services.map((one) => (one.host === '0.0.0.0' ? { ...one, host: '::' } : one));
  }

  /** The network of the containers, without its last number; null: they have none. */
  get bridge(): string | null {
    return this.placing === 'bridge' ? this.office[3] : null;
  }

  get beside(): Beside | null {
    const ports = this.ofNode.map(({ port }) => port);
    const unpublished = ports.filter((port) => !this.published.some(({ target }) => target === port));
    return this.bridge === null ? null : { bridge: this.bridge, unpublished };
  }

  /** True where the proxies run in a container with its own network. */
  get isProxyInside(): boolean {
    return this.placing === 'bridge' && !this.isProxyOutside;
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
    // The port of a container, and those of the machine that lead to it.
    const all = (port: number) => [
      port,
      ...this.published.flatMap((one) => (one.target === port ? [one.port] : [])),
    ];
    return [
      ...this.ofNode.flatMap((one) =>
        all(one.port).flatMap((port) => each({ port, tls: false, isLocal: true }, [null], ['/'], [one])),
      ),
      ...this.ports.flatMap((one) =>
        all(one.port).flatMap((port) =>
          each({ ...one, port }, [null, ...this.names], this.paths, this.ofNode),
        ),
      ),
    ];
  }

  get hasLogin(): boolean {
    return this.files.some(({ text }) =>
      /auth_?basic|basicauth|http_auth|ssl_?verify_?client|verify required|client_auth|authtype/i.test(text),
    );
  }

  /** In a container, the addresses of the machine are those of the container. */
  write(path: string, read: string | null, text: string): void {
    const own = `${this.bridge}.3`;
    const isOfProxy = this.isProxyInside && /^\/etc\/(?:nginx|caddy|haproxy)\//.test(path);
    const placed = isOfProxy ? text.replaceAll(/\b(?:10\.77\.0|203\.0\.113)\.1\b(?!\/)/g, own) : text;
    this.files.push({ path, read, text: placed });
  }

  /** Publishes ports of a container, as `range` or each by a number that is free. */
  publish(ports: readonly Pick<Port, 'port'>[], range?: string): Published[] {
    const { random } = this;
    const host = random.weighted([
      [5, null],
      [4, '127.0.0.1'],
      [1.5, '10.77.0.1'],
      [0.7, '203.0.113.1'],
      [0.7, '0.0.0.0'],
      ...['::1', 'fd77::1', '2001:db8:77::1'].map((one) => [0.25, one] as const),
    ]);
    const [first] = ports;
    const before = host === null ? '' : `${this.hostWord(host, first?.port ?? 0)}:`;
    return ports.map(({ port: target }) => {
      const usual = random.weighted([
        [7, target],
        [3, target + 10_000],
      ]);
      const taken = this.taken.has(usual) || usual > 65_535;
      // As Docker chooses one, where none is given.
      const isChosen = range === undefined && host === null && random.chance(0.1);
      const port =
        range !== undefined ? target : isChosen ? target + 12_000 : taken ? target + 11_000 : usual;
      this.taken.add(port);
      const long = [
        `- target: ${target}`,
        ...(isChosen ? [] : [`  published: ${port}`]),
        ...(host === null ? [] : [`  host_ip: "${host}"`]),
      ];
      const short = `- "${before}${range ?? (isChosen ? target : `${port}:${target}`)}"`;
      return { host, port, target, entry: range === undefined && random.chance(0.15) ? long : [short] };
    });
  }

  /** An address in an entry of `ports`, in place or from a variable. */
  private hostWord(host: string, port: number): string {
    if (host.includes(':')) return `[${host}]`;
    if (!this.random.chance(0.15)) return host;
    const isDefault = this.random.chance(0.5);
    if (!isDefault) this.variables.push(`BIND_${port}=${host}`);
    return `\${BIND_${port}:-${isDefault ? host : '127.0.0.1'}}`;
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

  /** Addresses to admit: mostly those of callers of this deployment, with others. */
  admitted(): readonly string[] {
    const { random } = this;
    const kind = random.weighted([
      [6, 'private'],
      [2, 'near'],
      [this.isInside ? 0 : 1, 'public'],
    ] as const);
    if (kind === 'near') return random.pick(near);
    const [network, wide, address] = random.chance(0.97) ? this.office : random.pick(offices);
    // The address that Docker may give a client is in none of the narrow ones.
    const own = this.isProxyInside ? wide : random.pick([network, wide, address]);
    const guests = kind === 'public' ? [random.pick(this.guest)] : [];
    const others = further[kind].filter(() => random.chance(0.12));
    const all = [own, ...guests, ...others.flat()];
    const from = random.below(all.length);
    return [...all.slice(from), ...all.slice(0, from)];
  }

  /** The port of the node, which a proxy takes on another address than the node's. */
  portOfNode(): number | null {
    const [node] = this.ofNode;
    return this.placing !== 'bridge' &&
      node?.host === '127.0.0.1' &&
      !this.ports.some(({ port }) => port === node.port)
      ? node.port
      : null;
  }

  private uses(port: number): boolean {
    return [...this.ports, ...this.services, ...this.published].some((one) => one.port === port);
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

  /** The address and port of a service, as a proxy of its machine or of its compose file names it. */
  authority({ name, host, port }: Service): string {
    const isInContainer = name !== 'other' || port === 3000;
    if (this.isProxyInside && isInContainer) return `${name === 'other' ? 'web' : 'kaia'}:${port}`;
    if (this.placing !== 'bridge' || name === 'other') return `${this.dialled(host)}:${port}`;
    const published = this.published.find(({ target }) => target === port);
    if (published === undefined) return `${this.bridge}.2:${port}`;
    return `${this.dialled(published.host ?? '0.0.0.0')}:${published.port}`;
  }

  /** An authority that no name has to be looked up for. */
  literal(authority: string): string {
    return authority.replace('localhost', '127.0.0.1').replace(/\b(?:kaia|web)(?=:)/, `${this.bridge}.2`);
  }

  private dialled(host: string): string {
    if (host.includes(':') && host !== '::') return `[${host}]`;
    if (host !== '127.0.0.1' && host !== '0.0.0.0' && host !== '::') return host;
    return this.random.chance(0.2) ? 'localhost' : '127.0.0.1';
  }
}

export const user = 'operator';
export const password = 'open-sesame-77';

/** `password`, as bcrypt makes it at its least cost. */
export const passwordHash = '$2b$04$abcdefghijklmnopqrstuuhsaF7HPU29Q1kRg4bhnrT9MvUkWCDPO';

/** Private networks, each with callers: a network, a wider one, one address, and a network of containers. */
const offices = [
  ['10.77.0.0/24', '10.0.0.0/8', '10.77.0.2', '10.99.0'],
  ['192.168.77.0/24', '192.168.0.0/16', '192.168.77.2', '192.168.99'],
  ['172.20.77.0/24', '172.16.0.0/12', '172.20.77.2', '172.18.0'],
] as const;
export type Office = (typeof offices)[number];

const near: readonly (readonly string[])[] = [['127.0.0.1'], ['127.0.0.0/8'], ['127.0.0.1', '::1']];

/** Public networks with callers, as those of an office. */
const guests = [
  ['203.0.113.0/24', '203.0.0.0/8', '203.0.113.2'],
  ['198.51.100.0/24', '198.51.0.0/16', '198.51.100.2'],
] as const;

/** What lists have beside the addresses of callers. */
const further: Readonly<Record<'private' | 'public', readonly (readonly string[])[]>> = {
  private: [
    ...offices.map(([network, , address]) => [network, address]),
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
    ['127.0.0.1'],
    ['100.64.0.0/10'],
    ['10.1.2.3'],
    ['192.168.1.0/24', '192.168.2.0/23'],
    ['fd77::/64'],
    ['fd00::/8', '::1'],
    ['fe80::/10'],
  ],
  public: [
    ['0.0.0.0/1', '128.0.0.0/1'],
    ['0.0.0.0/0'],
    ['10.0.0.0/7'],
    ['192.0.2.0/24', '192.0.2.7'],
    ['203.0.113.3'],
    ['2001:db8:77::/64'],
    ['2000::/3'],
    ['::/0'],
    ['100.64.0.0/9'],
  ],
};

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
