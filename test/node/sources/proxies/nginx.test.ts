/** Who gets through files of nginx to the address of each proxy_pass. */
import { expect, test } from 'vitest';
import type { Includable } from '../../../../src/node/sources/proxies/directive.js';
import { noFiles } from '../../../../src/node/sources/proxies/directive.js';
import { nginxForwards } from '../../../../src/node/sources/proxies/nginx.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { ledBy, told } from './told.js';

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
  ['a subrequest that the node answers', location('auth_request /auth;'), 'any'],
  ['a certificate', server('ssl_verify_client on;'), 'any with a login'],
  ['a password and a list', location('auth_basic x; allow 10.0.0.0/8; deny all;'), 'private with a login'],
  [
    'a password or a list',
    location('satisfy any; auth_basic x; allow 10.0.0.0/8; deny all;'),
    '? satisfy decides which requests get through',
  ],
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
  ['no calls', server('if ($request_method = "POST") { return 405; }'), 'nobody'],
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
    'an included file',
    location('include auth.conf;'),
    '? the included file auth.conf decides which requests get through',
  ],
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
    '? it filters requests: not judged',
  ],
];

const script = (lines: readonly string[]) =>
  `const modules = [${lines.join(', ')}];\nconst refused = [];\nfunction check(r) {}\n`;
const checked = (location: string, more = '') =>
  `js_import x from scripts/filter.js; ${server(more, `location / { js_content x.check; } location @n { ${location} proxy_pass http://127.0.0.1:8551; }`)}`;
const body = 'proxy_set_body $rpc_checked;';
const unjudged = '? it filters requests: not judged';

/** Servers with a script beside the file, and the modules whose methods get through. */
const filtered: readonly (readonly [
  name: string,
  text: string,
  script: string | null,
  passage: string,
  modules: string,
])[] = [
  ['a filter', checked(body), script(["'eth'", "'net'"]), 'any', 'eth net'],
  ['a filter for no module', checked(body), script([]), 'any', ''],
  [
    'a filter behind a list',
    checked(body, 'allow 10.0.0.0/8; deny all;'),
    script(["'eth'"]),
    'private',
    'eth',
  ],
  ['a filter whose result is not sent', checked(''), script(["'eth'"]), unjudged, 'none'],
  [
    'another body that is sent',
    checked('proxy_set_body $request_body;'),
    script(["'eth'"]),
    unjudged,
    'none',
  ],
  [
    'another directive with its result',
    checked('set $a $rpc_checked; proxy_set_header $rpc_checked a;'),
    script(["'eth'"]),
    unjudged,
    'none',
  ],
  ['a script that is not there', checked(body), null, unjudged, 'none'],
  ['another script', checked(body), 'export default {}', unjudged, 'none'],
  [
    'a script under another name',
    checked(body).replace('js_import x', 'js_import y'),
    script(["'eth'"]),
    unjudged,
    'none',
  ],
  [
    'an import without a name',
    checked(body).replace('js_import x from', 'js_import'),
    script(["'eth'"]),
    unjudged,
    'none',
  ],
  [
    'another directive of njs',
    checked(body).replace('js_content', 'js_access'),
    script(["'eth'"]),
    '? it filters requests: not judged',
    'none',
  ],
  [
    'a directive that looks like an import',
    checked(body).replace('js_import', 'js_path'),
    script(["'eth'"]),
    unjudged,
    'none',
  ],
];

test.each(filtered)('%s of njs', (_, text, beside, passage, modules) => {
  const around = { ...noFiles, beside: (path: string) => (path === 'scripts/filter.js' ? beside : null) };
  const forwards = nginxForwards(text, around);
  expect(told(forwards)).toEqual([passage]);
  expect(forwards?.map(({ filter }) => filter?.modules.join(' ') ?? 'none')).toEqual([modules]);
});

const pass = 'proxy_pass http://127.0.0.1:8551;';

/** Directives at several levels. */
const levels: typeof files = [
  [
    'a password of the server that a location switches off',
    server('auth_basic x;', `location / { auth_basic off; ${pass} }`),
    'any',
  ],
  ['a subrequest to the server itself', location('auth_request /auth;'), 'any'],
  ['a token', location('auth_jwt x;'), 'any with a login'],
  ['settings of a password alone', location('auth_basic_user_file x;'), 'any'],
  ['a certificate', server('ssl_verify_client on;'), 'any with a login'],
  ['a certificate that is optional', server('ssl_verify_client optional;'), 'any'],
  ['the depth of certificates', server('ssl_verify_depth on;'), 'any'],
  [
    'a password or a network',
    location('satisfy any; auth_basic x; allow 10.0.0.0/8; deny all;'),
    '? satisfy decides which requests get through',
  ],
  [
    'a password and a network',
    location('satisfy all; auth_basic x; allow 10.0.0.0/8; deny all;'),
    'private with a login',
  ],
  ['an answer of the server', server('return 301 https://a;'), 'nobody'],
  ['an answer of the location', location('return 403;'), 'nobody'],
  ['an answer around a location', server('', `location / { return 403; location /a { ${pass} } }`), 'any'],
  ['a limit of methods', location('limit_except GET { deny all; }'), 'nobody'],
  ['a limit of methods but those of calls', location('limit_except GET POST { deny all; }'), 'any'],
  [
    'a limit of methods to a network',
    location('limit_except GET { allow 10.0.0.0/8; deny all; }'),
    'private',
  ],
  ['every address of IPv4', server('allow 0.0.0.0/0; deny all;'), 'any'],
  ['no address of IPv4', server('deny 0.0.0.0/0;'), 'nobody'],
  ['an internal location that nothing leads to', location('internal;'), 'nobody'],
  [
    'an internal location of an error page',
    server('error_page 404 /rpc;', `location /rpc { internal; ${pass} }`),
    'any',
  ],
  ['a named location of an error page', server('error_page 404 = @n;', `location @n { ${pass} }`), 'any'],
  ['a named location with an equals sign', server('error_page 404 =@n;', `location @n { ${pass} }`), 'any'],
  ['a named location in another directive', server('add_header X @n;', `location @n { ${pass} }`), 'nobody'],
  ['a condition that sets variables', location('if ($http_upgrade) { set $a b; add_header X y; }'), 'any'],
  [
    'a condition that sets a variable and answers',
    location('if ($http_upgrade) { set $a b; return 403; }'),
    '? if decides which requests get through',
  ],
  ['a method that is turned away', location('if ($request_method != POST) { return 405; }'), 'any'],
  ['another method that is turned away', location('if ($request_method = GET) { return 405; }'), 'any'],
  ['calls that are turned away', location('if ($request_method = POST) { return 405; }'), 'nobody'],
  [
    'all but another method that are turned away',
    location('if ($request_method != GET) { return 405; }'),
    'nobody',
  ],
  ['gRPC', server('', 'location / { grpc_pass grpc://127.0.0.1:8551; }'), 'any'],
  ['a pass without an address', server('', 'location / { proxy_pass; }')],
  ['a trusted proxy without a list', server('set_real_ip_from 10.0.0.0/8;'), 'any'],
  [
    'a trusted proxy and a list',
    server('set_real_ip_from 10.0.0.0/8; deny 192.0.2.1;'),
    '? the address of a client is taken from a header of its request',
  ],
  ['a quoted address', server('', 'location / { proxy_pass "http://127.0.0.1:8551"; }'), 'any'],
];

test.each(levels)('%s', (_, text, ...passages) => {
  expect(told(nginxForwards(text, noFiles))).toEqual(passages);
});

test('forwards name the addresses that they lead to and listen on', () => {
  const text =
    'upstream n { least_conn; server a:1 weight=2; server unix:/run/b.sock; } server { listen 127.0.0.1:80; listen [::]:81 ssl; location / { proxy_pass http://n/x; } location /c { proxy_pass http://c:3; } } server { location / { proxy_pass http://d; } }';
  expect(ledBy(text, nginxForwards(text, noFiles))).toEqual([
    'nginx: a:1 leads to a:1 on 127.0.0.1:80 (loopback)',
    'nginx: unix:/run/b.sock leads to /run/b.sock on 127.0.0.1:80 (loopback)',
    'nginx: http://c:3 leads to c:3 on 127.0.0.1:80 (loopback)',
    'nginx: a:1 leads to a:1 on [::]:81',
    'nginx: unix:/run/b.sock leads to /run/b.sock on [::]:81',
    'nginx: http://c:3 leads to c:3 on [::]:81',
    'nginx: http://d leads to d:null on 80',
  ]);
});

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
  ['a directive that is not known', `${server('')} thing on;`],
  ['a line without an end', `${server('')} user a`],
  ['an end without a directive', `${server('')} ;`],
  ['a block without a name', `${server('')} { }`],
  ['an unclosed quote', `${server('')} user "a;`],
  ['a block of Lua', server('', 'location / { access_by_lua_block { if x then return {} end } }')],
  ['blocks that are too deep', 'http { '.repeat(51) + '} '.repeat(51)],
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
    '? the included file b decides which requests get through',
  ],
  [
    'a file that includes itself',
    { a: server('include b;'), b: 'include b;' },
    '? the included file b decides which requests get through',
  ],
  [
    'a file that is not there, beside the server',
    { a: `include b; ${server('allow 10.0.0.0/8; deny all;')}` },
    '? the included file b decides which requests get through',
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
