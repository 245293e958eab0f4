/** Files that are named by themselves, as a hook names them, and are parts of a project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Folder, gravely } from './lint-folder.js';

test.each<[string, string, Folder, RegExp]>([
  [
    'an override',
    'docker-compose.override.yml',
    {
      'docker-compose.override.yml': 'services:\n  geth:\n    ports: ["8545:8545"]\n',
      'docker-compose.yml':
        'services:\n  geth:\n    image: ethereum/client-go:v1.14.12\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n',
    },
    /^critical at docker-compose.yml/,
  ],
  [
    'variables of a compose project',
    '.env',
    {
      '.env': 'API=eth,admin\n',
      'compose.yaml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API}\n    ports: ["8545:8545"]\n',
    },
    /^critical at .env/,
  ],
  [
    'variables of a service',
    'geth.env',
    {
      'geth.env': 'GETH_HTTP_API=eth,admin\n',
      'compose.yaml':
        "services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    env_file: geth.env\n    command: --http --http.addr 0.0.0.0\n    ports: ['8545:8545']\n",
    },
    /^critical at (geth.env|compose.yaml)/,
  ],
  [
    'values of a chart',
    'c/values.yaml',
    {
      'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'c/values.yaml': 'api: eth,admin\n',
      'c/templates/d.yaml':
        "apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n    - name: g\n      image: ethereum/client-go:v1.13.14\n      args: [--http, --http.addr=0.0.0.0, '--http.api={{ .Values.api }}']\n      ports: [{containerPort: 8545, hostPort: 8545}]\n",
    },
    /^critical at c./,
  ],
  [
    'a drop-in of a unit',
    'geth.service.d/x.conf',
    {
      'geth.service': '[Service]\nExecStart=/usr/bin/geth --http $ARGS\n',
      'geth.service.d/x.conf': '[Service]\nEnvironment="ARGS=--http.addr 0.0.0.0 --http.api eth,admin"\n',
    },
    /^critical at geth.service/,
  ],
  [
    'a patch of a kustomization',
    'p.yaml',
    {
      'kustomization.yaml': 'resources: [d.yaml]\npatches:\n  - path: p.yaml\n',
      'd.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n    - name: g\n      image: ethereum/client-go:v1.13.14\n      args: [--http]\n      ports: [{containerPort: 8545, hostPort: 8545}]\n',
      'p.yaml':
        "apiVersion: v1\nkind: Pod\nmetadata: {name: n}\nspec:\n  containers:\n    - name: g\n      args: [--http, --http.addr=0.0.0.0, '--http.api=eth,admin,debug,personal']\n",
    },
    /^critical at p.yaml/,
  ],
  [
    'a Service',
    's.yaml',
    {
      'd.yaml':
        "apiVersion: v1\nkind: Pod\nmetadata: {name: n, labels: {app: n}}\nspec:\n  containers:\n    - name: g\n      image: ethereum/client-go:v1.13.14\n      args: [--http, --http.addr=0.0.0.0, '--http.api=eth,admin']\n",
      's.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  type: LoadBalancer\n  selector: {app: n}\n  ports: [{port: 8545}]\n',
    },
    /^critical at d.yaml/,
  ],
  [
    'variables of a group',
    'group_vars/all.yml',
    {
      'site.yml': '- hosts: e\n  roles: [e]\n',
      'roles/e/tasks/main.yml':
        "- docker_container:\n    name: g\n    image: ethereum/client-go:v1.13.14\n    command: '--http --http.addr 0.0.0.0 --http.api {{ api }}'\n    published_ports: ['8545:8545']\n",
      'group_vars/all.yml': 'api: eth,admin\n',
      'hosts.ini': '[e]\nh1\n',
    },
    /^critical at (group_vars|roles)/,
  ],
  [
    'a Dockerfile',
    'Dockerfile',
    {
      Dockerfile:
        'FROM ethereum/client-go:v1.13.14\nENTRYPOINT ["geth","--http","--http.addr","0.0.0.0","--http.api","eth,admin"]\n',
      'compose.yaml': "services:\n  n:\n    build: .\n    ports: ['8545:8545']\n",
    },
    /^critical at Dockerfile/,
  ],
  [
    'a script that starts a project',
    'up.sh',
    {
      'up.sh': '#!/bin/sh\nexport API=eth,admin\ndocker compose up -d\n',
      'compose.yaml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n    ports: ["8545:8545"]\n',
    },
    /^critical at up.sh/,
  ],
  [
    'a script that another one sources',
    'vars.sh',
    {
      'up.sh': '#!/bin/sh\nset -a\n. ./vars.sh\ndocker compose up -d\n',
      'vars.sh': 'API=eth,admin\n',
      'compose.yaml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n    ports: ["8545:8545"]\n',
    },
    /^critical at vars.sh/,
  ],
  [
    'a proxy before the node',
    'nginx.conf',
    {
      'docker-compose.yml':
        "services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin --http.vhosts '*'\n  web:\n    image: nginx\n    ports: ['80:80']\n    volumes: ['./nginx.conf:/etc/nginx/nginx.conf']\n",
      'nginx.conf': 'http { server { listen 80; location / { proxy_pass http://geth:8545; } } }\n',
    },
    /^critical at docker-compose.yml/,
  ],
  [
    'a file of variables that nothing names',
    'prod.env',
    {
      'prod.env': 'API=eth,admin\n',
      'compose.yaml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n    ports: ["8545:8545"]\n',
    },
    /^prod.env:1 sets API/,
  ],
  [
    'a project that a script starts',
    'compose.yaml',
    {
      'up.sh': '#!/bin/sh\nexport API=eth,admin\ndocker compose up -d\n',
      'compose.yaml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n    ports: ["8545:8545"]\n',
    },
    /^critical at up.sh/,
  ],
  [
    'a project that a file above starts',
    'deploy/compose.yaml',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      Makefile: 'up:\n\tAPI=eth,admin docker compose -f deploy/compose.yaml up -d\n',
      'deploy/compose.yaml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api ${API:-eth}\n    ports: ["8545:8545"]\n',
    },
    /^critical at Makefile/,
  ],
  [
    'the defaults of a role',
    'ops/roles/e/defaults/main.yml',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      'ops/site.yml': '- hosts: e\n  roles: [e]\n',
      'ops/roles/e/tasks/main.yml':
        "- docker_container:\n    name: g\n    image: ethereum/client-go:v1.13.14\n    command: '--http --http.addr 0.0.0.0 --http.api {{ api }}'\n    published_ports: ['8545:8545']\n",
      'ops/roles/e/defaults/main.yml': 'api: eth,admin\n',
    },
    /^critical at ops.roles/,
  ],
  [
    'a part of another project',
    'web/compose.override.yml',
    {
      'web/compose.yml': 'services: {w: {image: nginx}}\n',
      'web/compose.override.yml': 'services: {w: {ports: ["80:80"]}}\n',
      'compose.yml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ["8545:8545"]\n',
    },
    /^exit 0$/,
  ],
  [
    'a script of its own',
    'a.sh',
    {
      'a.sh': '#!/bin/sh\necho hi\n',
      'compose.yml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ["8545:8545"]\n',
    },
    /^exit 0$/,
  ],
  [
    'an override beside a folder with a grave start',
    'a/compose.override.yml',
    {
      'a/compose.override.yml': "services:\n  g:\n    ports: ['8545:8545']\n",
      'a/compose.yml':
        'services:\n  g:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0\n',
      'b/compose.yml':
        'services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin\n    ports: ["8545:8545"]\n',
    },
    /^exit 0$/,
  ],
])('%s is judged with its project', async (_, path, files, expected) => {
  expect(await gravely(files, [path, '--skip-foreign'])).toMatch(expected);
});

test.skipIf(process.platform === 'win32')('a search opens no named pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-pipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['.git', 'deploy']) mkdirSync(join(folder, name));
  const compose = 'services:\n  en:\n    image: kaiachain/kaia:v2.1.0\n    command: ken --rpc --rpcapi eth\n';
  writeFileSync(join(folder, 'deploy/compose.yml'), compose);
  const pipes = ['pipe', '.gitignore', '.git/config', '.git/index', 'deploy/kaiactl.ini'];
  execFileSync('sh', ['-c', 'mkfifo "$@"', 'sh', ...pipes], { cwd: folder });
  const words = ['bin/kaiactl.js', 'node', 'lint', join(folder, 'deploy/compose.yml')];
  const { status } = spawnSync(process.execPath, words, { timeout: 20_000 });
  expect(status).toBe(0);
});
