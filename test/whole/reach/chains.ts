/** Generated chains of up to three proxies before a node, over ports and socket files, to its http interface or IPC socket. */
import type { Random } from '../../node/sources/random.js';
import { password, user } from './draft.js';

export interface Chain {
  readonly target: 'http' | 'ipc';
  readonly programs: readonly ('nginx' | 'haproxy' | 'caddy')[];
  readonly files: Readonly<Record<string, string>>;
  /** The ports that may lead to the target. */
  readonly ports: readonly number[];
  readonly hasLogin: boolean;
  /** Hops and what stands at them, as people read them. */
  readonly told: string;
}

interface Hop {
  readonly program: Chain['programs'][number];
  readonly mode: 'http' | 'tcp';
  readonly listens: string;
  readonly gate: 'none' | 'list' | 'local list' | 'login';
  readonly to: string;
  readonly host: string | null;
}

const places = {
  nginx: 'etc/nginx/nginx.conf',
  haproxy: 'etc/haproxy/haproxy.cfg',
  caddy: 'etc/caddy/Caddyfile',
} as const;

export const folder = '/run/kend';
export const ipc = `${folder}/klay.ipc`;

const conf = [
  'NETWORK=mainnet',
  `DATA_DIR=${folder}`,
  'RPC_ENABLE=1',
  'RPC_API="klay,eth,net"',
  'RPC_ADDR="127.0.0.1"',
  'RPC_PORT=8551',
  // The server in place of the node answers every Host.
  'RPC_VHOSTS="*"',
  'WS_ENABLE=0',
  '',
].join('\n');

export function chain(random: Random): Chain {
  const all = (['nginx', 'haproxy', 'caddy'] as const)
    .map((one) => [random.next(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
    .slice(0, 1 + random.below(3));
  const target = random.chance(0.4) ? 'ipc' : 'http';
  const hops: Hop[] = [];
  let to = target === 'ipc' ? `unix:${ipc}` : '127.0.0.1:8551';
  for (const [at, program] of all.entries()) {
    const port = 9001 + at;
    const isLast = at === all.length - 1;
    const listens = random.weighted([
      [isLast ? 5 : 1, `0.0.0.0:${port}`],
      [isLast ? 2 : 0.5, `10.77.0.1:${port}`],
      [isLast ? 1 : 3, `127.0.0.1:${port}`],
      [isLast ? 0 : 4, `unix:${folder}/${program}.sock`],
    ]);
    const isSocket = listens.startsWith('unix:');
    const mode = program === 'caddy' || random.chance(0.7) ? 'http' : 'tcp';
    const gate = random.weighted([
      [4, 'none'],
      [isSocket ? 0 : 2, 'list'],
      [isSocket ? 0 : 2, 'local list'],
      [program === 'caddy' || mode === 'tcp' ? 0 : 2, 'login'],
    ] as const);
    const host = random.chance(0.3) ? random.pick(['127.0.0.1', 'rpc.example.org']) : null;
    hops.push({ program, mode, listens, gate, to, host });
    to = isSocket ? listens : `127.0.0.1:${port}`;
    if (listens.startsWith('10.')) to = listens;
  }
  return {
    target,
    programs: all,
    files: {
      'kend.conf': conf,
      ...Object.fromEntries(hops.map((hop) => [places[hop.program], write[hop.program](hop)])),
    },
    ports: hops.flatMap(({ listens }) => (listens.startsWith('unix:') ? [] : Number(listens.split(':')[1]))),
    hasLogin: hops.some(({ gate }) => gate === 'login'),
    told: `${target} ← ${hops.map(({ program, mode, listens, gate }) => `${program} ${mode} ${listens} ${gate}`).join(' ← ')}`,
  };
}

const lists = { list: ['10.0.0.0/8'], 'local list': ['127.0.0.0/8', '10.0.0.0/8', '192.168.0.0/16'] };
const clientsOf = ({ gate }: Hop) => (gate === 'list' || gate === 'local list' ? lists[gate] : null);

const write = {
  nginx(hop: Hop) {
    const { mode, listens, gate, to, host } = hop;
    const clients = clientsOf(hop);
    const rules = clients === null ? [] : [...clients.map((one) => `allow ${one};`), 'deny all;'];
    const login = gate === 'login' ? ['auth_basic "node";', 'auth_basic_user_file /etc/nginx/htpasswd;'] : [];
    const sent = host === null ? [] : [`proxy_set_header Host ${host};`];
    const server =
      mode === 'tcp'
        ? ['stream {', `  server {\n    listen ${listens};`, ...rules, `    proxy_pass ${to};`, '  }\n}']
        : [
            `http {\n  server {\n    listen ${listens};`,
            ...rules,
            '    location / {',
            ...login,
            ...sent,
            `      proxy_pass http://${to}${to.startsWith('unix:') ? ':/' : ''};\n    }\n  }\n}`,
          ];
    return ['user root;', ...(mode === 'tcp' ? streams : []), 'events {}', ...server, ''].join('\n');
  },
  haproxy(hop: Hop) {
    const { mode, listens, gate, to, host } = hop;
    const clients = clientsOf(hop);
    const deny = mode === 'tcp' ? 'tcp-request connection reject' : 'http-request deny';
    const lines = [
      ...(gate === 'login' ? [`userlist own\n user ${user} insecure-password ${password}`] : []),
      `defaults\n mode ${mode}`,
      ...['connect', 'client', 'server'].map((one) => ` timeout ${one} 20s`),
      `frontend own\n bind ${listens.replace('unix:', '')}`,
      ...(clients === null ? [] : [` acl office src ${clients.join(' ')}`, ` ${deny} unless office`]),
      ...(gate === 'login' ? [' http-request auth unless { http_auth(own) }'] : []),
      ...(host === null || mode === 'tcp' ? [] : [` http-request set-header Host ${host}`]),
      ` default_backend node\nbackend node\n server n ${to.replace('unix:', '')}`,
      '',
    ];
    return lines.join('\n');
  },
  caddy(hop: Hop) {
    const { listens, to, host } = hop;
    const clients = clientsOf(hop);
    const [bind, port = '80'] = listens.startsWith('unix:')
      ? [`unix/${listens.slice(5)}`]
      : listens.split(':');
    const up = host === null ? [] : [`\t\theader_up Host ${host}`];
    return [
      '{\n\tadmin off\n\tauto_https off\n}',
      `http://:${port} {\n\tbind ${bind}`,
      ...(clients === null ? [] : [`\t@others not remote_ip ${clients.join(' ')}`, '\tabort @others']),
      `\treverse_proxy ${to.replace('unix:', 'unix/')} {`,
      ...up,
      '\t}\n}\n',
    ].join('\n');
  },
};

/** Where Debian has the module apart. */
const streams = ['load_module /usr/lib/nginx/modules/ngx_stream_module.so;'];
