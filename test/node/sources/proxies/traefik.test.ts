/** Who gets through files of Traefik to the servers of each router. */
import { expect, test } from 'vitest';
import { noFiles } from '../../../../src/node/sources/proxies/directive.js';
import { traefikForwards } from '../../../../src/node/sources/proxies/traefik.js';
import { ledBy, told } from './told.js';

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
    '? the middleware all decides which requests get through',
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
    '? the middleware x@docker is not among the files',
  ],
  ['clients of the rule', file().replace('PathPrefix(`/rpc`)', 'ClientIP(`10.0.0.0/8`)'), 'private'],
  [
    'other clients than those of the rule',
    file().replace('PathPrefix(`/rpc`)', '!ClientIP(`10.0.0.0/8`)'),
    'any',
  ],
  [
    'a header of the rule',
    file().replace('PathPrefix(`/rpc`)', 'Header(`X-Key`, `a`)'),
    '? Header decides which requests get through',
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

const others = '  other:\n    address: "127.0.0.1:81"\n';
const list = ['own:', '  ipAllowList:', '    sourceRange: [10.0.0.0/8]'];
const rule = (text: string) => file().replace('PathPrefix(`/rpc`)', text);

/** Entry points, services, middlewares and rules. */
const more: typeof files = [
  ['two entry points', entry('10.0.0.4:80') + others + file(), 'private', 'loopback'],
  ['one of two entry points', entry('10.0.0.4:80') + others + file(['entryPoints: [Other]']), 'loopback'],
  [
    'an entry point that is known and one that is not',
    entry('10.0.0.4:80') + file(['entryPoints: [web, more]']),
    'any',
  ],
  ['an entry point of UDP', entry('10.0.0.4:80/udp') + others + file(), 'loopback'],
  ['an entry point without an address', `entryPoints:\n  web:\n    asDefault: true\n${file()}`, 'any'],
  [
    'an entry point with other addresses',
    `entryPoints:\n  web:\n    http:\n      address: "127.0.0.1:80"\n${file()}`,
    'any',
  ],
  [
    'a middleware of an entry point',
    `${entry()}    http:\n      middlewares: [own]\n${file([], ...list)}`,
    'private',
  ],
  [
    'another proxy before it',
    `${entry()}    proxyProtocol:\n      trustedIPs: [10.0.0.0/8]\n${file(uses('auth'), 'auth:', '  basicAuth:', '    users: ["a:b"]')}`,
    'any with a login',
  ],
  [
    'another proxy before it, and a rule that is not understood',
    `${entry()}    proxyProtocol:\n      trustedIPs: [10.0.0.0/8]\n${rule('Query(`a`)')}`,
    '? Query decides which requests get through',
  ],
  ['a service of another provider', file().replace('service: node', 'service: node@docker')],
  ['a service of the file', file().replace('service: node', 'service: node@file'), 'any'],
  ['a service that is not there', file().replace('service: node', 'service: other')],
  ['a router without a service', file().replace('      service: node\n', '')],
  ['a router of a service with the key of another', file(['observability:', '  service: none']), 'any'],
  [
    'a TCP router with the service of HTTP',
    `${file()}${tcp().replace('service: node', 'service: none')}`,
    'any',
  ],
  [
    'a TCP router with the middleware of HTTP',
    `${file([], ...list)}${tcp('      middlewares: [own]\n')}`,
    'any',
    '? the middleware own is not among the files',
  ],
  [
    'two lists',
    file(uses('own', 'me'), ...list, 'me:', '  ipAllowList:', '    sourceRange: [127.0.0.1]'),
    'loopback',
  ],
  ['a list with a status', file(uses('own'), ...list, '    rejectStatusCode: 404'), 'private'],
  [
    'a list with what is not known of it',
    file(uses('own'), ...list, '    rejectStatusCodes: 404'),
    '? the middleware own decides which requests get through',
  ],
  [
    'a list and a password in one middleware',
    file(uses('own'), ...list, '  basicAuth:', '    users: ["a:b"]'),
    '? the middleware own decides which requests get through',
  ],
  ['a header and a list', file(uses('own'), ...list, '  headers:', '    sslRedirect: true'), 'private'],
  ['a name in capitals', file(uses('Own'), ...list), 'private'],
  ['a rule of several hosts and paths', rule('PathRegexp(`/`) && Method(`POST`) || HostRegexp(`a`)'), 'any'],
  ['two clients of the rule', rule('ClientIP(`10.0.0.0/8`, "127.0.0.1")'), 'private'],
  ['clients twice', rule('ClientIP(`10.0.0.0/8`) && ClientIP(`127.0.0.1`)'), 'loopback'],
  ['clients or a path', rule('ClientIP(`10.0.0.0/8`) || Path(`/x`)'), 'any'],
  ['no path', rule('!Path(`/x`)'), 'any'],
  ['two lists of clients', rule('ClientIP(`10.0.0.0/8`) || ClientIP(`127.0.0.1`)'), 'private'],
  ['neither of two lists', rule('!(ClientIP(`10.0.0.0/8`) || ClientIP(`127.0.0.1`))'), 'any'],
  [
    'a list and not its part',
    rule('ClientIP(`10.0.0.0/8`, `127.0.0.1`) && !ClientIP(`10.0.0.0/8`)'),
    'private',
  ],
  ['parentheses', rule('(Host(`a`) || Host(`b`)) && (ClientIP(`127.0.0.1`))'), 'loopback'],
  ['a header or a path', rule('Header(`X-Key`, `a`) || Path(`/`)'), 'any'],
  ['a rule that is not closed', rule('(Path(`/`)'), '? its rule decides which requests get through'],
  [
    'an address of clients in the name of a matcher',
    rule('XClientIP(`10.0.0.0/8`)'),
    '? XClientIP decides which requests get through',
  ],
  ['a router without a rule', file().replace(/.*rule: .*\n/, ''), 'any'],
];

test.each(['weighted', 'mirroring', 'failover'])('a service of others (%s) is not read', (kind) => {
  const text = file().replace('    node:', `    node:\n      ${kind}:\n        service: other\n    other:`);
  expect(traefikForwards(text, noFiles)).toBeNull();
});

test.each(more)('%s', (_, text, ...passages) => {
  expect(told(traefikForwards(text, noFiles))).toEqual(passages);
});

test('forwards name the addresses that they lead to and listen on', () => {
  const text = `${entry('127.0.0.1:80')}${file()}          - url: "h2c://node:8552"\n${tcp()}`;
  expect(ledBy(text, traefikForwards(text, noFiles))).toEqual([
    'traefik: http://127.0.0.1:8551 leads to 127.0.0.1:8551 on 127.0.0.1:80 (loopback)',
    'traefik: "h2c://node:8552" leads to node:8552 on 127.0.0.1:80 (loopback)',
    'traefik: 127.0.0.1:8551 leads to 127.0.0.1:8551 on 127.0.0.1:80 (loopback)',
  ]);
  expect(traefikForwards(file(), noFiles)?.map(({ listens }) => listens)).toEqual([null]);
});

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(traefikForwards(text, noFiles))).toEqual(passages);
});

test('entry points stand in the static file beside it', () => {
  const beside = (name: string) =>
    name === 'traefik.toml' ? '[entryPoints.web]\naddress = "127.0.0.1:80"\n' : null;
  expect(told(traefikForwards(file(), { ...noFiles, beside }))).toEqual(['loopback']);
});

test.each([
  ['a static file', entry()],
  ['a file of UDP routers', file().replace('http:', 'udp:')],
  ['routers below another key', `x:\n${file().replace(/^/gm, '  ')}`],
  ['a compose file', 'services:\n  x:\n    labels:\n      - traefik.http.routers.x.rule=Host(`a`)\n'],
  ['a broken file', 'http:\n  routers: [\n'],
])('%s is no file of Traefik', (_, text) => {
  expect(traefikForwards(text, noFiles)).toBeNull();
});
