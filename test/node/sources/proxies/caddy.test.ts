/** Who gets through Caddyfiles to the address of each reverse_proxy. */
import { expect, test } from 'vitest';
import { caddyForwards } from '../../../../src/node/sources/proxies/caddy.js';
import { noFiles } from '../../../../src/node/sources/proxies/directive.js';
import { ledBy, told } from './told.js';

const to = 'reverse_proxy 127.0.0.1:8551';
/** A site with these lines, indented. */
const site = (...lines: readonly string[]) => `:80 {\n${lines.map((line) => `\t${line}\n`).join('')}}\n`;

/** A file, and who gets through each of its forwards. */
const files: readonly (readonly [name: string, text: string, ...passages: string[]])[] = [
  ['a site on every address', site(to), 'any'],
  ['a site of a host name binds every address', `http://localhost {\n\t${to}\n}\n`, 'any'],
  ['a file without braces', `http://rpc.example.com\n\n${to}\n`, 'any'],
  ['a site on loopback', site('bind 127.0.0.1', to), 'loopback'],
  ['a site on a socket', site('bind unix//run/caddy.sock', to), 'loopback'],
  ['a site on two addresses', site('bind 10.0.0.4 127.0.0.1', to), 'private', 'loopback'],
  ['the addresses of the options', `{\n\tdefault_bind 127.0.0.1\n}\n${site(to)}`, 'loopback'],
  ['two sites', `${site(to)}http://:81 {\n\tbind 127.0.0.1\n\t${to}\n}\n`, 'any', 'loopback'],
  [
    'addresses on two lines',
    `http://a.example.com,\nhttp://b.example.com {\n\treverse_proxy a:1 b:2\n}\n`,
    'any',
    'any',
  ],
  ['upstreams in a block', site('reverse_proxy {', '\tto a:1 b:2', '\tlb_policy first', '}'), 'any', 'any'],
  [
    'clients that are denied',
    site('@others not remote_ip 10.0.0.0/8 192.168.0.0/16', 'respond @others 403', to),
    'private',
  ],
  [
    'clients that are denied, in a block',
    site('@others {', '\tnot {', '\t\tremote_ip 127.0.0.1', '\t}', '}', 'abort @others', to),
    'loopback',
  ],
  [
    'clients that are admitted',
    site('@own remote_ip private_ranges', `handle @own {`, `\t${to}`, '}'),
    'private',
  ],
  [
    'clients of a matcher of the forward',
    site('@own remote_ip 127.0.0.1', 'reverse_proxy @own 127.0.0.1:8551'),
    'loopback',
  ],
  ['a public client', site('@own remote_ip 203.0.113.9', 'reverse_proxy @own 127.0.0.1:8551'), 'any'],
  ['some clients that are denied', site('@bad remote_ip 10.0.0.0/8', 'respond @bad 403', to), 'any'],
  [
    'a denial for another path',
    site('@x {', '\tpath /x*', '\tnot remote_ip 10.0.0.0/8', '}', 'respond @x 403', to),
    'any',
  ],
  ['everyone is denied', site('respond 404', to), 'nobody'],
  ['a respond behind a handle', site('respond 404', 'handle {', `\t${to}`, '}'), 'any'],
  [
    'a denial that comes behind a handle',
    site('@others not remote_ip 10.0.0.0/8', 'respond @others 403', 'handle /rpc* {', `\t${to}`, '}'),
    'any',
  ],
  [
    'a denial in a route',
    site('route /rpc* {', '\t@others not remote_ip 10.0.0.0/8', '\trespond @others 403', `\t${to}`, '}'),
    'private',
  ],
  ['a denial behind the forward of a route', site('route {', `\t${to}`, '\trespond 403', '}'), 'any'],
  [
    'one of two handles',
    site(
      '@others not remote_ip 10.0.0.0/8',
      'handle @others {',
      '\trespond 403',
      '}',
      'handle {',
      `\t${to}`,
      '}',
    ),
    'private',
  ],
  [
    'a forward behind a handle that answers',
    site('@others not remote_ip 10.0.0.0/8', 'handle @others {', '\trespond 403', '}', to),
    'private',
  ],
  ['a redirect', site('redir https://{host}{uri}', to), 'nobody'],
  ['a redirect of a path', site('redir /old /new', to), 'any'],
  ['a password', site('basicauth {', '\tuser JDJhJDE0', '}', to), 'any with a login'],
  ['a password under its new name', site('basic_auth {', '\tuser JDJhJDE0', '}', to), 'any with a login'],
  ['a password for every path', site('basic_auth /* {', '\tuser JDJhJDE0', '}', to), 'any with a login'],
  ['a password for another path', site('basic_auth /x* {', '\tuser JDJhJDE0', '}', to), 'any'],
  [
    'a password for the path of the forward',
    site('basic_auth /rpc* {', '\tuser JDJhJDE0', '}', 'reverse_proxy /rpc/v1* 127.0.0.1:8551'),
    'any with a login',
  ],
  [
    'a password for a path before it is rewritten',
    site(
      'route {',
      '\tbasic_auth /rpc* {',
      '\t\tuser JDJhJDE0',
      '\t}',
      '\turi strip_prefix /x',
      '\treverse_proxy /rpc* 127.0.0.1:8551',
      '}',
    ),
    'any',
  ],
  [
    'a password of a path whose prefix is cut off',
    site('handle_path /rpc* {', '\tbasic_auth /rpc* {', '\t\tuser x', '\t}', `\t${to}`, '}'),
    'any',
  ],
  ['a server that decides', site('forward_auth auth:9091 {', '\turi /verify', '}', to), 'any with a login'],
  [
    'a password for clients outside of a network',
    site('@others not remote_ip 10.0.0.0/8', 'basic_auth @others {', '\tuser x', '}', to),
    'private, any with a login',
  ],
  [
    'a certificate',
    `a.example.com {\n\ttls {\n\t\tclient_auth {\n\t\t\tmode require_and_verify\n\t\t}\n\t}\n\t${to}\n}\n`,
    'any with a login',
    'any with a login',
  ],
  ['a method', site('@post method POST', 'reverse_proxy @post 127.0.0.1:8551'), 'any'],
  [
    'WebSockets',
    site(
      '@ws {',
      '\theader Connection *Upgrade*',
      '\theader Upgrade websocket',
      '}',
      'reverse_proxy @ws 127.0.0.1:8552',
    ),
    'any',
  ],
  [
    'a key in a header',
    site('@key header X-Key secret', 'reverse_proxy @key 127.0.0.1:8551'),
    '? header decides which requests get through',
  ],
  [
    'an expression',
    site('@x expression `{method} == "GET"`', 'respond @x 403', to),
    '? expression decides which requests get through',
  ],
  [
    'an address of a header',
    site('@own remote_ip forwarded 10.0.0.0/8', 'reverse_proxy @own 127.0.0.1:8551'),
    '? remote_ip, from a header of the request, decides which requests get through',
  ],
  [
    'addresses of a variable',
    site('@own remote_ip {$OWN}', 'reverse_proxy @own 127.0.0.1:8551'),
    '? the addresses of {$OWN} are not known',
  ],
  [
    'a matcher that is not there',
    site('reverse_proxy @own 127.0.0.1:8551'),
    '? the matcher @own decides which requests get through',
  ],
  ['a plugin', site('authorize with mypolicy', to), '? authorize decides which requests get through'],
  [
    'another order',
    `{\n\torder respond before handle\n}\n${site(to)}`,
    '? order decides which requests get through',
  ],
  [
    'an error page',
    site('handle_errors {', `\t${to}`, '}'),
    '? handle_errors decides which requests get through',
  ],
  [
    'a snippet',
    `(own) {\n\t@others not remote_ip {args[0]}\n\trespond @others 403\n}\n${site('import own 10.0.0.0/8', to)}`,
    'private',
  ],
  [
    'a snippet with the forward',
    `(node) {\n\treverse_proxy {args.0}\n}\n${site('import node 127.0.0.1:8551')}`,
    'any',
  ],
  [
    'an imported file in the options of the program',
    `{\n\timport options.caddy\n}\n${site('', to)}`,
    '? the imported options.caddy decides which requests get through',
  ],
  ['imported sites beside it', `import sites/*\n${site('', to)}`, 'any'],
  [
    'a snippet that imports itself',
    `(own) {\n${'\timport own\n'.repeat(9)}}\n${site('import own', to)}`,
    '? the imported own decides which requests get through',
  ],
  [
    'an imported file',
    site('import auth.caddy', to),
    '? the imported auth.caddy decides which requests get through',
  ],
  ['a comment and a text of several lines', site('# x {', 'header X <<END', '\t}', '\tEND', to), 'any'],
];

const others = '@others not remote_ip 10.0.0.0/8';
const block = (name: string, ...lines: readonly string[]) => [
  `${name} {`,
  ...lines.map((line) => `\t${line}`),
  '}',
];
const verified = (mode: string) => block('tls', ...block('client_auth', `mode ${mode}`));

/** Sites of more than one block, and matchers. */
const blocks: typeof files = [
  [
    'a password of a path that is rewritten in a handle',
    site(...block('handle /rpc*', 'rewrite * /a', ...block('basic_auth /rpc*', 'user x'), to)),
    'any',
  ],
  [
    'a password of a path in a route',
    site(...block('route', ...block('basic_auth /rpc*', 'user x'), 'reverse_proxy /rpc/v1* a:1')),
    'any with a login',
  ],
  [
    'a password of one of two hosts',
    site('@h host a b', ...block('basic_auth @h', 'user x'), '@i host a', 'reverse_proxy @i a:1'),
    'any',
  ],
  ['a handle that answers nothing', site(others, ...block('handle @others', 'header X y'), to), 'any'],
  [
    'a handle behind one that takes others',
    site(others, '@get method GET', ...block('handle @others', 'header X y'), ...block('handle @get', to)),
    'nobody',
  ],
  [
    'a handle of a path beside one of clients',
    site(others, ...block('handle @others', 'respond 403'), ...block('handle /rpc*', to)),
    'private',
  ],
  [
    'a handle of a path beside one that answers nothing',
    site(others, ...block('handle @others', 'header X y'), ...block('handle /rpc*', to)),
    'any',
  ],
  [
    'a handle of a path and clients behind one of others',
    site(
      others,
      ...block('@own', 'path /x', 'header Origin a'),
      ...block('handle @others', 'header X y'),
      ...block('handle @own', to),
    ),
    'private',
  ],
  [
    'a route behind one that takes others',
    site(others, ...block('route @others', 'header X y'), ...block('route', to)),
    'any',
  ],
  [
    'a handle without a matcher before one with it',
    site('@own remote_ip 10.0.0.0/8', ...block('handle', 'respond 403'), ...block('handle @own', to)),
    'private',
  ],
  [
    'a handle before a handle_path',
    site(...block('handle', 'respond 403'), ...block('handle_path /rpc*', to)),
    'any',
  ],
  [
    'a password behind the forward of a handle',
    site(...block('handle', to, ...block('basic_auth', 'user x'))),
    'any with a login',
  ],
  [
    'a password behind the forward of a handle in a route',
    site(...block('route', ...block('handle', to, ...block('basic_auth', 'user x')))),
    'any with a login',
  ],
  [
    'a password of a route before the forward',
    site(...block('route', ...block('basic_auth', 'user x')), to),
    'any with a login',
  ],
  [
    'a password of a route of a path before the forward',
    site(...block('route /x*', ...block('basic_auth', 'user x')), to),
    'any',
  ],
  [
    'a password of a handle before the forward',
    site(...block('handle @x', ...block('basic_auth', 'user x')), to),
    'any',
  ],
  ['a handle that answers a path', site(others, ...block('handle @others', 'respond /x 403'), to), 'any'],
  [
    'a handle that answers for a matcher',
    site(others, '@get method GET', ...block('handle @others', 'respond @get 403'), to),
    'any',
  ],
  [
    'a handle whose own block answers',
    site(others, ...block('handle @others', ...block('handle', 'error 403')), to),
    'private',
  ],
  [
    'a handle whose route answers',
    site(others, ...block('handle @others', ...block('route', 'abort')), to),
    'private',
  ],
  [
    'a handle with a block that answers nothing',
    site(others, ...block('handle @others', ...block('handle', 'header X y')), to),
    'any',
  ],
  [
    'a handle with a block of errors that answers',
    site(others, ...block('handle @others', ...block('handle_errors', 'respond 403')), to),
    'any',
  ],
  [
    'a handle that forwards',
    site(others, ...block('handle @others', 'reverse_proxy b:1'), to),
    'any',
    'private',
  ],
  ['a matcher of every path', site('reverse_proxy * 127.0.0.1:8551'), 'any'],
  ['a matcher of every request before a respond', site('respond * 403', to), 'nobody'],
  [
    'a password of a path beside a rewrite',
    site('rewrite /a /b', ...block('basic_auth /rpc*', 'user x'), 'reverse_proxy /rpc/v1* a:1'),
    'any with a login',
  ],
  [
    'a password of a path that begins otherwise',
    site(...block('basic_auth /rpc/v1*', 'user x'), 'reverse_proxy /rpc* a:1'),
    'any',
  ],
  ['a password of one path', site(...block('basic_auth /rpc', 'user x'), 'reverse_proxy /rpc/v1 a:1'), 'any'],
  [
    'a password of a path in capitals',
    site(...block('basic_auth /RPC*', 'user x'), 'reverse_proxy /rpc* a:1'),
    'any with a login',
  ],
  [
    'a password of one of two paths',
    site(
      '@all path /a* /b*',
      ...block('basic_auth @all', 'user x'),
      '@some path /a/1 /b',
      'reverse_proxy @some a:1',
    ),
    'any with a login',
  ],
  [
    'a password of one path of two',
    site(
      '@all path /a*',
      ...block('basic_auth @all', 'user x'),
      '@some path /a /b',
      'reverse_proxy @some a:1',
    ),
    'any',
  ],
  [
    'a password of other paths',
    site('@all not path /a', ...block('basic_auth @all', 'user x'), 'reverse_proxy /a a:1'),
    'any',
  ],
  [
    'a password of all but a path',
    site(
      '@all not path /a',
      ...block('basic_auth @all', 'user x'),
      '@some not path /a /b',
      'reverse_proxy @some a:1',
    ),
    'any with a login',
  ],
  [
    'a password of all but two paths',
    site(
      '@all not path /a /b',
      ...block('basic_auth @all', 'user x'),
      '@some not path /a',
      'reverse_proxy @some a:1',
    ),
    'any',
  ],
  [
    'a password of a host',
    site('@h host a', ...block('basic_auth @h', 'user x'), 'reverse_proxy @h a:1'),
    'any with a login',
  ],
  [
    'a password of another host',
    site('@h host a', ...block('basic_auth @h', 'user x'), '@i host b', 'reverse_proxy @i a:1'),
    'any',
  ],
  [
    'a password of another property',
    site('@h host a', ...block('basic_auth @h', 'user x'), '@i protocol a', 'reverse_proxy @i a:1'),
    'any',
  ],
  ['a method that is denied', site('@get not method POST', 'respond @get 405', to), 'any'],
  ['another method that is denied', site('@get method GET', 'respond @get 405', to), 'any'],
  ['all methods but one that are denied', site('@post not method GET', 'respond @post 405', to), 'nobody'],
  ['calls that are denied', site('@post method GET POST', 'respond @post 405', to), 'nobody'],
  ['a matcher without a word', site('@x', 'respond @x 403', to), 'nobody'],
  [
    'a negation of two tests',
    site(...block('@x', ...block('not', 'remote_ip 10.0.0.0/8', 'path /x')), 'respond @x 403', to),
    '? not decides which requests get through',
  ],
  ['a negation of nothing', site('@x not', 'respond @x 403', to), '? not decides which requests get through'],
  ['a pattern of paths', site('@x path_regexp ^/x', 'respond @x 403', to), 'any'],
  [
    'a matcher of variables',
    site('@x vars Upgrade a', 'respond @x 403', to),
    '? vars decides which requests get through',
  ],
  [
    'two lists of clients',
    site(...block('@x', 'remote_ip 10.0.0.0/8', 'not remote_ip 10.0.0.1'), 'respond @x 403', to),
    'any',
  ],
  [
    'two lists of others',
    site(...block('@x', 'not remote_ip 10.0.0.0/8', 'not remote_ip 127.0.0.1'), 'respond @x 403', to),
    'private',
  ],
  [
    'clients that are denied a path',
    site(...block('@x', 'path /x', 'not remote_ip 10.0.0.0/8'), 'respond @x 403', 'reverse_proxy /x a:1'),
    'private',
  ],
  ['a forward for others than clients', site('@x not remote_ip 10.0.0.0/8', 'reverse_proxy @x a:1'), 'any'],
  [
    'addresses of a header that is trusted',
    `{\n\tservers {\n\t\ttrusted_proxies static 10.0.0.0/8\n\t}\n}\n${site('@x client_ip 10.0.0.0/8', 'reverse_proxy @x a:1')}`,
    '? client_ip, from a header of the request, decides which requests get through',
  ],
  [
    'addresses of a connection though a header is trusted',
    `{\n\tservers {\n\t\ttrusted_proxies static 10.0.0.0/8\n\t}\n}\n${site('@x remote_ip 10.0.0.0/8', 'reverse_proxy @x a:1')}`,
    'private',
  ],
  [
    'addresses of a header that is not trusted',
    `{\n\temail a@example.com\n}\n${site('@x client_ip 10.0.0.0/8', 'reverse_proxy @x a:1')}`,
    'private',
  ],
  [
    'a certificate that is asked for',
    `a.example.com {\n${verified('request').join('\n')}\n${to}\n}\n`,
    'any',
    'any',
  ],
  [
    'a certificate without TLS',
    `http://a.example.com {\n${verified('require_and_verify').join('\n')}\n${to}\n}\n`,
    'any',
  ],
  ['a certificate on port 80', site(...verified('require_and_verify'), to), 'any'],
  [
    'a certificate on another port',
    `:8443 {\n${verified('require_and_verify').join('\n')}\n${to}\n}\n`,
    'any with a login',
  ],
  [
    'a log with the words of a certificate',
    `:8443 {\n${block('log', 'mode require_and_verify').join('\n')}\n${to}\n}\n`,
    'any',
  ],
  [
    'a snippet in a snippet, with a block',
    `(a) {\n\thandle {\n\t\timport b {args[0]}\n\t}\n}\n(b) {\n\treverse_proxy {args[0]} {args[1]}\n}\n${site('bind 127.0.0.1', 'import a a:1')}`,
    'loopback',
    'loopback',
  ],
  [
    'a snippet that imports itself',
    `(a) {\n\timport a\n}\n${site('import a', to)}`,
    '? the imported a decides which requests get through',
  ],
  ['a word that is the name of a snippet', `(a) {\n\trespond 403\n}\n${site('header a b', to)}`, 'any'],
];

test.each(blocks)('%s', (_, text, ...passages) => {
  expect(told(caddyForwards(text, noFiles))).toEqual(passages);
});

const emptyBody = 'expression `{http.request.body} == ""`';
const methods = 'expression `{http.request.body}.matches("(?:eth|net)_[")`';

test.each([
  ['an empty body', [emptyBody, 'not header Upgrade *'], ['any: ']],
  ['methods', [methods, 'not header Upgrade *', 'not header Content-Encoding *'], ['any: eth net']],
  ['methods in bodies that may be compressed', [methods, 'not header Upgrade *'], ['?']],
  ['methods and an upgrade', [methods, 'not header Content-Encoding *', 'header Upgrade *'], ['?']],
  ['an upgrade that is one value', [emptyBody, 'not header Upgrade websocket'], ['?']],
  ['an upgrade that is not looked at', [emptyBody], ['?']],
  ['another expression', ['expression `{method} == ""`', 'not header Upgrade *'], ['?']],
  ['no filter', ['not header Upgrade *', 'not header Content-Encoding *'], ['any: none']],
])('the filter of a matcher with %s', (_, lines, expected) => {
  const forwards = caddyForwards(site(...block('@f', ...lines), 'reverse_proxy @f a:1'), noFiles) ?? [];
  const found = told(forwards).map((one, at) => {
    const modules = forwards[at]?.filter?.modules.join(' ') ?? 'none';
    return one.startsWith('?') ? '?' : `${one}: ${modules}`;
  });
  expect(found).toEqual(expected);
});

test('forwards name the addresses that they lead to and listen on', () => {
  const text = `{\n\tdefault_bind 10.0.0.4\n}\nhttp://a.example.com, b.example.com:8080/rpc, :8000-8010 {\n\treverse_proxy /x a:1 {\n\t\tto b:2 {$NODE:c:3}\n\t}\n}\nlocalhost {\n\tbind tcp4/127.0.0.1 ::1 unix//run/c.sock fd/3\n\treverse_proxy unix//run/f.sock\n}\n{$HOST}:82 {\n\treverse_proxy h2c://g:7\n}\n`;
  const listens = ['10.0.0.4:80', '10.0.0.4:8080', '10.0.0.4:8000'];
  const local = ['127.0.0.1:443', '127.0.0.1:80', '[::1]:443', '[::1]:80', 'unix//run/c.sock'];
  expect(ledBy(text, caddyForwards(text, noFiles))).toEqual([
    ...listens.map((address) => `caddy: a:1 leads to a:1 on ${address}`),
    ...listens.map((address) => `caddy: b:2 leads to b:2 on ${address}`),
    ...listens.map((address) => `caddy: {$NODE:c:3} leads to c:3 on ${address}`),
    ...local.map((address) => `caddy: unix//run/f.sock leads to /run/f.sock on ${address} (loopback)`),
    'caddy: unix//run/f.sock leads to /run/f.sock on fd/3',
    'caddy: h2c://g:7 leads to g:7 on 10.0.0.4:82',
  ]);
});

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(caddyForwards(text, noFiles))).toEqual(passages);
});

test.each([
  ['a site without a block behind another one', `${site(to)}:81\n`],
  ['a word before a block', `rpc {\n\t${to}\n}\n`],
  ['a site and a word before a block', `:80, rpc {\n\t${to}\n}\n`],
  ['a snippet alone', `(a) {\n\t${to}\n}\n`],
  ['options alone', '{\n\temail a@example.com\n}\n'],
  ['a script', `cat > Caddyfile <<EOF\n${site(to)}EOF\n`],
  ['a block that is never closed', `:80 {\n\t${to}\n`],
  ['a brace too much', `${site(to)}}\n`],
  ['YAML', `services:\n  caddy:\n    command: caddy reverse-proxy --to node:8551\n`],
  ['nginx', 'server {\n  listen 80;\n}\n'],
  ['an empty file', ''],
])('%s is no Caddyfile', (_, text) => {
  expect(caddyForwards(text, noFiles)).toBeNull();
});
