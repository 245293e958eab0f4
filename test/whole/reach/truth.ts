/** Deployments made real: their files written, their programs started, their ports called. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Attempt, type Draft, type ProxyName, password, type Service, user } from './draft.js';
import { type Answer, type Login, Network, places, type Where, waysTo } from './network.js';

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
    const etc = join(folder, 'etc');
    for (const name of ['nginx', 'caddy', 'haproxy', 'home']) mkdirSync(join(etc, name), { recursive: true });
    makeCertificate(folder);
    const [cert, key] = ['crt', 'key'].map((end) => readFileSync(join(folder, `tls.${end}`), 'utf8'));
    return new Machine(folder, await Network.open(etc), { basic: `${user}:${password}`, cert, key } as Login);
  }

  async close(): Promise<void> {
    await this.network.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Who reaches each interface. */
  async truthOf(draft: Draft): Promise<ReadonlyMap<Service['name'], Truth>> {
    this.write(draft);
    const { machine } = this.network;
    try {
      if (draft.firewall !== null) await this.load(join(this.folder, draft.firewall));
      await machine.do({ do: 'serve', sockets: draft.sockets });
      for (const name of draft.proxies) await machine.do({ do: 'start', ...commands[name] });
      const calls = await Promise.all(places.map((where) => this.call(draft, where)));
      return new Map(
        draft.ofNode.map(({ name }) => {
          const reached = (how: keyof Reached) =>
            places.filter((_, at) => calls[at]?.[how].has(name)).at(-1) ?? null;
          return [name, { open: reached('open'), login: reached('login') }];
        }),
      );
    } finally {
      await machine.do({ do: 'stop' });
      if (draft.firewall !== null) await machine.shell(['nft flush ruleset']);
    }
  }

  private write(draft: Draft): void {
    const { folder } = this;
    const place = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    rmSync(this.read, { recursive: true, force: true });
    // The folders stay: they stand in place of those of /etc.
    for (const etc of ['nginx', 'caddy', 'haproxy'].map((name) => join(folder, 'etc', name))) {
      for (const name of readdirSync(etc)) rmSync(join(etc, name), { recursive: true });
      for (const end of ['crt', 'key', 'pem']) cpSync(join(folder, `tls.${end}`), join(etc, `tls.${end}`));
    }
    place(join(folder, 'etc/nginx/htpasswd'), `${user}:{PLAIN}${password}\n`);
    place(join(folder, 'etc/nginx/mime.types'), 'types { application/json json; }\n');
    for (const { path, read, text } of draft.files) {
      place(join(folder, path), text);
      if (read !== null) place(join(this.read, read), text);
    }
  }

  /** Loads a ruleset with refusals in place of drops: callers get as little, and are told at once. */
  private async load(path: string): Promise<void> {
    const { machine } = this.network;
    const refusing = join(this.folder, 'refusing.nft');
    writeFileSync(refusing, readFileSync(path, 'utf8').replaceAll(/\b(?:drop|reject)$/gm, refuse));
    const listed = await machine.shell([`nft -c -f ${path}`, `nft -f ${refusing}`, 'nft -j list chains']);
    const { nftables } = JSON.parse(listed as string) as { nftables: readonly Listed[] };
    const dropping = nftables.flatMap(({ chain }) => (chain?.policy === 'drop' ? [chain] : []));
    await machine.shell(
      dropping.map(({ family, table, name }) => `nft add rule ${family} ${table} ${name} ${refuse}`),
    );
  }

  /** The interfaces that callers at one place reach. */
  private async call(draft: Draft, where: Where): Promise<Reached> {
    const caller = this.network.callers[where];
    const { attempts } = draft;
    const ports = new Set(attempts.map(({ port }) => port));
    const ways = await caller.connect([...ports].flatMap((port) => waysTo(where, port)));
    const requests = attempts.flatMap((attempt) =>
      ways.filter(({ port }) => port === attempt.port).map((way) => ({ ...attempt, ...way })),
    );
    const open = servedBy(requests, await caller.ask(requests, null));
    const login = draft.hasLogin ? servedBy(requests, await caller.ask(requests, this.login)) : [];
    return { open: new Set(open), login: new Set([...open, ...login]) };
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
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '30',
      ],
      ...['-keyout', key, '-out', certificate, '-subj', '/CN=rpc.example.com'],
      ...['-addext', `subjectAltName=${[...names, 'IP:127.0.0.1'].join(',')}`],
    ],
    { stdio: 'ignore' },
  );
  execFileSync('sh', [
    '-c',
    `cat ${certificate} ${key} > ${join(folder, 'tls.pem')} && chmod 644 ${folder}/tls.*`,
  ]);
}
