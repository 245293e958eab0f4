/**
 * Network namespaces: a machine with a private network and the public one, and three containers on it. They end with
 * this process, and nothing leaves them.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('child.mjs', import.meta.url));

/** False where the user may not make network namespaces, and mount in them. */
export const canMakeNetworks =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-n', '-m', '-p', '-f', 'sh', '-c', 'ip link add name eth0 type veth peer name eth1'])
    .status === 0;

/** False where the program is not installed, or the kernel has no tables of its own for it. */
export const hasLegacyTables =
  canMakeNetworks &&
  spawnSync('unshare', ['-n', 'sh', '-c', 'iptables-legacy -S && ip6tables-legacy -S']).status === 0;

export interface Way {
  readonly host: string;
  readonly port: number;
  /** The caller's address; absent: as the kernel chooses. */
  readonly from?: string;
}

/** A request of a caller. */
export interface Asked extends Way {
  readonly tls: boolean;
  /** The Host header; null: the address. */
  readonly name: string | null;
  readonly path: string;
  readonly method: 'POST' | 'GET';
}

/** What a caller shows who may log in. */
export interface Login {
  /** `user:password` */
  readonly basic: string;
  readonly cert: string;
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Socket {
  /** What it answers. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

interface Message {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** A process in a namespace. */
class Inside {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private last = 0;

  private constructor(namespaces: readonly string[]) {
    this.child = spawn('unshare', [...namespaces, process.execPath, script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child.on('message', (message: Message) => this.waiting.get(message.id)?.(message));
  }

  static async open(...namespaces: readonly string[]): Promise<Inside> {
    const inside = new Inside(namespaces);
    await new Promise((resolve) => inside.waiting.set(0, resolve));
    return inside;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }

  shell(commands: readonly string[]): Promise<unknown> {
    return this.do({ do: 'shell', script: commands.join('\n') });
  }

  async connect(ways: readonly Way[]): Promise<readonly Way[]> {
    return (await this.do({ do: 'connect', ways })) as Way[];
  }

  async ask(requests: readonly Asked[], login: Login | null): Promise<readonly (Answer | null)[]> {
    return (await this.do({ do: 'ask', requests, login })) as (Answer | null)[];
  }

  do(message: object): Promise<unknown> {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ value, error }) => {
        this.waiting.delete(id);
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
      this.child.send({ id, ...message });
    });
  }
}

/** Where callers are, narrowest first. */
export const places = ['loopback', 'private', 'any'] as const;
export type Where = (typeof places)[number];

/** The farther of two; null: nobody. */
export function farther(a: Where | null, b: Where | null): Where | null {
  if (a === null || b === null) return a ?? b;
  return places.indexOf(a) > places.indexOf(b) ? a : b;
}

/** Addresses of the machine that each caller dials, each with the addresses that the caller has in that family. */
const dialled: Readonly<Record<Where, readonly (readonly [to: string, from: readonly string[]])[]>> = {
  loopback: [
    ['127.0.0.1', ['127.0.0.1']],
    ['10.77.0.1', ['10.77.0.1', '127.0.0.1']],
    ['203.0.113.1', ['203.0.113.1', '127.0.0.1']],
    ['::1', ['::1']],
    ['fd77::1', ['fd77::1']],
    ['2001:db8:77::1', ['2001:db8:77::1']],
  ],
  private: [
    ['10.77.0.1', ['10.77.0.2', '10.77.0.3', '192.168.77.2', '172.20.77.2']],
    ['203.0.113.1', ['10.77.0.2', '192.168.77.2', '172.20.77.2']],
    ['fd77::1', ['fd77::2']],
    ['2001:db8:77::1', ['fd77::2']],
  ],
  any: [
    ['203.0.113.1', ['203.0.113.2', '203.0.113.3', '198.51.100.2']],
    ['2001:db8:77::1', ['2001:db8:77::2']],
  ],
};

/** A process that calls, and every way by which it dials a port. */
interface Caller {
  readonly inside: Inside;
  readonly waysTo: (port: number) => readonly Way[];
}

const conntrack = ['be_liberal', 'timeout_close', 'timeout_time_wait', 'timeout_last_ack'].map(
  (name) => `/proc/sys/net/netfilter/nf_conntrack_tcp_${name}`,
);

/** Containers of one network reach each other, whatever rules there are for what is routed. */
const bridged = ['ip', 'ip6'].map((name) => `/proc/sys/net/bridge/bridge-nf-call-${name}tables`);

const up = (device: string, ...addresses: readonly string[]) => [
  `ip link set ${device} up`,
  ...addresses.map((one) => `ip addr add ${one} dev ${device}${one.includes(':') ? ' nodad' : ''}`),
];

const containers = ['node', 'proxy', 'neighbour'] as const;
/** Their addresses, and that of the machine, in the network of a compose file. */
const numbers = { machine: 1, node: 2, proxy: 3, neighbour: 9 } as const;

const names = ['machine', 'private', 'any', ...containers] as const;
type Namespaces = Readonly<Record<(typeof names)[number], Inside>>;

/** Those with the files of a machine of their own. */
const isMachine = (name: string) => name === 'machine' || name === 'proxy';

/** Containers. A port of the node that is published counts as what it is published on. */
export interface Beside {
  /** Their network, without its last number. */
  readonly bridge: string;
  /** The ports of the node that other containers alone reach. */
  readonly unpublished: readonly number[];
}

/** The machine, which the programs run on, with callers. */
export class Network {
  readonly #all: Namespaces;

  private constructor(all: Namespaces) {
    this.#all = all;
  }

  get machine(): Inside {
    return this.#all.machine;
  }

  get node(): Inside {
    return this.#all.node;
  }

  get proxy(): Inside {
    return this.#all.proxy;
  }

  /** `etc`: a folder whose folders stand in place of those of /etc. */
  static async open(etc: string): Promise<Network> {
    for (const name of proxyFolders) mkdirSync(join(etc, name), { recursive: true });
    const opened = names.map(async (name) => {
      const own = isMachine(name) ? ['-n', '-m', '-p', '-f', '--kill-child', '--mount-proc'] : ['-n'];
      return [name, await Inside.open(...own)] as const;
    });
    const all = Object.fromEntries(await Promise.all(opened)) as Namespaces;
    const { machine, private: privately, any: publicly } = all;
    const network = new Network(all);
    // From here, where the processes of all are known.
    const links = {
      eth0: publicly,
      eth1: privately,
      node0: all.node,
      proxy0: all.proxy,
      other0: all.neighbour,
    };
    for (const [device, { pid }] of Object.entries(links))
      execFileSync('nsenter', [
        '-t',
        `${machine.pid}`,
        '-n',
        'ip',
        'link',
        'add',
        'name',
        device,
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'netns',
        `${pid}`,
      ]);
    for (const [name, inside] of Object.entries(all))
      if (isMachine(name)) await inside.shell(ownFiles(etc, name));
    await machine.shell([
      'ip link set lo up',
      'echo 1 > /proc/sys/net/ipv4/ip_forward',
      'ip link add name br0 type bridge',
      ...bridged.map((path) => `test ! -e ${path} || echo 0 > ${path}`),
      ...['node0', 'proxy0', 'other0'].map((name) => `ip link set ${name} master br0 up`),
      // A port that a caller uses again is no invalid connection, whatever was seen of it before.
      ...conntrack.map((path) => `test ! -e ${path} || echo 1 > ${path}`),
      ...up('eth0', '203.0.113.1/24', '2001:db8:77::1/64'),
      ...up('eth1', '10.77.0.1/24', 'fd77::1/64'),
      'ip route add 198.51.100.0/24 dev eth0',
      'ip route add 192.168.77.0/24 dev eth1',
      'ip route add 172.20.77.0/24 dev eth1',
    ]);
    await privately.shell([
      'ip link set lo up',
      ...up('eth0', '10.77.0.2/24', '10.77.0.3/24', '192.168.77.2/32', '172.20.77.2/32', 'fd77::2/64'),
      'ip route add default via 10.77.0.1',
      'ip route add default via fd77::1',
    ]);
    await publicly.shell([
      'ip link set lo up',
      ...up('eth0', '203.0.113.2/24', '203.0.113.3/24', '198.51.100.2/32', '2001:db8:77::2/64'),
    ]);
    return network;
  }

  /** Gives the containers their addresses. */
  async connect(bridge: string): Promise<void> {
    await this.machine.shell(['ip addr flush dev br0', ...up('br0', `${bridge}.${numbers.machine}/24`)]);
    for (const name of containers)
      await this.#all[name].shell([
        'ip addr flush dev eth0 scope global',
        'ip link set lo up',
        ...up('eth0', `${bridge}.${numbers[name]}/24`),
        `ip route replace default via ${bridge}.${numbers.machine}`,
      ]);
  }

  callerAt(where: Where): Caller {
    const inside = this.#all[where === 'loopback' ? 'machine' : where];
    const waysTo = (port: number) =>
      dialled[where].flatMap(([host, from]) => from.map((one) => ({ host, port, from: one })));
    return { inside, waysTo };
  }

  /** Those who call from there, beside containers or (null) without. */
  callersAt(where: Where, beside: Beside | null): readonly Caller[] {
    const outside = this.callerAt(where);
    if (beside === null) return [outside];
    const { node, neighbour, machine } = this.#all;
    const { bridge, unpublished } = beside;
    // A loopback address does not get into another network, so an answer would be lost.
    const isLost = ({ host, from }: Way) => from === '127.0.0.1' && host !== from;
    const waysTo = (port: number) => outside.waysTo(port).filter((way) => !isLost(way));
    const calling = (inside: Inside, hosts: readonly string[], isTried = (_: number) => true): Caller => ({
      inside,
      waysTo: (port) => (isTried(port) ? hosts.map((host) => ({ host, port })) : []),
    });
    const all = {
      loopback: [
        calling(machine, [`${bridge}.${numbers.node}`, `${bridge}.${numbers.proxy}`]),
        calling(node, ['127.0.0.1', '::1']),
      ],
      private: [
        calling(neighbour, [`${bridge}.${numbers.node}`], (port) => unpublished.includes(port)),
        calling(neighbour, [`${bridge}.${numbers.proxy}`]),
      ],
      any: [],
    };
    return [{ ...outside, waysTo }, ...all[where]];
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#all).map((one) => one.close()));
  }
}

const proxyFolders = ['nginx', 'caddy', 'haproxy'];

/** Folders in place of those of the machine that the tests run on. */
const ownFiles = (etc: string, name: string) => [
  ...proxyFolders.map((name) => `test ! -d /etc/${name} || mount --bind ${etc}/${name} /etc/${name}`),
  // What ufw changes.
  ...['default', 'ufw'].map((folder) => {
    const own = `${etc}/${folder}-${name}`;
    return `test ! -d /etc/ufw || { cp -a /etc/${folder} ${own} && mount --bind ${own} /etc/${folder}; }`;
  }),
  ...['/run', '/var/log'].map((folder) => `mount -t tmpfs none ${folder}`),
  'mkdir /run/haproxy /var/log/nginx',
  `touch ${etc}/hosts`,
  `mount --bind ${etc}/hosts /etc/hosts`,
];
