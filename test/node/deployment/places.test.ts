/** Who reaches a node through a proxy in a container beside it, in the report of lint. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kaiactl } from '../offline.js';

const proxy = (more = '') =>
  `server {\n  listen 80;\n  ${more}\n  location / { proxy_pass http://en:8551; }\n}\n`;

const compose = (...web: readonly string[]) =>
  [
    'services:',
    '  en:',
    '    image: kaiachain/kaia:v2.2.1',
    '    command: ken --datadir /data --rpc --rpcaddr 0.0.0.0 --rpcvhosts en,rpc,rpc.example --rpcapi eth,admin',
    '  web:',
    ...web.map((line) => `    ${line}`),
    '',
  ].join('\n');

const nginx = ['image: nginx:1.27', 'volumes: ["./nginx.conf:/etc/nginx/conf.d/default.conf:ro"]'];

/** "any via nginx.conf:4: any", and the open questions. */
async function lint(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-sidecars-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { stdout } = await kaiactl(['node', 'lint', '.', '--format', 'json', '-q'], { cwd: folder });
  const { targets } = JSON.parse(stdout) as Report;
  const target = targets.find(({ interfaces }) => interfaces.length > 0);
  const http = target?.interfaces.find(({ transport }) => transport === 'http');
  const open = (target?.undetermined ?? []).map(({ reason }) => reason.replace(/^\S+: /, ''));
  return [`${http?.reach ?? '?'} via ${(http?.reachVia ?? []).join(', ')}`, ...open].join('; ');
}

test.each([
  ['a published port', [...nginx, 'ports: ["8080:80"]'], proxy(), 'any via nginx.conf:4: any'],
  [
    'a port of this machine',
    [...nginx, 'ports: ["127.0.0.1:8080:80"]'],
    proxy(),
    'private via nginx.conf:4: private',
  ],
  ['no published port', nginx, proxy(), 'private via nginx.conf:4: private'],
  ['another published port', [...nginx, 'ports: ["443:443"]'], proxy(), 'private via nginx.conf:4: private'],
  [
    'the address of docker in a list',
    [...nginx, 'ports: ["80:80"]'],
    proxy('allow 172.16.0.0/12; deny all;'),
    'any via nginx.conf:4: any',
  ],
  [
    'a list of this machine',
    [...nginx, 'ports: ["80:80"]'],
    proxy('allow 127.0.0.1; deny all;'),
    'private via ',
  ],
  [
    'the network of the host',
    [...nginx, 'network_mode: host'],
    proxy('allow 172.16.0.0/12; deny all;'),
    'private via nginx.conf:4: private',
  ],
  [
    'the network of another service',
    [...nginx, 'network_mode: service:en'],
    proxy(),
    'private via nginx.conf:4: private',
  ],
  [
    'a config',
    ['image: nginx', 'configs: [{source: conf, target: /etc/nginx/nginx.conf}]', 'ports: ["80:80"]', '#'],
    proxy(),
    '? via nginx.conf:4; nginx forwards to http, listening on 80: compose.yaml names it, and no container there is known to mount the file, so who reaches http is not known',
  ],
  [
    'a folder',
    ['image: nginx', 'volumes: ["./:/etc/nginx/conf.d"]', 'ports: ["80:80"]'],
    proxy(),
    'any via nginx.conf:4: any',
  ],
  [
    'an image without the file',
    ['image: nginx', 'ports: ["80:80"]'],
    proxy(),
    '? via nginx.conf:4; nginx forwards to http, listening on 80: compose.yaml names it, and no container there is known to mount the file, so who reaches http is not known',
  ],
  ['a file of the machine', ['image: redis'], proxy(), 'any via nginx.conf:4: any'],
])('%s', async (_, web, conf, expected) => {
  expect(await lint({ 'compose.yaml': compose(...web), 'nginx.conf': conf })).toBe(expected);
});

test('a config with a file', async () => {
  const web = [
    'image: nginx',
    'configs: [{source: conf, target: /etc/nginx/nginx.conf}]',
    'ports: ["80:80"]',
  ];
  const text = `${compose(...web)}configs:\n  conf:\n    file: ./nginx.conf\n`;
  expect(await lint({ 'compose.yaml': text, 'nginx.conf': proxy() })).toBe('any via nginx.conf:4: any');
});

test('a proxy of the machine before the published port of another one', async () => {
  const files = {
    'compose.yaml': compose(...nginx, 'ports: ["127.0.0.1:8080:80"]'),
    'nginx.conf': proxy(),
    Caddyfile: 'rpc.example.com {\n\treverse_proxy 127.0.0.1:8080\n}\n',
  };
  expect(await lint(files)).toBe('any via nginx.conf:4: any');
});

/** A compose file of a node with these lines, and of another service. */
const beside = (node: readonly string[], ...web: readonly string[]) =>
  compose(...web).replace('  web:', [...node.map((line) => `    ${line}`), '  web:'].join('\n'));
const virtual = ['environment: [VIRTUAL_HOST=rpc.example.com, VIRTUAL_PORT=8551]'];
const nginxProxy = 'image: nginxproxy/nginx-proxy:1.6';

test.each([
  ['nginx-proxy', virtual, [nginxProxy, 'ports: ["80:80"]'], 'any via '],
  ['nginx-proxy of this machine', virtual, [nginxProxy, 'ports: ["127.0.0.1:80:80"]'], 'loopback via '],
  ['nginx-proxy that publishes nothing', virtual, [nginxProxy], 'private via '],
  ['nginx-proxy of another project', virtual, ['image: redis'], 'any via '],
  [
    'nginx-proxy for internal networks',
    ['environment: {VIRTUAL_HOST: a.example.com, NETWORK_ACCESS: internal}', 'expose: ["8551"]'],
    [nginxProxy, 'ports: ["80:80"]'],
    'private via ',
  ],
  [
    'nginx-proxy to another port',
    ['environment: {VIRTUAL_HOST: a.example.com, VIRTUAL_PORT: "3000"}'],
    [nginxProxy, 'ports: ["80:80"]'],
    'private via ',
  ],
  [
    'labels of caddy-docker-proxy',
    ['labels: {caddy: rpc.example.com, caddy.reverse_proxy: "{{upstreams 8551}}"}'],
    ['image: lucaslorentz/caddy-docker-proxy', 'ports: ["80:80"]'],
    '? via compose.yaml:5; caddy forwards to http: its limits are not read, so who reaches http is not known',
  ],
])('%s', async (_, node, web, expected) => {
  expect(await lint({ 'compose.yaml': beside(node, ...web) })).toBe(expected);
});

test('nginx-proxy by a file of variables', async () => {
  const node = ['env_file: proxy.env'];
  const files = {
    'compose.yaml': beside(node, nginxProxy, 'ports: ["80:80"]'),
    'proxy.env': 'VIRTUAL_HOST=a\nVIRTUAL_PORT=8551\n',
  };
  expect(await lint(files)).toBe('any via ');
});

const indent = (text: string) => text.replace(/^(?=.)/gm, '    ');
const pod = (service: string, image = 'nginx:1.27') => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: en }
spec:
  template:
    metadata: { labels: { app: en } }
    spec:
      containers:
      - name: en
        image: kaiachain/kaia:v2.2.1
        command: [ken, --datadir, /data, --rpc, --rpcaddr, 127.0.0.1, --rpcapi, "eth,admin"]
      - name: web
        image: ${image}
        volumeMounts: [{ name: conf, mountPath: /etc/nginx/conf.d }]
      volumes: [{ name: conf, configMap: { name: web } }]
---
kind: Service
metadata: { name: web }
spec:
  ${service}
  selector: { app: en }
  ports: [{ port: 443, targetPort: 80 }]
---
kind: ConfigMap
metadata: { name: web }
data:
  default.conf: |
${indent(proxy('allow 10.0.0.0/8; deny all;').replace('//en:', '//127.0.0.1:'))}`;

test.each([
  ['a Service of the cluster', pod('type: ClusterIP'), 'private via en.yaml:31: private'],
  [
    'a load balancer, whose address clients seem to have',
    pod('type: LoadBalancer'),
    'any via en.yaml:31: any',
  ],
  [
    'another image',
    pod('type: LoadBalancer', 'busybox'),
    '? via en.yaml:31; nginx forwards to http, listening on 80: no container among the files is known to mount it, so who reaches http is not known',
  ],
])('a ConfigMap of a sidecar behind %s', async (_, text, expected) => {
  expect(await lint({ 'en.yaml': text })).toBe(expected);
});
