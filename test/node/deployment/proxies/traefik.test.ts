/** Who gets through files of Traefik to the servers of each router. */
import { expect, test } from 'vitest';
import { noFiles } from '../../../../src/node/deployment/proxies/passage.js';
import { traefikForwards } from '../../../../src/node/deployment/proxies/traefik.js';
import { told } from './told.js';

const entry = (address = ':80') => `entryPoints:\n  web:\n    address: "${address}"\n`;
/** A router with these lines, and the middlewares. */
const file = (router: readonly string[] = [], ...middlewares: readonly string[]) =>
  [
    'http:',
    '  routers:',
    '    rpc:',
    '      rule: Host(`rpc.example.com`) && PathPrefix(`/rpc`)',
    '      service: node',
    ...router.map((line) => `      ${line}`),
    ...(middlewares.length === 0 ? [] : ['  middlewares:', ...middlewares.map((line) => `    ${line}`)]),
    '  services:',
    '    node:',
    '      loadBalancer:',
    '        servers:',
    '          - url: http://127.0.0.1:8551',
    '',
  ].join('\n');
const uses = (...names: readonly string[]) => [`middlewares: [${names.join(', ')}]`];
const tcp = (more = '') =>
  `tcp:\n  routers:\n    rpc:\n      rule: HostSNI(\`*\`)\n      service: node\n${more}  services:\n    node:\n      loadBalancer:\n        servers:\n          - address: 127.0.0.1:8551\n`;

/** A file, and who gets through each of its forwards. */
const files: readonly (readonly [name: string, text: string, ...passages: string[]])[] = [
  ['a router without a known entry point', file(), 'any'],
  ['an entry point on every address', entry() + file(), 'any'],
  ['an entry point on loopback', entry('127.0.0.1:80') + file(), 'loopback'],
  ['an entry point that the router names', entry('10.0.0.4:80') + file(['entryPoints: [web]']), 'private'],
  ['an entry point that is not in the file', entry('10.0.0.4:80') + file(['entryPoints: [other]']), 'any'],
  [
    'a list of clients',
    file(uses('own'), 'own:', '  ipAllowList:', '    sourceRange: [10.0.0.0/8, 127.0.0.1]'),
    'private',
  ],
  [
    'a list under its old name',
    file(uses('own@file'), 'own:', '  ipWhiteList:', '    sourceRange: [127.0.0.1/32]'),
    'loopback',
  ],
  [
    'a list of addresses of a header',
    file(
      uses('own'),
      'own:',
      '  ipAllowList:',
      '    sourceRange: [10.0.0.0/8]',
      '    ipStrategy:',
      '      depth: 1',
    ),
    '? the middleware own decides which requests get through',
  ],
  ['a password', file(uses('auth'), 'auth:', '  basicAuth:', '    users: ["a:b"]'), 'any with a login'],
  [
    'a server that decides',
    file(uses('auth'), 'auth:', '  forwardAuth:', '    address: http://auth'),
    'any with a login',
  ],
  [
    'a password and a list in a chain',
    file(
      uses('all'),
      'all:',
      '  chain:',
      '    middlewares: [auth, own]',
      'auth:',
      '  digestAuth:',
      '    users: ["a:b"]',
      'own:',
      '  ipAllowList:',
      '    sourceRange: [10.0.0.0/8]',
    ),
    'private with a login',
  ],
  ['a limit of the rate', file(uses('slow'), 'slow:', '  rateLimit:', '    average: 10'), 'any'],
  [
    'a plugin',
    file(uses('x'), 'x:', '  plugin:', '    geoblock:', '      allow: true'),
    '? the middleware x decides which requests get through',
  ],
  [
    'a middleware that is not in the file',
    file(uses('x@docker')),
    '? the middleware x@docker is not in this file',
  ],
  ['clients of the rule', file().replace('PathPrefix(`/rpc`)', 'ClientIP(`10.0.0.0/8`)'), 'private'],
  [
    'other clients than those of the rule',
    file().replace('PathPrefix(`/rpc`)', '!ClientIP(`10.0.0.0/8`)'),
    '? ClientIP decides which requests get through',
  ],
  [
    'a header of the rule',
    file().replace('PathPrefix(`/rpc`)', 'Header(`X-Key`, `a`)'),
    '? Header decides which requests get through',
  ],
  [
    'a service of several',
    file().replace(
      '    node:',
      '    node:\n      weighted:\n        services:\n          - name: other\n    other:',
    ),
    'any',
  ],
  ['TCP', entry('10.0.0.4:80') + tcp(), 'private'],
  [
    'TCP with a list',
    tcp('      middlewares: [own]\n').replace(
      '  services',
      '  middlewares:\n    own:\n      ipAllowList:\n        sourceRange: [127.0.0.1]\n  services',
    ),
    'loopback',
  ],
  [
    'a list and an address that another proxy gives',
    `${entry()}    proxyProtocol:\n      trustedIPs: [10.0.0.0/8]\n${file(uses('own'), 'own:', '  ipAllowList:', '    sourceRange: [10.0.0.0/8]')}`,
    '? the address of a client is what another program gives',
  ],
  [
    'TOML',
    '[http.routers.rpc]\nrule = "Host(`a`)"\nservice = "node"\nmiddlewares = ["own"]\n[http.middlewares.own.ipAllowList]\nsourceRange = ["10.0.0.0/8"]\n[[http.services.node.loadBalancer.servers]]\nurl = "http://127.0.0.1:8551"\n',
    'private',
  ],
];

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(traefikForwards(text, noFiles))).toEqual(passages);
});

test('entry points stand in the static file beside it', () => {
  const beside = (name: string) =>
    name === 'traefik.toml' ? '[entryPoints.web]\naddress = "127.0.0.1:80"\n' : null;
  expect(told(traefikForwards(file(), { ...noFiles, beside }))).toEqual(['loopback']);
});

test.each([
  ['a compose file', 'services:\n  x:\n    labels:\n      - traefik.http.routers.x.rule=Host(`a`)\n'],
  ['a broken file', 'http:\n  routers: [\n'],
])('%s is no file of Traefik', (_, text) => {
  expect(traefikForwards(text, noFiles)).toBeNull();
});
