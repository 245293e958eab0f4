/** Who gets through files of nginx to the address of each proxy_pass. */
import { expect, test } from 'vitest';
import type { Includable } from '../../../../src/node/deployment/proxies/directive.js';
import { nginxForwards } from '../../../../src/node/deployment/proxies/nginx.js';
import { noFiles } from '../../../../src/node/deployment/proxies/passage.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { told } from './told.js';

const to = 'location / { proxy_pass http://127.0.0.1:8551; }';
const server = (more: string, location = to) => `server { listen 80; ${more} ${location} }`;
const location = (more: string) => server('', `location / { ${more} proxy_pass http://127.0.0.1:8551; }`);

/** A file, and who gets through each of its forwards. */
const files: readonly (readonly [name: string, text: string, ...passages: string[]])[] = [
  ['a server on every address', server(''), 'any'],
  ['a server without listen', `server { ${to} }`, 'any'],
  ['a server on loopback', `server { listen 127.0.0.1:80; ${to} }`, 'loopback'],
  ['a server on a socket', `server { listen unix:/run/n.sock; ${to} }`, 'loopback'],
  ['a server on a private address', `server { listen 10.0.0.4:80; ${to} }`, 'private'],
  [
    'two addresses of different reach',
    `server { listen 10.0.0.4:80; listen [::]:80; ${to} }`,
    'private',
    'any',
  ],
  ['UDP', `stream { server { listen 80 udp; proxy_pass 127.0.0.1:8551; } }`, 'nobody'],
  ['a stream', `stream { server { listen 80; proxy_pass 127.0.0.1:8551; } }`, 'any'],
  [
    'a stream with a list',
    `stream { server { listen 80; allow 10.0.0.0/8; deny all; proxy_pass 127.0.0.1:8551; } }`,
    'private',
  ],
  ['a list of private addresses', server('allow 192.168.1.0/24; deny all;'), 'private'],
  ['a list of this machine', server('allow 127.0.0.1; allow ::1; deny all;'), 'loopback'],
  ['a list with a public address', server('allow 203.0.113.9; deny all;'), 'any'],
  ['a list that denies all first', server('deny all; allow 10.0.0.0/8;'), 'nobody'],
  [
    'a list that denies IPv4, which is all that it listens on',
    server('allow 10.0.0.0/8; deny 0.0.0.0/0;'),
    'private',
  ],
  [
    'a list that denies IPv4 alone',
    server('listen [::]:80; allow 10.0.0.0/8; deny 0.0.0.0/0;'),
    'private',
    'any',
  ],
  ['a list that denies some', server('deny 10.0.0.0/8;'), 'any'],
  [
    'a list of the location in place of that of the server',
    `server { listen 80; deny all; location / { allow all; proxy_pass http://127.0.0.1:8551; } }`,
    'any',
  ],
  ['a list of http', `http { allow 10.0.0.0/8; deny all; ${server('')} }`, 'private'],
  ['a password', location('auth_basic "node"; auth_basic_user_file /etc/nginx/users;'), 'any with a login'],
  [
    'a password that the location switches off',
    server('auth_basic x;', `location / { auth_basic off; proxy_pass http://127.0.0.1:8551; }`),
    'any',
  ],
  ['a subrequest that decides', location('auth_request /auth;'), 'any with a login'],
  ['a certificate', server('ssl_verify_client on;'), 'any with a login'],
  ['a password and a list', location('auth_basic x; allow 10.0.0.0/8; deny all;'), 'private with a login'],
  [
    'a password or a list',
    location('satisfy any; auth_basic x; allow 10.0.0.0/8; deny all;'),
    'private, any with a login',
  ],
  ['`satisfy any` without a list', location('satisfy any; auth_basic x;'), 'any with a login'],
  ['limit_except that lets POST through', location('limit_except POST { deny all; }'), 'any'],
  ['limit_except that bars POST', location('limit_except GET { deny all; }'), 'nobody'],
  ['limit_except with a list', location('limit_except GET { allow 10.0.0.0/8; deny all; }'), 'private'],
  [
    'limit_except with a list, in a location with another one',
    location('allow 127.0.0.1; deny all; limit_except GET { allow 10.0.0.0/8; deny all; }'),
    'private',
  ],
  [
    'a certificate, and a password that the location switches off',
    server('ssl_verify_client on;', `location / { auth_basic off; proxy_pass http://127.0.0.1:8551; }`),
    'any with a login',
  ],
  [
    'a location in one that answers itself',
    server('', `location / { return 404; location /rpc { proxy_pass http://127.0.0.1:8551; } }`),
    'any',
  ],
  [
    'an internal location that a rewrite leads to',
    server(
      '',
      `location / { rewrite ^ /n last; } location /n { internal; proxy_pass http://127.0.0.1:8551; }`,
    ),
    'any',
  ],
  [
    'an internal location that nothing leads to',
    server('', `location /n { internal; proxy_pass http://127.0.0.1:8551; }`),
    'nobody',
  ],
  ['a server that redirects', server('return 301 https://$host$request_uri;'), 'nobody'],
  ['an answer to preflights', server('if ($request_method = OPTIONS) { return 204; }'), 'any'],
  ['calls alone', server('if ($request_method != POST) { return 405; }'), 'any'],
  [
    'no calls',
    server('if ($request_method = "POST") { return 405; }'),
    '? if decides which requests get through',
  ],
  ['an address that is turned away', server('if ($remote_addr = 192.0.2.7) { return 403; }'), 'any'],
  [
    'all but one address that are turned away',
    server('if ($remote_addr != 10.0.0.7) { return 403; }'),
    '? if decides which requests get through',
  ],
  [
    'a condition that decides',
    server('if ($http_key != "abc") { return 403; }'),
    '? if decides which requests get through',
  ],
  [
    'an upstream',
    `upstream n { least_conn; server 127.0.0.1:8551; server 127.0.0.1:8552 backup; } ${server('', 'location / { proxy_pass http://n/; }')}`,
    'any',
    'any',
  ],
  [
    'a module that is not known',
    location('modsecurity on;'),
    '? modsecurity decides which requests get through',
  ],
  [
    'a program of Lua',
    location('access_by_lua_block { if x then return {} end }'),
    '? access_by_lua_block decides which requests get through',
  ],
  ['an included file', location('include auth.conf;'), '? the file that it includes is not read (auth.conf)'],
  [
    'included files that say nothing of clients',
    `http { include mime.types; include conf.d/*.conf; ${server('include proxy_params;')} }`,
    'any',
  ],
  [
    'an address from a header',
    server('real_ip_header X-Real-IP; allow 10.0.0.0/8; deny all;'),
    '? the address of a client is taken from a header of its request',
  ],
  ['a location of a server elsewhere', to, '? the server that includes it is not among the files'],
  [
    'a named location that a request falls back to',
    server('', `location / { try_files $uri @n; } location @n { proxy_pass http://127.0.0.1:8551; }`),
    'any',
  ],
  [
    'a named location that nothing leads to',
    server('', `location @n { proxy_pass http://127.0.0.1:8551; }`),
    'nobody',
  ],
  [
    'a named location that a script leads to',
    server('', `location / { js_content x.check; } location @n { proxy_pass http://127.0.0.1:8551; }`),
    '? js_content filters requests: not judged',
  ],
];

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(nginxForwards(text, noFiles))).toEqual(passages);
});

test.each([
  ['set', 'set $n http://127.0.0.1:8551; proxy_pass $n;', ['8551']],
  ['set to one part', 'set $n 127.0.0.1; proxy_pass http://$n:8551/;', ['8551']],
  ['set to the name of an upstream', 'set $n up; proxy_pass http://$n;', ['8552']],
  ['of a map', 'proxy_pass http://$mapped;', ['8551', '8553']],
  ['of a request', 'proxy_pass http://127.0.0.1:8551$request_uri;', ['8551']],
])('a variable %s is resolved', (_, pass, ports) => {
  const above = `map $arg_x $mapped { default 127.0.0.1:8551; b 127.0.0.1:8553; } upstream up { server 127.0.0.1:8552; }`;
  const found = nginxForwards(`${above} ${server('', `location / { ${pass} }`)}`, noFiles) ?? [];
  expect(found.map(({ to }) => (to !== null && 'port' in to ? `${to.port}` : null))).toEqual(ports);
});

test.each([
  ['a script', `cat > x <<EOF\n${server('')}\nEOF\n`],
  ['a block that is never closed', 'server { listen 80;'],
  ['a brace too much', `${server('')} }`],
  ['a template', 'server { listen {{ port }}; location / { proxy_pass http://x; } }'],
])('%s is no file of nginx', (_, text) => {
  expect(nginxForwards(text, noFiles)).toBeNull();
});

type Files = Readonly<Record<string, string>>;

/** Files below /etc/nginx, and who gets through the forwards of the first and of the files that it includes. */
const included: readonly (readonly [name: string, files: Files, passages: string])[] = [
  ['a list of a server', { a: server('include b;'), b: 'allow 10.0.0.0/8; deny all;' }, 'private'],
  [
    'a server below the list of http',
    { a: 'http { allow 10.0.0.0/8; deny all; include b; }', b: server('') },
    'private',
  ],
  [
    'a server with a list in place of that of http',
    { a: 'http { deny all; include b; }', b: server('allow 10.0.0.0/8; deny all;') },
    'private',
  ],
  [
    'rules in the order of the files',
    { a: location('allow 10.0.0.0/8; include b; allow all;'), b: 'include c;', c: 'deny all;' },
    'private',
  ],
  ['a location', { a: server('auth_basic x;', 'include b;'), b: to }, 'any with a login'],
  [
    'an upstream',
    {
      a: 'http { include b; include c; }',
      b: 'upstream n { server 127.0.0.1:8551; }',
      c: server('', 'location / { proxy_pass http://n; }'),
    },
    'any',
  ],
  [
    'a file in two servers',
    { a: `${server('allow 10.0.0.0/8; deny all;', 'include b;')} ${server('', 'include b;')}`, b: to },
    'private; any',
  ],
  [
    'a directive that is not understood',
    { a: server('include b;'), b: 'modsecurity on;' },
    '? modsecurity decides which requests get through',
  ],
  [
    'a file of another syntax',
    { a: server('include b;'), b: 'allow {{ office }};' },
    '? the file that it includes is not read (b)',
  ],
  [
    'a file that includes itself',
    { a: server('include b;'), b: 'include b;' },
    '? the file that it includes is not read (b)',
  ],
  [
    'a file that is not there, beside the server',
    { a: `include b; ${server('allow 10.0.0.0/8; deny all;')}` },
    '? the file that it includes is not read (b)',
  ],
  ['a file that is not there, beside http', { a: `include b; http { ${server('')} }` }, 'any'],
];

test.each(included)('nginx that includes %s', (_, files, passages) => {
  const around = {
    ...noFiles,
    included(path: string, parse: Includable) {
      const text = files[path.replace('/etc/nginx/', '')];
      return text === undefined ? null : parse(new LineIndex(path, text));
    },
  };
  expect(told(nginxForwards(files.a ?? '', around)).join('; ')).toBe(passages);
});
