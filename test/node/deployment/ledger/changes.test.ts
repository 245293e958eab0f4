/** What the headers of a proxy do to the node's own checks of pages, Host names and origins. */
import { expect, test } from 'vitest';
import { lintFiles } from './lint-files.js';

const start = (more: string) => ({
  'start.sh': `#!/bin/bash\nexec geth --http --http.api eth,admin --ws --ws.api eth,admin --authrpc.jwtsecret /s/jwt ${more}\n`,
});
const nginx = (lines: string, port = 8545, host = '$host') =>
  `server {\n  listen 127.0.0.1:8500;\n  location / {\n    ${lines}\n    ${host === '' ? '' : `proxy_set_header Host ${host};`}\n    proxy_pass http://127.0.0.1:${port};\n  }\n}\n`;
const cors = 'add_header Access-Control-Allow-Origin * always;';
const type = "add_header Access-Control-Allow-Headers 'content-type' always;";

async function rules(files: Readonly<Record<string, string>>, more = '--http.vhosts rpc.corp.example') {
  const { findings } = await lintFiles({ ...start(more), ...files });
  return findings
    .filter(({ rule }) => /^wildcard-/.test(rule))
    .map(({ rule, severity }) => `${severity} ${rule}`);
}

const both = 'critical wildcard-cors';
test.each([
  ['nginx', { 'nginx.conf': nginx(cors + type) }, [both]],
  [
    'a proxy before nginx',
    {
      'nginx.conf': nginx(''),
      Caddyfile:
        'http://localhost:80 {\n bind 127.0.0.1\n header Access-Control-Allow-Origin *\n header Access-Control-Allow-Headers *\n reverse_proxy 127.0.0.1:8500\n}\n',
    },
    [both],
  ],
  ['a lone header', { 'nginx.conf': nginx(cors) }, []],
  [
    'the content type that it sets itself',
    { 'nginx.conf': nginx(`${cors} proxy_set_header Content-Type application/json;`) },
    [both],
  ],
  ['a named origin', { 'nginx.conf': nginx(cors.replace('*', 'https://a.example') + type) }, []],
  ['the origin of the caller', { 'nginx.conf': nginx(cors.replace('*', '$http_origin') + type) }, [both]],
  ['a variable', { 'nginx.conf': nginx(`set $o *; ${cors.replace('*', '$o')} ${type}`) }, [both]],
  [
    'preflights that it answers itself',
    { 'nginx.conf': nginx(`${cors} if ($request_method = OPTIONS) { ${cors} ${type} return 204; }`) },
    [both],
  ],
  [
    'HAProxy',
    {
      'haproxy.cfg':
        'listen a\n bind 127.0.0.1:80\n mode http\n http-response set-header Access-Control-Allow-Origin "*"\n http-response set-header Access-Control-Allow-Headers "content-type"\n server s 127.0.0.1:8545\n',
    },
    [both],
  ],
  [
    'Caddy',
    {
      Caddyfile:
        'http://localhost:80 {\n bind 127.0.0.1\n header Access-Control-Allow-Origin *\n header Access-Control-Allow-Headers *\n reverse_proxy 127.0.0.1:8545\n}\n',
    },
    [both],
  ],
  [
    'Traefik',
    {
      'dynamic.yml':
        'entryPoints: {a: {address: "127.0.0.1:80"}}\nhttp:\n  routers:\n    a: {rule: "Path(`/`)", service: n, middlewares: [m]}\n  middlewares:\n    m: {headers: {accessControlAllowOriginList: ["*"], accessControlAllowHeaders: ["Content-Type"]}}\n  services:\n    n: {loadBalancer: {servers: [{url: "http://127.0.0.1:8545"}]}}\n',
    },
    [both],
  ],
])('pages get in by %s', async (_, files, expected) => {
  expect(await rules(files)).toEqual(expected);
});

test.each([
  ['the upstream’s name, an address', nginx('', 8545, ''), ['medium wildcard-vhosts']],
  ['a listed name', nginx('', 8545, 'rpc.corp.example'), ['medium wildcard-vhosts']],
  ['the name of the client', nginx('', 8545, '$host'), []],
  ['a name that the node refuses', nginx('', 8545, 'other.example'), []],
])('nginx sends %s as Host', async (_, text, expected) => {
  expect(await rules({ 'nginx.conf': text })).toEqual(expected);
});

test.each([
  [
    'a name that the node refuses',
    nginx('', 8545, 'other.example'),
    ['nginx.conf:6: closed, the node refuses Host other.example'],
  ],
  ['a listed name', nginx('', 8545, 'rpc.corp.example'), ['nginx.conf:6: any']],
  ['an address', nginx('', 8545, ''), ['nginx.conf:6: any']],
  ['the name of the client', nginx('', 8545, '$host'), ['nginx.conf:6: any']],
  [
    'the name of an upstream',
    `upstream node { server 127.0.0.1:8545; }\n${nginx('', 8545, '').replace('http://127.0.0.1:8545', 'http://node')}`,
    ['nginx.conf:1: closed, the node refuses Host node'],
  ],
])('a proxy that sends %s as Host opens or closes http', async (_, text, via) => {
  const files = {
    ...start('--http.vhosts rpc.corp.example'),
    'nginx.conf': text.replace('127.0.0.1:8500', '80'),
  };
  const http = (await lintFiles(files)).interfaces.find(({ transport }) => transport === 'http');
  const reach = via[0]?.endsWith(': any') ? 'any' : 'loopback';
  expect([http?.reach, http?.reachVia]).toEqual([reach, via]);
});

test('a page is let in by headers of HAProxy that a condition does not decide', async () => {
  const haproxy = (line: string) => ({
    'haproxy.cfg': `listen a\n bind 127.0.0.1:80\n mode http\n ${line}\n http-response set-header Access-Control-Allow-Headers "content-type"\n server s 127.0.0.1:8545\n`,
  });
  const header = 'http-response set-header Access-Control-Allow-Origin';
  expect(await rules(haproxy(`${header} %[capture.req.hdr(0)]`))).toEqual([both]);
  expect(
    await rules(haproxy(`${header} %[capture.req.hdr(0)] if { capture.req.hdr(0) -m end .a.example }`)),
  ).toEqual([]);
  expect(await rules(haproxy(`${header} * if { var(txn.open) -m bool }`))).toEqual([both]);
});

test('without an Origin, ws lets every page in', async () => {
  expect(await rules({ 'nginx.conf': nginx('proxy_set_header Origin "";', 8546, '') })).toEqual([
    'critical wildcard-origins',
  ]);
  expect(await rules({ 'nginx.conf': nginx('', 8546, '') })).toEqual([]);
});

test.each([
  ['every origin', '*', 'Content-Type', ['critical wildcard-cors']],
  ['every origin beside another one', 'https://a.example,*', 'x-a,content-type', ['critical wildcard-cors']],
  ['an origin', 'https://a.example', 'Content-Type', []],
  ['no content type', '*', 'x-a', []],
])('labels of Traefik with %s', async (_, origins, headers, expected) => {
  const middlewares = 'traefik.http.middlewares';
  const labels = {
    'traefik.http.routers.g.rule': 'Host(`rpc.example.org`)',
    'traefik.http.routers.g.middlewares': 'lan,pages',
    'traefik.http.services.g.loadbalancer.server.port': '8545',
    [`${middlewares}.lan.ipallowlist.sourcerange`]: '10.0.0.0/8',
    [`${middlewares}.pages.headers.accesscontrolalloworiginlist`]: origins,
    [`${middlewares}.pages.headers.accesscontrolallowheaders`]: headers,
  };
  const command = '--http --http.addr 0.0.0.0 --http.api eth,admin --http.vhosts rpc.example.org';
  const services = {
    traefik: { image: 'traefik:v3', command: '--entrypoints.web.address=:80', ports: ['80:80'] },
    geth: { image: 'ethereum/client-go:v1.13.14', command, labels },
  };
  const { findings } = await lintFiles({ 'compose.yml': JSON.stringify({ services }) });
  const found = findings.filter(({ rule }) => rule.startsWith('wildcard-'));
  expect(found.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(expected);
});

test('a proxy that every address reaches adds nothing', async () => {
  expect(await rules({ 'nginx.conf': nginx(cors + type).replace('127.0.0.1:8500', '80') })).toEqual([]);
});
