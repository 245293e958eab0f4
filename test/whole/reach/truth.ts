/** Deployments made real: their files written, their programs started, their ports called. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dockerRules } from './docker.js';
import { type Attempt, type Draft, folders, type ProxyName, password, type Service, user } from './draft.js';
import { type Answer, farther, type Login, Network, places, type Where } from './network.js';

/** The farthest callers that an interface answers; null: none. */
export interface Truth {
  readonly open: Where | null;
  /** With a login, or without. */
  readonly login: Where | null;
}

const commands: Readonly<
  Record<ProxyName, { readonly words: readonly string[]; readonly ready: string | null }>
> = {
  nginx: { words: ['nginx', '-g', 'daemon off;'], ready: null },
  caddy: {
    words: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
    ready: 'serving initial configuration',
  },
  // Its package without a service has no folder in /etc.
  haproxy: { words: ['haproxy', '-W', '-f', '/etc/haproxy/haproxy.cfg'], ready: 'Loading success' },
};

/** The machine that deployments are made on, one after the other. */
export class Machine {
  private readonly folder: string;
  private readonly network: Network;
  private readonly login: Login;

  private constructor(folder: string, network: Network, login: Login) {
    this.folder = folder;
    this.network = network;
    this.login = login;
  }

  /** The folder of the files that are read. */
  get read(): string {
    return join(this.folder, 'read');
  }

  static async open(): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), 'kaiactl-reach-'));
    // For the users that programs become.
    chmodSync(folder, 0o755);
    const etc = join(folder, 'etc');
    for (const name of [...Object.values(folders), 'home']) mkdirSync(join(etc, name), { recursive: true });
    makeCertificate(folder);
    const [cert, key] = ['crt', 'key'].map((end) => readFileSync(join(folder, `tls.${end}`), 'utf8'));
    return new Machine(folder, await Network.open(etc), { basic: `${user}:${password}`, cert, key } as Login);
  }

  async close(): Promise<void> {
    await this.network.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Who reaches each interface: where Docker translates the ports that it publishes, or where its forwarders take them all. */
  async truthOf(draft: Draft): Promise<ReadonlyMap<Service['name'], Truth>> {
    this.write(draft);
    const all = [await this.reached(draft, true)];
    if (draft.published.length > 0) all.push(await this.reached(draft, false));
    return new Map(
      draft.ofNode.map(({ name }) => {
        const widest = (how: keyof Reached) =>
          all
            .map((each) => places.filter((where) => each[where][how].has(name)).at(-1) ?? null)
            .reduce(farther);
        return [name, { open: widest('open'), login: widest('login') }];
      }),
    );
  }

  private async reached(draft: Draft, translates: boolean): Promise<Readonly<Record<Where, Reached>>> {
    const { machine, node, proxy } = this.network;
    const { bridge } = draft;
    try {
      await this.load(draft);
      if (bridge !== null) await this.publish(draft, bridge, translates);
      await this.refuse();
      await machine.do({ do: 'serve', sockets: bridge === null ? draft.sockets : [other] });
      if (bridge !== null) await node.do({ do: 'serve', sockets: draft.sockets });
      for (const name of draft.proxies)
        await (draft.isProxyInside ? proxy : machine).do({ do: 'start', ...this.commandOf(name) });
      const calls = await Promise.all(
        places.map(async (where) => [where, await this.call(draft, where)] as const),
      );
      return Object.fromEntries(calls) as Record<Where, Reached>;
    } finally {
      for (const one of [machine, node, proxy]) await one.do({ do: 'stop' });
      await machine.shell(['nft flush ruleset']);
    }
  }

  private commandOf(name: ProxyName) {
    const { words, ready } = commands[name];
    return { ready, words: words.map((word) => word.replace('%', join(this.folder, 'etc'))) };
  }

  private async publish(draft: Draft, bridge: string, translates: boolean): Promise<void> {
    const { machine } = this.network;
    await this.network.connect(bridge);
    const toProxy = (target: number) => draft.ports.some(({ port }) => port === target);
    const published = draft.published.map(({ host, port, target }) => ({
      host: host ?? '::',
      port,
      to: { host: `${bridge}.${draft.isProxyInside && toProxy(target) ? 3 : 2}`, port: target },
    }));
    const path = join(this.folder, 'docker.rules');
    writeFileSync(path, dockerRules(`${bridge}.0/24`, translates ? published : []));
    await machine.shell([`iptables-nft-restore -n ${path}`]);
    await machine.do({ do: 'forward', forwards: published });
  }

  private write(draft: Draft): void {
    const { folder } = this;
    const place = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    rmSync(this.read, { recursive: true, force: true });
    // The folders stay: they stand in place of those of /etc.
    for (const etc of Object.values(folders).map((name) => join(folder, 'etc', name))) {
      for (const name of readdirSync(etc)) rmSync(join(etc, name), { recursive: true });
      for (const end of ['crt', 'key', 'pem']) cpSync(join(folder, `tls.${end}`), join(etc, `tls.${end}`));
    }
    place(join(folder, 'etc/nginx/htpasswd'), `${user}:{PLAIN}${password}\n`);
    const hosts = draft.bridge === null ? [] : [`${draft.bridge}.2 kaia`, `${draft.bridge}.2 web`];
    place(join(folder, 'etc/hosts'), ['127.0.0.1 localhost', '::1 localhost', ...hosts, ''].join('\n'));
    place(join(folder, 'etc/nginx/mime.types'), 'types { application/json json; }\n');
    for (const { path, read, text } of draft.files) {
      place(join(folder, path), text);
      if (read !== null) place(join(this.read, read), text);
    }
  }

  private async load(draft: Draft): Promise<void> {
    const rules = draft.files.filter(({ path }) => path.endsWith('nftables.conf'));
    await this.network.machine.shell(rules.map(({ path }) => `nft -f ${join(this.folder, path)}`));
  }

  /** Refusals in place of the policies that drop. */
  private async refuse(): Promise<void> {
    const { machine } = this.network;
    const listed = await machine.shell(['nft -j list chains']);
    const { nftables } = JSON.parse(listed as string) as { nftables: readonly Listed[] };
    const dropping = nftables.flatMap(({ chain }) => (chain?.policy === 'drop' ? [chain] : []));
    await machine.shell(
      dropping.map(({ family, table, name }) => `nft add rule ${family} ${table} ${name} ${refuse}`),
    );
  }

  /** The interfaces that callers at one place reach. */
  private async call(draft: Draft, where: Where): Promise<Reached> {
    const { attempts, beside } = draft;
    const ports = [...new Set(attempts.map(({ port }) => port))];
    const open = new Set<Service['name']>();
    const login = new Set<Service['name']>();
    for (const { inside, waysTo } of this.network.callersAt(where, beside)) {
      const ways = await inside.connect(ports.flatMap(waysTo));
      const requests = attempts.flatMap((attempt) =>
        ways.filter(({ port }) => port === attempt.port).map((way) => ({ ...attempt, ...way })),
      );
      for (const name of servedBy(requests, await inside.ask(requests, null))) open.add(name);
      if (!draft.hasLogin) continue;
      for (const name of servedBy(requests, await inside.ask(requests, this.login))) login.add(name);
    }
    return { open, login: new Set([...open, ...login]) };
  }
}

interface Reached {
  readonly open: ReadonlySet<Service['name']>;
  /** With a login, or without. */
  readonly login: ReadonlySet<Service['name']>;
}

/** The services whose answer an attempt got that was meant for them. */
function servedBy(asked: readonly Attempt[], answers: readonly (Answer | null)[]): Service['name'][] {
  return asked
    .filter(({ service }, at) => answers[at]?.body.includes(`"result":"${service}"`))
    .map(({ service }) => service);
}

/** On the machine of the containers. */
const other = { name: 'other', host: '127.0.0.1', port: 3000 };

const refuse = 'meta l4proto tcp reject with tcp reset';

interface Listed {
  readonly chain?: {
    readonly family: string;
    readonly table: string;
    readonly name: string;
    readonly policy?: string;
  };
}

/** A certificate for all names, which is its own authority. */
function makeCertificate(folder: string): void {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const names = ['rpc.example.com', 'node.example.org', 'api.example.net', 'localhost'].map(
    (one) => `DNS:${one}`,
  );
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
      '-keyout',
      key,
      '-out',
      certificate,
      '-subj',
      '/CN=rpc.example.com',
      '-addext',
      `subjectAltName=${[...names, 'IP:127.0.0.1'].join(',')}`,
    ],
    { stdio: 'ignore' },
  );
  execFileSync('sh', [
    '-c',
    `cat ${certificate} ${key} > ${join(folder, 'tls.pem')} && chmod 644 ${folder}/tls.*`,
  ]);
}
