/** Relays that lead to each other over addresses, socket files and names, in the report of lint. */
import { expect, test } from 'vitest';
import { lintFiles } from './lint-files.js';

const start = { 'etc/geth/start.sh': '#!/bin/bash\nexec geth --http --http.api eth,admin\n' };
const inner = 'server { listen unix:/run/a.sock; location / { proxy_pass http://localhost:8545; } }';

async function reachOf(files: Readonly<Record<string, string>>) {
  const { interfaces, findings, undetermined } = await lintFiles(files);
  const http = interfaces.find(({ transport }) => transport === 'http');
  const admin = findings.find(
    ({ rule, subject }) => rule === 'privileged-module' && subject === 'http admin',
  );
  const open = undetermined.some(({ rule }) => rule === 'relayed-interface') ? ', open' : '';
  return `${http?.reach ?? '?'} ${admin?.severity ?? '-'}${open}`;
}

test.each([
  [
    'nginx to the socket of nginx',
    {
      'etc/nginx/nginx.conf': `events {}\nhttp { ${inner} server { listen 443; location / { proxy_pass http://unix:/run/a.sock; } } }\n`,
    },
    'any critical',
  ],
  [
    'socat to the socket of nginx',
    {
      'etc/nginx/nginx.conf': `events {}\nhttp { ${inner} }\n`,
      'p.sh': '#!/bin/sh\nsocat TCP-LISTEN:9000,fork UNIX-CONNECT:/run/a.sock\n',
    },
    'any critical',
  ],
  [
    'HAProxy to its own socket',
    {
      'haproxy.cfg':
        'listen a\n bind /run/a.sock\n mode tcp\n server s 127.0.0.1:8545\nlisten b\n bind :80\n mode tcp\n server s unix@/run/a.sock\n',
    },
    'any critical',
  ],
  [
    'Caddy to its own socket',
    {
      Caddyfile:
        ':80 {\n reverse_proxy unix//run/a.sock\n}\nhttp:// {\n bind unix//run/a.sock\n reverse_proxy 127.0.0.1:8545\n}\n',
    },
    'any critical',
  ],
  [
    'socat to socat',
    {
      'p.sh':
        '#!/bin/sh\nsocat TCP-LISTEN:1000,bind=127.0.0.1,fork TCP:127.0.0.1:8545 &\nsocat TCP-LISTEN:9000,fork TCP:127.0.0.1:1000\n',
    },
    'any critical',
  ],
  [
    'a socket whose folder another container mounts elsewhere',
    {
      'etc/nginx/nginx.conf': `events {}\nhttp { ${inner} }\n`,
      Caddyfile: ':80 {\n reverse_proxy unix//shared/a.sock\n}\n',
    },
    'any critical',
  ],
  [
    'socat with variables',
    { 'p.sh': '#!/bin/sh\nP=9000\nT=127.0.0.1\nN=8545\nsocat TCP-LISTEN:${P},fork TCP:$T:$N\n' },
    'any critical',
  ],
  [
    'socat with a variable that binds loopback',
    { 'p.sh': '#!/bin/sh\nB=127.0.0.1\nsocat TCP-LISTEN:9000,bind=$B,fork TCP:127.0.0.1:8545\n' },
    'loopback low',
  ],
  [
    'socat with a variable that nothing sets',
    { 'p.sh': '#!/bin/sh\nsocat TCP-LISTEN:$P,fork TCP:127.0.0.1:8545\n' },
    '? low, open',
  ],
  [
    'a login that another relay to the node checks',
    {
      'etc/nginx/nginx.conf':
        'events {}\nhttp { server { listen 80; location = /a { proxy_pass http://127.0.0.1:9001; } location / { auth_request /a; proxy_pass http://127.0.0.1:8545; } } }\n',
      'p.sh': '#!/bin/sh\nsocat TCP-LISTEN:9001,bind=127.0.0.1,fork TCP:127.0.0.1:8545\n',
    },
    '? critical, open',
  ],
  [
    'a socket that nothing else leads to',
    { 'etc/nginx/nginx.conf': `events {}\nhttp { ${inner} }\n` },
    'loopback low',
  ],
])('%s', async (_, files, expected) => {
  expect((await reachOf({ ...start, ...files })).replace(/ (?:medium|low)/, ' low')).toBe(expected);
});

const compose = (more = '') =>
  `services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin --http.vhosts pool,rpc.example\n    ports: ["127.0.0.1:8545:8545"]\n${more}`;
const pool =
  'upstream pool {\n  server server-a:8545;\n}\nserver {\n  listen 443 ssl;\n  location / { proxy_pass http://pool; }\n}\n';

test.each([
  ['another host', '', 'private high'],
  ['its container', '    container_name: server-a\n', 'any critical'],
  ['an alias of its network', '    networks: { default: { aliases: [server-a] } }\n', 'any critical'],
])('an upstream by the name of %s', async (_, more, expected) => {
  const told = await reachOf({ 'compose.yml': compose(more), 'etc/nginx/nginx.conf': pool });
  expect(told.replace(/^loopback medium|^private high/, 'private high')).toBe(expected);
});

const swarm = (...labels: readonly string[]) =>
  `services:\n  geth:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.addr 0.0.0.0 --http.api eth,admin --http.vhosts rpc.example\n    deploy:\n      labels:\n${labels.map((one) => `        - ${JSON.stringify(`traefik.http.${one}`)}\n`).join('')}`;
const routed = ['routers.n.rule=Host(`a`)', 'services.n.loadbalancer.server.port=8545'];

test.each([
  ['a label of a swarm', routed, 'any critical'],
  [
    'a list',
    [...routed, 'routers.n.middlewares=own', 'middlewares.own.ipallowlist.sourcerange=10.0.0.0/8,127.0.0.1'],
    'private high',
  ],
  [
    'a login',
    [...routed, 'routers.n.middlewares=own@docker', 'middlewares.own.basicauth.users=a:b'],
    'private high',
  ],
  [
    'a list or everyone',
    [routed[0]?.replace('Host', 'ClientIP(`10.0.0.0/8`) || Host') ?? '', ...routed.slice(1)],
    'any critical',
  ],
])('Traefik’s labels: %s', async (_, labels, expected) => {
  expect(await reachOf({ 'stack.yml': swarm(...labels) })).toBe(expected);
});

test('a login by a label is a way that asks for a login', async () => {
  const { interfaces } = await lintFiles({
    'stack.yml': swarm(...routed, 'routers.n.middlewares=own', 'middlewares.own.basicauth.users=a:b'),
  });
  expect(interfaces.find(({ transport }) => transport === 'http')?.reachVia).toEqual([
    'stack.yml:7: any, with a login',
  ]);
});
