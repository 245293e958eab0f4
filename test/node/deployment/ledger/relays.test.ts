/** Who reaches the interfaces of a conf beside files of proxies, in the report of lint. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report, TargetReport } from '../../../../src/node/facts/report.js';
import { kaiactl } from '../../offline.js';

const conf = `NETWORK=cypress
DATA_DIR=/var/kend/data
RPC_ENABLE=1
RPC_API="klay,personal"
RPC_VHOSTS="localhost,node,pool"
RPC_ADDR="127.0.0.1"
RPC_PORT=8551
WS_ENABLE=0
`;
const proxy = (more = '') =>
  `server {\n  listen 80;\n  ${more}\n  location / { proxy_pass http://127.0.0.1:8551; }\n}\n`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-relays-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'kend.conf': conf, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const lint = (files: Readonly<Record<string, string>>, ...options: string[]) =>
  lintFolder(folderWith(files), ...options);

async function lintFolder(folder: string, ...options: string[]): Promise<TargetReport> {
  const { stdout } = await kaiactl(['node', 'lint', folder, '--format', 'json', '-q', ...options], {
    cwd: folder,
  });
  const [target] = (JSON.parse(stdout) as Report).targets;
  if (target === undefined) throw new Error(`no target: ${stdout}`);
  return target;
}

/** "any via nginx.conf:4: any; critical", or the open question. */
function told({ interfaces, findings, undetermined }: TargetReport): string {
  const [http] = interfaces.filter(({ transport }) => transport === 'http');
  const via = (http?.reachVia ?? []).map((one) => one.replace(/^.*\//, ''));
  const personal = findings.find(({ rule }) => rule === 'privileged-module')?.severity ?? 'no finding';
  const open = undetermined.filter(({ rule }) => rule === 'relayed-interface').map(({ reason }) => reason);
  return [
    `${http?.reach ?? '?'} via ${via.join(', ')}`,
    personal,
    ...open.map((one) => one.replace(/^.*?: /, '').replaceAll(/\/\S*\//g, '')),
  ].join('; ');
}

test.each([
  ['a proxy for every address', proxy(), 'any via nginx.conf:4: any; critical'],
  [
    'a proxy for a private network',
    proxy('allow 10.0.0.0/8; deny all;'),
    'private via nginx.conf:4: private; high',
  ],
  ['a proxy with a login', proxy('auth_basic x;'), 'loopback via nginx.conf:4: any, with a login; medium'],
  ['a proxy that answers itself', proxy('return 404;'), 'loopback via ; medium'],
  [
    'a proxy with a condition',
    proxy('if ($arg_key != "x") { return 403; }'),
    '? via nginx.conf:4; medium; nginx forwards to http, listening on 80: if decides which requests get through, so who reaches http is not known',
  ],
  ['a proxy to another port', proxy().replace('8551', '3000'), 'loopback via ; medium'],
  [
    'a script that writes the file of a proxy',
    `cat > /etc/nginx/conf.d/x <<'X'\n${proxy()}X\n`,
    '? via nginx.conf:5; medium; nginx forwards to http: its limits are not read, so who reaches http is not known',
  ],
])('%s', async (_, text, expected) => {
  expect(told(await lint({ 'nginx.conf': text }))).toBe(expected);
});

test.each([
  ['a file of settings gives it', { '.env': 'NODE_PORT=8551\n' }, 'any via nginx.conf:4: any; critical'],
  ['a file of settings gives it another value', { '.env': 'NODE_PORT=3000\n' }, 'loopback via ; medium'],
  ['a document alone gives it', { 'README.md': 'NODE_PORT=8551\n' }, 'loopback via ; medium'],
])('a proxy to a port that is a variable: %s', async (_, files, expected) => {
  const text = proxy().replace('127.0.0.1:8551', '${NODE_HOST}:${NODE_PORT}');
  expect(told(await lint({ 'nginx.conf': text, ...files }))).toBe(expected);
});

const inner = 'server {\n  listen 127.0.0.1:8080;\n  location / { proxy_pass http://127.0.0.1:8551; }\n}\n';
const outer = (more = '') => proxy(more).replace('8551', '8080');

test.each([
  ['alone', {}, 'loopback via ; medium'],
  ['behind a proxy for every address', { 'b.conf': outer() }, 'any via a.conf:3: any; critical'],
  [
    'behind a proxy with a list',
    { 'b.conf': outer('allow 10.0.0.0/8; deny all;') },
    'private via a.conf:3: private; high',
  ],
  [
    'behind a proxy with a login',
    { 'b.conf': outer('auth_basic x;') },
    'loopback via a.conf:3: any, with a login; medium',
  ],
  [
    'behind a relay whose limits are not read',
    { 'run.sh': 'ssh -N -R 80:localhost:8080 host\n' },
    '? via a.conf:3; medium; nginx forwards to http, listening on 127.0.0.1:8080: ssh leads to it (run.sh:1): its limits are not read, so who reaches http is not known',
  ],
])('a proxy on loopback %s', async (_, files, expected) => {
  expect(told(await lint({ 'a.conf': inner, ...files }))).toBe(expected);
});

test('a tunnel whose service knows where it leads is an open question for http and ws, not for the socket', async () => {
  const { undetermined } = await lint({ 'up.sh': 'cloudflared tunnel run --token eyJhIjoiNzMifQ\n' });
  expect(undetermined.filter(({ rule }) => rule === 'relayed-interface')).toMatchObject([
    { subject: 'cloudflared:8551' },
  ]);
  expect(JSON.stringify(undetermined)).not.toContain('eyJh');
});

const nat = (rule: string, hook = 'prerouting priority dstnat') =>
  `table ip nat {\n chain x {\n type nat hook ${hook};\n ${rule}\n }\n}\n`;
const saved = (rule: string) => `*nat\n:PREROUTING ACCEPT [0:0]\n${rule}\nCOMMIT\n`;
const unread = (line: string, severity: string) =>
  `? via ${line}; ${severity}; ${line.startsWith('rules') ? 'iptables' : 'nftables'} forwards to http, listening on 80: its limits are not read, so who reaches http is not known`;

test.each([
  [
    'a port to loopback',
    '127.0.0.1',
    'nftables.conf',
    nat('tcp dport 80 redirect to :8551'),
    'loopback via ; medium',
  ],
  [
    'a port to a private address',
    '10.0.0.4',
    'nftables.conf',
    nat('tcp dport 80 counter redirect to :8551'),
    'private via nftables.conf:4: private; high',
  ],
  [
    'packets to a private address',
    '10.0.0.4',
    'nftables.conf',
    nat('tcp dport 80 dnat to 10.0.0.4:8551'),
    'any via nftables.conf:4: any; critical',
  ],
  [
    'packets to a private address, by iptables',
    '10.0.0.4',
    'rules.v4',
    saved('-A PREROUTING -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.0.0.4:8551'),
    'any via rules.v4:3: any; critical',
  ],
  [
    'packets of the port to another address',
    '10.0.0.4',
    'rules.v4',
    saved('-A PREROUTING -p tcp --dport 8551 -j DNAT --to-destination 10.0.0.4'),
    'any via rules.v4:3: any; critical',
  ],
  [
    'packets to a private address, where the node is on loopback',
    '127.0.0.1',
    'nftables.conf',
    nat('tcp dport 80 dnat to 10.0.0.4:8551'),
    'loopback via ; medium',
  ],
  [
    'packets to loopback',
    '127.0.0.1',
    'nftables.conf',
    nat('tcp dport 80 dnat to 127.0.0.1:8551'),
    unread('nftables.conf:4', 'medium'),
  ],
  [
    'packets of some clients',
    '10.0.0.4',
    'nftables.conf',
    nat('ip saddr 192.168.0.0/16 tcp dport 80 dnat to 10.0.0.4:8551'),
    unread('nftables.conf:4', 'high'),
  ],
  [
    'packets of the machine',
    '10.0.0.4',
    'nftables.conf',
    nat('tcp dport 80 dnat to 10.0.0.4:8551', 'output priority -100'),
    unread('nftables.conf:4', 'high'),
  ],
  [
    'packets of some clients, by iptables',
    '10.0.0.4',
    'rules.v4',
    saved('-A PREROUTING -s 192.168.0.0/16 -p tcp --dport 80 -j DNAT --to-destination 10.0.0.4:8551'),
    unread('rules.v4:3', 'high'),
  ],
])('a rule that leads %s', async (_, address, name, rules, expected) => {
  expect(told(await lint({ 'kend.conf': conf.replace('127.0.0.1', address), [name]: rules }))).toBe(expected);
});

test('a rule that leads packets to a proxy', async () => {
  const files = { 'a.conf': inner.replace('127.0.0.1:8080', '10.0.0.4:8080') };
  expect(told(await lint(files))).toBe('private via a.conf:3: private; high');
  const led = { ...files, 'nftables.conf': nat('tcp dport 80 dnat to 10.0.0.4:8080') };
  expect(told(await lint(led))).toBe('any via a.conf:3: any; critical');
});

const service = (spec: string, more = '') => `apiVersion: v1
kind: Service
metadata: { name: node }
spec: { ports: [{ port: 80 }], ${spec} }
---
apiVersion: v1
kind: Endpoints
metadata: { name: node }
subsets:
  - addresses: [{ ip: 10.0.0.4 }]
    ports: [{ port: 8551 }]
${more}`;
const ingress = `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: node }
spec: { defaultBackend: { service: { name: node, port: { number: 80 } } } }
`;

test.each([
  ['for the cluster', service('type: ClusterIP'), 'private via k.yaml:10: private; high'],
  ['on a port of each machine', service('type: NodePort'), 'any via k.yaml:10: any; critical'],
  ['of a balancer', service('type: LoadBalancer'), 'any via k.yaml:10: any; critical'],
  ['of a balancer with ranges', service('type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8]'), null],
  ['with a route', service('type: ClusterIP', ingress), null],
  ['with a selector', service('selector: { app: node }'), null],
  ['that is elsewhere', service('type: NodePort').replace('name: node', 'name: other'), null],
])('Endpoints and a Service %s', async (_, text, expected) => {
  const files = { 'kend.conf': conf.replace('127.0.0.1', '10.0.0.4'), 'k.yaml': text };
  expect(told(await lint(files))).toBe(
    expected ??
      '? via k.yaml:10; high; Endpoints forwards to http: its limits are not read, so who reaches http is not known',
  );
});

test('a proxy on loopback that asks for a login, behind a proxy for every address', async () => {
  const files = { 'a.conf': inner.replace('location', 'auth_basic x; location'), 'b.conf': outer() };
  expect(told(await lint(files))).toBe('loopback via a.conf:3: any, with a login; medium');
});

test.each([
  ['denies its machine', 'allow 192.168.0.0/16; deny all;', '127.0.0.1', 'loopback via ; medium'],
  ['denies every client', 'deny all;', 'localhost', 'loopback via ; medium'],
  ['admits its machine', 'allow 127.0.0.0/8; deny all;', '127.0.0.1', 'any via a.conf:3: any; critical'],
  ['admits every address', 'allow 0.0.0.0/0; deny all;', '127.0.0.1', 'any via a.conf:3: any; critical'],
  ['denies one network', 'deny 10.0.0.0/8;', '127.0.0.1', 'any via a.conf:3: any; critical'],
])('a proxy with a list that %s, behind a proxy for every address', async (_, list, host, expected) => {
  const files = {
    'a.conf': inner.replace('location', `${list} location`),
    'b.conf': outer().replace('127.0.0.1', host),
  };
  expect(told(await lint(files))).toBe(expected);
});

test('a proxy with a list of private addresses, behind a proxy that leads to its private address', async () => {
  const list = 'allow 10.0.0.0/8; deny all; location';
  const files = {
    'a.conf': inner.replace('127.0.0.1:8080', '10.0.0.4:8080').replace('location', list),
    'b.conf': outer().replace('127.0.0.1', '10.0.0.4'),
  };
  expect(told(await lint(files))).toBe('any via a.conf:3: any; critical');
});

const main = (more: string) => `events {}\nhttp {\n  ${more}\n}\n`;
const lists = 'allow 10.0.0.0/8; deny all;';

/** Files of nginx that include each other, and how the interface is told to be reached. */
const included: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  expected: string,
])[] = [
  [
    'a server below the list of the main file',
    {
      'etc/nginx/nginx.conf': main(`${lists} include /etc/nginx/conf.d/*.conf;`),
      'etc/nginx/conf.d/rpc.conf': proxy(),
    },
    'private via rpc.conf:4: private; high',
  ],
  [
    'a list in a snippet, by a path that starts from the main file',
    {
      'nginx/nginx.conf': main('include sites-enabled/*;'),
      'nginx/sites-enabled/rpc': proxy('include snippets/office.conf;'),
      'nginx/snippets/office.conf': lists,
    },
    'private via rpc:4: private; high',
  ],
  [
    'a list in a snippet, without the main file',
    {
      'nginx/sites-enabled/rpc': proxy('include snippets/office.conf;'),
      'nginx/snippets/office.conf': lists,
    },
    'private via rpc:4: private; high',
  ],
  [
    'a list of two files of that name',
    {
      'nginx/nginx.conf': proxy('include /etc/nginx/office.conf;'),
      'nginx/office.conf': lists,
      'etc/nginx/office.conf': lists,
    },
    '? via nginx.conf:4; medium; nginx forwards to http, listening on 80: the included file office.conf decides which requests get through, so who reaches http is not known',
  ],
  [
    'a snippet that two servers include, and the list of one of them',
    {
      'nginx.conf': `${proxy('include rpc.conf;').replace('location', '#')}${proxy(`${lists} include rpc.conf;`).replace('location', '#')}`,
      'rpc.conf': 'location / { proxy_pass http://127.0.0.1:8551; }\n',
    },
    'any via rpc.conf:1: any, rpc.conf:1: private; critical',
  ],
  [
    'the list of another machine',
    {
      'gateway/nginx.conf': main(`${lists} include /etc/nginx/conf.d/*.conf;`),
      'etc/nginx/conf.d/rpc.conf': proxy(),
    },
    'any via rpc.conf:4: any; critical',
  ],
  [
    'a list of a main file on the machine, where a container mounts the server',
    {
      'nginx.conf': main(`${lists} include /etc/nginx/conf.d/*.conf;`),
      'conf.d/rpc.conf': proxy(),
      'compose.yaml':
        'services:\n  web:\n    image: nginx\n    network_mode: host\n    volumes:\n      - ./conf.d:/etc/nginx/conf.d\n',
    },
    'any via rpc.conf:4: any; critical',
  ],
  [
    'files that include each other',
    { 'a.conf': `include b.conf; ${proxy()}`, 'b.conf': 'include a.conf;' },
    '? via a.conf:4; medium; nginx forwards to http, listening on 80: the included file b.conf decides which requests get through, so who reaches http is not known',
  ],
  [
    'an upstream of a file beside it',
    {
      'nginx/conf.d/rpc.conf': proxy(lists).replace('127.0.0.1:8551', 'node'),
      'nginx/conf.d/upstreams.conf': 'upstream node { server 127.0.0.1:8551; }\n',
    },
    '? via upstreams.conf:1; medium; nginx forwards to http: its limits are not read, so who reaches http is not known',
  ],
  [
    'an upstream that its file does not use',
    {
      'nginx/nginx.conf':
        'upstream node { server 127.0.0.1:8551; }\nserver { listen 80; location / { proxy_pass http://10.0.0.9:3000; } }\n',
    },
    '? via nginx.conf:1; medium; nginx forwards to http: its limits are not read, so who reaches http is not known',
  ],
  [
    'an upstream that its file may use by a variable',
    {
      'nginx/nginx.conf':
        'upstream node { server 127.0.0.1:8551; }\nserver { listen 80; location / { proxy_pass http://$arg_to; } }\n',
    },
    '? via nginx.conf:1; medium; nginx forwards to http: its limits are not read, so who reaches http is not known',
  ],
];

test.each(included)('nginx with %s', async (_, files, expected) => {
  expect(told(await lint(files))).toBe(expected);
});

const caddy = (...lines: readonly string[]) => `:80 {\n\t${lines.join('\n\t')}\n}\n`;
const guard = '@others not remote_ip {args[0]}\nrespond @others 403\n';

test.each([
  [
    'directives of a site',
    { Caddyfile: caddy('import parts/own.caddy 10.0.0.0/8', 'reverse_proxy 127.0.0.1:8551') },
    'private via Caddyfile:3: private; high',
  ],
  [
    'sites, which import a snippet of it',
    {
      Caddyfile: `(own) {\n\t${guard}}\nimport /etc/caddy/sites/*\n`,
      'sites/rpc': caddy('import own 10.0.0.0/8', 'reverse_proxy 127.0.0.1:8551'),
    },
    'private via rpc:3: private; high',
  ],
  [
    'snippets',
    {
      Caddyfile: `import snippets\n${caddy('import own 10.0.0.0/8', 'reverse_proxy 127.0.0.1:8551')}`,
      snippets: `(own) {\n\t${guard}}\n`,
    },
    'private via Caddyfile:4: private; high',
  ],
  [
    'a file that is not there',
    { Caddyfile: caddy('import own/*', 'reverse_proxy 127.0.0.1:8551') },
    '? via Caddyfile:3; medium; caddy forwards to http, listening on :80: the imported own/* decides which requests get through, so who reaches http is not known',
  ],
])('a Caddyfile that imports %s', async (_, files, expected) => {
  expect(told(await lint({ 'parts/own.caddy': guard, ...files }))).toBe(expected);
});

test('nginx with a link to a site: it is read once, below the main file', async () => {
  const folder = folderWith({
    'nginx/nginx.conf': main(`${lists} include /etc/nginx/sites-enabled/*;`),
    'nginx/sites-available/rpc': proxy(),
    'nginx/sites-enabled/none': '',
  });
  symlinkSync('../sites-available/rpc', join(folder, 'nginx/sites-enabled/rpc'));
  expect(told(await lintFolder(folder))).toBe('private via rpc:4: private; high');
});

test('a snippet of a Caddyfile whose address is given where it is imported', async () => {
  const text = '(node) {\n  reverse_proxy {args[0]}\n}\nhttp://:80 {\n  import node 127.0.0.1:8551\n}\n';
  expect(told(await lint({ Caddyfile: text }))).toBe('any via Caddyfile:2: any; critical');
});

test('proxies that lead to each other', async () => {
  const loop = inner.replace('8551', '8081') + inner.replace('8080', '8081').replace('8551', '8080') + inner;
  expect(told(await lint({ 'nginx.conf': loop }))).toBe(
    '? via nginx.conf:11; medium; nginx forwards to http, listening on 127.0.0.1:8080: nginx leads to it (nginx.conf:7): nginx leads to it (nginx.conf:3): relays lead to each other in a circle (nginx.conf:3), so who reaches http is not known',
  );
});

/** A file of another relay, and how the interface is told to be reached. */
const tunnels: readonly (readonly [name: string, file: string, text: string, expected: string])[] = [
  ['socat', 'relay.sh', 'socat TCP-LISTEN:80,fork TCP:127.0.0.1:8551\n', 'any via relay.sh:1: any; critical'],
  [
    'socat on a private address',
    'relay.sh',
    'socat TCP-LISTEN:80,fork,bind=10.0.0.4 TCP:127.0.0.1:8551\n',
    'private via relay.sh:1: private; high',
  ],
  [
    'socat on loopback',
    'relay.sh',
    'socat TCP-LISTEN:80,bind=127.0.0.1 TCP:127.0.0.1:8551\n',
    'loopback via ; medium',
  ],
  [
    'socat on an address of a variable',
    'relay.sh',
    'socat TCP-LISTEN:80,bind=$ADDR TCP:127.0.0.1:8551\n',
    '? via relay.sh:1; medium; socat forwards to http, listening on $ADDR:80: its limits are not read, so who reaches http is not known',
  ],
  [
    'socat in a container',
    'relay.sh',
    'docker run -p 127.0.0.1:80:80 alpine/socat TCP-LISTEN:80,fork TCP:host.docker.internal:8551\n',
    '? via relay.sh:1; medium; socat forwards to http, listening on 80: its limits are not read, so who reaches http is not known',
  ],
  [
    'ssh that opens a local port',
    'relay.sh',
    'ssh -N -L 0.0.0.0:80:127.0.0.1:8551 node\n',
    'any via relay.sh:1: any; critical',
  ],
  [
    'ssh to another machine',
    'relay.sh',
    'ssh -N -R 80:127.0.0.1:8551 gate\n',
    '? via relay.sh:1; medium; ssh forwards to http: its limits are not read, so who reaches http is not known',
  ],
  [
    'cloudflared',
    'relay.sh',
    'cloudflared tunnel --url http://127.0.0.1:8551\n',
    'any via relay.sh:1: any; critical',
  ],
  [
    'cloudflared that checks logins',
    'config.yml',
    'tunnel: x\ningress:\n  - hostname: a.example.com\n    service: http://127.0.0.1:8551\n    originRequest:\n      access:\n        required: true\n',
    '? via config.yml:4; medium; cloudflared forwards to http: its limits are not read, so who reaches http is not known',
  ],
  ['ngrok', 'relay.sh', 'ngrok http 8551\n', 'any via relay.sh:1: any; critical'],
  [
    'ngrok with a password',
    'relay.sh',
    'ngrok http --basic-auth user:password 8551\n',
    '? via relay.sh:1; medium; ngrok forwards to http: its limits are not read, so who reaches http is not known',
  ],
  [
    'frp',
    'frpc.toml',
    '[[proxies]]\ntype = "tcp"\nlocalPort = 8551\nremotePort = 80\n',
    'any via frpc.toml:3: any; critical',
  ],
  ['tailscale serve', 'relay.sh', 'tailscale serve --bg 8551\n', 'private via relay.sh:1: private; high'],
  ['tailscale funnel', 'relay.sh', 'tailscale funnel --bg 8551\n', 'any via relay.sh:1: any; critical'],
];

/** A file of each format, for the private network: those of Apache and Envoy are named and not read. */
const formats: typeof tunnels = [
  [
    'a Caddyfile',
    'Caddyfile',
    ':80 {\n\t@own remote_ip 10.0.0.0/8\n\treverse_proxy @own 127.0.0.1:8551\n}\n',
    'private via Caddyfile:3: private; high',
  ],
  [
    'a file of HAProxy',
    'haproxy.cfg',
    'frontend a\n  bind 10.0.0.4:80\n  default_backend b\nbackend b\n  server n 127.0.0.1:8551\n',
    'private via haproxy.cfg:5: private; high',
  ],
  [
    'a file of Apache',
    'site.conf',
    '<VirtualHost *:80>\n<Location />\nRequire ip 10\n</Location>\nProxyPass / http://127.0.0.1:8551/\n</VirtualHost>\n',
    '? via site.conf:5; medium; apache forwards to http: its limits are not read, so who reaches http is not known',
  ],
  [
    'files of Traefik',
    'dynamic.yml',
    'entryPoints: { a: { address: "10.0.0.4:80" } }\nhttp:\n  routers: { a: { rule: "Path(`/`)", service: a } }\n  services:\n    a:\n      loadBalancer:\n        servers:\n          - url: "http://127.0.0.1:8551"\n',
    'private via dynamic.yml:8: private; high',
  ],
  [
    'a file of Envoy',
    'envoy.yaml',
    'static_resources:\n  listeners:\n  - address:\n      socket_address: { address: 10.0.0.4, port_value: 80 }\n    filter_chains:\n    - filters: [{ name: envoy.filters.network.tcp_proxy, typed_config: { cluster: a } }]\n  clusters:\n  - name: a\n    load_assignment:\n      endpoints:\n      - lb_endpoints:\n        - endpoint:\n            address:\n              socket_address:\n                address: 127.0.0.1\n                port_value: 8551\n',
    '? via envoy.yaml:15; medium; envoy forwards to http: its limits are not read, so who reaches http is not known',
  ],
];

test.each([...tunnels, ...formats])('%s', async (_, file, text, expected) => {
  expect(told(await lint({ [file]: text }))).toBe(expected);
});

test.each([
  ['every address', '8080', 'any via rpc.service:2: any; critical'],
  ['a private address', '10.0.0.4:8080', 'private via rpc.service:2: private; high'],
  ['loopback', '127.0.0.1:8080', 'loopback via ; medium'],
  [
    'an address that replaces another one',
    '8080\nListenStream=\nListenStream=127.0.0.1:80',
    'loopback via ; medium',
  ],
])('a socket unit on %s', async (_, address, expected) => {
  const service = '[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd 127.0.0.1:8551\n';
  const files = { 'rpc.service': service, 'rpc.socket': `[Socket]\nListenStream=${address}\n` };
  expect(told(await lint(files))).toBe(expected);
});

test('limits by method are judged for calls as POST, and for a WebSocket as GET', async () => {
  const both = conf.replace(
    'WS_ENABLE=0',
    'WS_ENABLE=1\nWS_API="klay,personal"\nWS_ADDR="127.0.0.1"\nWS_PORT=8552',
  );
  const reachOf = async (port: string, limit: string) => {
    const limited = proxy('').replace('proxy_pass', `${limit} proxy_pass`);
    const { interfaces, undetermined } = await lint({
      'kend.conf': both,
      'nginx.conf': limited.replace('8551', port),
    });
    const kind = port === '8552' ? 'ws' : 'http';
    const open = undetermined.filter(({ rule }) => rule === 'relayed-interface').length;
    return [interfaces.find(({ transport }) => transport === kind)?.reach, open];
  };
  for (const limit of ['limit_except GET { deny all; }', 'if ($request_method != GET) { return 405; }']) {
    expect(await reachOf('8551', limit)).toEqual(['loopback', 0]);
    expect(await reachOf('8552', limit)).toEqual(['any', 0]);
  }
  for (const limit of ['limit_except POST { deny all; }', 'if ($request_method = GET) { return 405; }']) {
    expect(await reachOf('8551', limit)).toEqual(['any', 0]);
    expect(await reachOf('8552', limit)).toEqual(['loopback', 0]);
  }
});

test('a funnel opens what another file serves to the tailnet', async () => {
  const serve = { 'serve.sh': 'tailscale serve --bg http://localhost:8551\n' };
  expect(told(await lint(serve))).toMatch(/^private via serve.sh:1: private; high/);
  const funnel = { ...serve, 'public.sh': 'tailscale funnel 443 on\n' };
  expect(told(await lint(funnel))).toMatch(/^any via serve.sh:1: any; critical/);
});

test('of two ways the wider counts', async () => {
  const files = { 'a.conf': proxy('allow 10.0.0.0/8; deny all;'), 'b.conf': proxy('auth_basic x;') };
  expect(told(await lint(files))).toBe('private via a.conf:4: private, b.conf:4: any, with a login; high');
});

test('files with rules of a firewall narrow nothing', async () => {
  const rules =
    'table inet f {\n chain i {\n  type filter hook input priority 0; policy drop;\n  iifname "lo" accept\n }\n}\n';
  const files = { 'kend.conf': conf.replace('127.0.0.1', '0.0.0.0'), 'nftables.conf': rules };
  expect(told(await lint(files))).toBe('any via ; critical');
  expect(told(await lint({ 'nginx.conf': proxy(), 'nftables.conf': rules }))).toBe(
    'any via nginx.conf:4: any; critical',
  );
});

test('the reach that the operator states comes before that of a proxy', async () => {
  const target = await lint({ 'nginx.conf': proxy() }, '--assume-reach', 'http=loopback');
  expect(told(target)).toBe('loopback via ; medium');
});

test('an edit of the list is tried with the proxy', async () => {
  const { findings } = await lint({ 'nginx.conf': proxy() });
  const finding = findings.find(({ rule }) => rule === 'privileged-module');
  expect(finding?.edits?.map(({ text }) => text)).toEqual(['"klay"']);
});
