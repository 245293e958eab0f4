/** Who gets through Caddyfiles to the address of each reverse_proxy. */
import { expect, test } from 'vitest';
import { caddyForwards } from '../../../../src/node/deployment/proxies/caddy.js';
import { told } from './told.js';

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
    'an imported file',
    site('import auth.caddy', to),
    '? the imported auth.caddy decides which requests get through',
  ],
  ['a comment and a text of several lines', site('# x {', 'header X <<END', '\t}', '\tEND', to), 'any'],
];

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(caddyForwards(text))).toEqual(passages);
});

test.each([
  ['a script', `cat > Caddyfile <<EOF\n${site(to)}EOF\n`],
  ['a block that is never closed', `:80 {\n\t${to}\n`],
  ['a brace too much', `${site(to)}}\n`],
  ['YAML', `services:\n  caddy:\n    command: caddy reverse-proxy --to node:8551\n`],
  ['nginx', 'server {\n  listen 80;\n}\n'],
  ['an empty file', ''],
])('%s is no Caddyfile', (_, text) => {
  expect(caddyForwards(text)).toBeNull();
});
