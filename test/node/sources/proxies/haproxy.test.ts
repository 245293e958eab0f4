/** Who gets through files of HAProxy to each server. */
import { describe, expect, test, vi } from 'vitest';
import { haproxyForwards } from '../../../../src/node/sources/proxies/haproxy.js';
import { ledBy, told } from './told.js';

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}\n`).join('');
/** A frontend with these lines before a backend with one server. */
const front = (...lines: readonly string[]) =>
  `defaults\n  mode http\nfrontend rpc\n  bind *:80\n${indented(lines)}  default_backend node\nbackend node\n  server n 127.0.0.1:8551 check\n`;
const back = (...lines: readonly string[]) => `${front()}${indented(lines)}`;
const own = 'acl own src 10.0.0.0/8 192.168.0.0/16';

/** A file, and who gets through each of its forwards. */
const files: readonly (readonly [name: string, text: string, ...passages: string[]])[] = [
  ['a frontend on every address', front(), 'any'],
  ['a frontend on loopback', front().replace('*:80', '127.0.0.1:80'), 'loopback'],
  ['two addresses', front().replace('*:80', '127.0.0.1:80,10.0.0.4:80'), 'loopback', 'private'],
  ['a socket', front().replace('*:80', '/run/rpc.sock'), 'loopback'],
  ['every address of IPv6', front().replace('*:80', ':::80 v6only'), 'any'],
  ['a listen section', 'listen rpc\n  bind :80\n  mode tcp\n  server n 127.0.0.1:8551\n', 'any'],
  [
    'a listen section with its address in its head',
    'listen rpc 10.0.0.4:80\n  server n 127.0.0.1:8551\n',
    'private',
  ],
  ['two servers', back('server m 127.0.0.1:8552 backup'), 'any', 'any'],
  ['clients that are denied', front(own, 'http-request deny if !own'), 'private'],
  [
    'clients that are denied with unless',
    front(own, 'http-request deny deny_status 403 unless own'),
    'private',
  ],
  ['clients of a list without a name', front('http-request deny unless { src 127.0.0.1 ::1 }'), 'loopback'],
  [
    'clients of a list of several lines',
    front('acl own src 10.0.0.0/8', 'acl own src 127.0.0.1', 'http-request deny if !own'),
    'private',
  ],
  [
    'clients of one of two lists',
    front(own, 'acl me src 127.0.0.1', 'http-request deny unless own or me'),
    'private',
  ],
  [
    'clients of both of two lists',
    front(own, 'acl me src 127.0.0.1', 'http-request deny unless own me'),
    'nobody',
  ],
  ['a predefined list', front('http-request deny if !LOCALHOST'), 'loopback'],
  ['a connection that is rejected', front(own, 'tcp-request connection reject if !own'), 'private'],
  [
    'a connection that is accepted before others are rejected',
    front(own, 'tcp-request connection accept if own', 'tcp-request connection reject'),
    'private',
  ],
  [
    'an accepted connection whose request is denied',
    front(own, 'tcp-request connection accept', 'http-request deny if !own'),
    'private',
  ],
  [
    'a request that is allowed before others are denied',
    front('http-request allow if { path_beg /health }', 'http-request deny'),
    'any',
  ],
  ['rules of the backend', back('acl own src 10.0.0.0/8', 'http-request deny if !own'), 'private'],
  ['rules of http in mode tcp', front('mode tcp', own, 'http-request deny if !own'), 'any'],
  ['a denial for another path', front(own, 'http-request deny if { path_beg /x } !own'), 'any'],
  ['everyone is denied', front('http-request deny'), 'nobody'],
  ['a password', front('http-request auth realm node unless { http_auth(users) }'), 'any with a login'],
  [
    'a password of the backend',
    back('acl known http_auth(users)', 'http-request auth if !known'),
    'any with a login',
  ],
  [
    'a denial without a password',
    front('acl known http_auth(users)', 'http-request deny unless known'),
    'any with a login',
  ],
  [
    'a password for strangers',
    front(own, 'acl known http_auth(users)', 'http-request auth if !own !known'),
    'private, any with a login',
  ],
  [
    'a password or an address',
    front(own, 'acl known http_auth(users)', 'http-request deny unless own or known'),
    'private, any with a login',
  ],
  ['a certificate', front().replace('*:80', '*:443 ssl crt x ca-file y verify required'), 'any with a login'],
  ['a backend for clients', front(own).replace('default_backend node', 'use_backend node if own'), 'private'],
  ['another backend for other clients', front(own, 'use_backend none if !own'), 'private'],
  [
    'a backend for a path',
    front().replace('default_backend node', 'use_backend node if { path_beg /rpc }'),
    'any',
  ],
  [
    'a backend for a path that needs a password',
    front('http-request auth if { path_beg /rpc } !{ http_auth(users) }').replace(
      'default_backend node',
      'use_backend node if { path_beg /rpc/v1 }',
    ),
    'any with a login',
  ],
  [
    'a backend of a map',
    front('use_backend %[req.hdr(host),lower,map(hosts)]').replace('default_backend node', ''),
    '? use_backend decides which requests get through',
  ],
  [
    'a limit of the rate',
    front('http-request track-sc0 src', 'http-request deny if { sc_http_req_rate(0) gt 100 }'),
    'any',
  ],
  [
    'a redirect of what is not encrypted before an address with TLS',
    front('http-request redirect scheme https unless { ssl_fc }').replace('*:80', '*:443 ssl crt x'),
    'any',
  ],
  [
    'a redirect of what is not encrypted',
    front('http-request redirect scheme https unless { ssl_fc }'),
    'nobody',
  ],
  [
    'a key in a header',
    front('http-request deny unless { req.hdr(x-key) secret }'),
    '? req.hdr(x-key) decides which requests get through',
  ],
  [
    'addresses of a file',
    front('http-request deny unless { src -f /etc/own.lst }'),
    '? the file /etc/own.lst decides which requests get through',
  ],
  [
    'an address that another proxy gives',
    front(own, 'http-request deny if !own').replace('*:80', '*:80 accept-proxy'),
    '? the address that another program gives decides which requests get through',
  ],
  ['a program of Lua', front('http-request lua.check'), '? lua.check decides which requests get through'],
  [
    'a directive of an old release',
    front('reqdeny ^POST'),
    '? a directive of an old release decides which requests get through',
  ],
  ['a backend that nothing uses', 'backend node\n  server n 127.0.0.1:8551\n'],
];

const denied = 'http-request deny';
const auth = 'http-request auth';
const to = (condition: string, ...lines: readonly string[]) =>
  front(...lines).replace('default_backend node', `use_backend node ${condition}`);
const users = 'acl known http_auth(users)';

/** Sections, conditions and lists. */
const more: typeof files = [
  ['a backend that is not in the file', front().replace('backend node\n', 'backend other\n')],
  ['the last default backend', front('default_backend none'), 'any'],
  [
    'defaults that are named',
    `defaults a\n  mode tcp\ndefaults b\n  mode http\n${front(own, `${denied} if !own`).replace(/^.*\n.*\nfrontend rpc/, 'frontend rpc from a')}`,
    'any',
  ],
  [
    'defaults that others extend',
    `defaults a\n  mode http\ndefaults b from a\n  timeout client 1s\ndefaults c\n  mode tcp\n${front(own, `${denied} if !own`).replace(/^.*\n.*\nfrontend rpc/, 'frontend rpc from b')}`,
    'private',
  ],
  ['defaults before others', `${front(own, `${denied} if !own`)}defaults\n  mode tcp\n`, 'private'],
  ['rules of the defaults', front().replace('mode http', `mode http\n  ${denied} if !LOCALHOST`), 'loopback'],
  ['global lines', `global\n  maxconn 1\n${front()}`, 'any'],
  [
    'a listen section that a frontend uses',
    front().replace('\nbackend node', '\nlisten node\n  bind 127.0.0.1:81'),
    'any',
    'loopback',
  ],
  ['a template of servers', front().replace('server n', 'server-template n 3'), 'any'],
  ['a server without an address', back('server m'), 'any'],
  ['a comment and a quoted address', front().replace('127.0.0.1:8551', '"127.0.0.1:8551" # none'), 'any'],
  [
    'a name in the head of a frontend',
    front().replace('frontend rpc', 'frontend rpc 10.0.0.4:80').replace('  bind *:80\n', ''),
    'private',
  ],
  ['a protocol of an address', front().replace('*:80', 'ipv4@127.0.0.1:80'), 'loopback'],
  ['a certificate without TLS', front().replace('*:80', '*:80 verify required'), 'any'],
  ['a certificate that is optional', front().replace('*:80', '*:443 ssl crt x verify optional'), 'any'],
  [
    'a certificate and what is not understood',
    front('http-request lua.x').replace('*:80', '*:443 ssl crt x verify required'),
    '? lua.x decides which requests get through',
  ],
  ...[
    'deny',
    'reject',
    'tarpit',
    'silent-drop',
    'return status 403',
    'redirect location /',
    'use-service x',
  ].map((action): (typeof files)[number] => [
    `http-request ${action}`,
    front(own, `http-request ${action} if !own`),
    'private',
  ]),
  ['a redirect', front(own, 'redirect location / if !own'), 'private'],
  [
    'a redirect of what is not encrypted, to an address with TLS',
    front('redirect scheme https code 301 if !{ ssl_fc }').replace('*:80', '*:443 ssl crt x'),
    'any',
  ],
  ['a redirect without a condition', front('redirect location /'), 'nobody'],
  ['a redirect in mode tcp', front('mode tcp', own, 'redirect location / if !own'), 'any'],
  ...['connection', 'session', 'content'].map((stage): (typeof files)[number] => [
    `tcp-request ${stage}`,
    front('mode tcp', own, `tcp-request ${stage} reject if !own`),
    'private',
  ]),
  ['tcp-request inspect-delay', front('tcp-request inspect-delay 5s'), 'any'],
  [
    'a session that is accepted before its content is rejected',
    front(own, 'tcp-request session accept', 'tcp-request content reject if !own'),
    'private',
  ],
  [
    'a request that is allowed with a password',
    front('http-request allow if { http_auth(users) }', denied),
    'nobody',
  ],
  ['a request that is allowed to clients', front(own, 'http-request allow if own', denied), 'private'],
  [
    'a request that is allowed to others than clients',
    front(own, 'http-request allow if !own', denied),
    'any',
  ],
  ...['block if x', 'reqideny ^x', 'reqallow ^x'].map((line): (typeof files)[number] => [
    line,
    front(line),
    '? a directive of an old release decides which requests get through',
  ]),
  ['the words of an old directive in others', front('log-tag block', 'xblock a'), 'any'],
  ['a condition with ||', front(own, 'acl me src 127.0.0.1', `${denied} unless own || me`), 'private'],
  ['a condition with a lone exclamation mark', front(own, `${denied} if ! own`), 'private'],
  [
    'a condition that is not closed',
    front(`${denied} if { src 10.0.0.0/8`),
    '? a condition decides which requests get through',
  ],
  ['a condition with two lists', front(`${denied} if !{ src 10.0.0.0/8 } !{ src 127.0.0.1 }`), 'private'],
  ['a condition with one of two lists', front(own, `${denied} if { path /x } or !own`), 'private'],
  [
    'a condition with a list of two tests that is negated',
    front('acl x src 10.0.0.0/8', 'acl x src 127.0.0.1', `${denied} unless x`),
    'private',
  ],
  [
    'a condition of an unknown list',
    front(`${denied} if other`),
    '? other decides which requests get through',
  ],
  [
    'a condition of an unknown list that is negated',
    front(`${denied} if !other`),
    '? other decides which requests get through',
  ],
  [
    'a condition of too many lists',
    front(own, `${denied} if ${Array(65).fill('own').join(' or ')}`),
    '? a condition decides which requests get through',
  ],
  [
    'a condition of many lists',
    front('acl a path /a', `${denied} if ${Array(60).fill('a').join(' or ')}`),
    'any',
  ],
  [
    'a condition of lists that are multiplied',
    front(...Array(9).fill('acl a path /a'), `${denied} if a a`),
    '? a condition decides which requests get through',
  ],
  ['TRUE', front(`${denied} if TRUE`), 'nobody'],
  ['METH_POST', front(`${denied} if METH_POST`), 'nobody'],
  ['unless TRUE', front(`${denied} unless TRUE`), 'any'],
  ['METH_GET', front(`${denied} if METH_GET`), 'any'],
  ['HTTP_1.1', front(`${denied} unless HTTP_1.1`), 'any'],
  ['a method', front(`${denied} if { method GET HEAD }`), 'any'],
  ['the method of calls', front(`${denied} if { method GET POST }`), 'nobody'],
  [
    'a password of the path',
    to('if { path /a }', `${auth} if { path /a } !{ http_auth(users) }`),
    'any with a login',
  ],
  [
    'a password of the paths below another',
    to('if { path_beg /b }', `${auth} if { path_beg /a } !{ http_auth(users) }`),
    'any',
  ],
  [
    'a password of a path that is compared in another way',
    to('if { path -i /a }', `${auth} if { path /a } !{ http_auth(users) }`),
    'any',
  ],
  [
    'a password of a path that is compared in the same way',
    to('if { path -i /a }', `${auth} if { path -i /a } !{ http_auth(users) }`),
    'any with a login',
  ],
  [
    'a password of a path of a pattern',
    to('if { path_reg /a }', `${auth} if { path_reg /b } !{ http_auth(users) }`),
    'any',
  ],
  [
    'a password of a path that is rewritten',
    to(
      'if { path_beg /a/b }',
      'http-request set-path /a',
      `${auth} if { path_beg /a } !{ http_auth(users) }`,
    ),
    'any',
  ],
  [
    'a password of a path with other settings',
    to(
      'if { path_beg /a/b }',
      'http-request set-header X a',
      'option set-path',
      `${auth} if { path_beg /a } !{ http_auth(users) }`,
    ),
    'any with a login',
  ],
  ['a password of a group', front(`${auth} unless { http_auth_group(users) admins }`), 'any with a login'],
  ['a backend with a password', to('if known', users), 'any with a login'],
  ['a backend without a password', to('unless known', users), 'any'],
  ['a backend for clients with a password', to('if own known', own, users), 'private with a login'],
  ['a backend for what is encrypted', to('if { ssl_fc }').replace('*:80', '*:443 ssl crt x'), 'any'],
  [
    'a key that is asked for',
    to('if { req.hdr(x-key) a }'),
    '? req.hdr(x-key) decides which requests get through',
  ],
  ['a name that is asked for', to('if { req.hdr(host) -i a }'), 'any'],
  ['other clients behind a backend of clients', front(own, 'use_backend none if own'), 'any'],
  ['a list with a flag', front('acl own src -m ip 10.0.0.0/8', `${denied} if !own`), 'private'],
  [
    'a name of a client',
    front('acl own src host.example', `${denied} if !own`),
    '? the addresses of host.example are not known',
  ],
  [
    'a connection whose address is set',
    front(own, 'http-request set-src req.hdr(x-real-ip)', `${denied} if !own`),
    '? the address that another program gives decides which requests get through',
  ],
  [
    'a connection of another proxy',
    front(own, 'tcp-request connection expect-proxy layer4', `${denied} if !own`),
    '? the address that another program gives decides which requests get through',
  ],
  [
    'a comment on addresses',
    front(own, 'log-tag set-src', 'description accept-proxy', `${denied} if !own`),
    'private',
  ],
];

test.each(more)('%s', (_, text, ...passages) => {
  expect(told(haproxyForwards(text))).toEqual(passages);
});

test('forwards name the addresses that they lead to and listen on', () => {
  const text = `frontend f\n  bind quic4@127.0.0.1:80,/run/f.sock ssl\n  bind 10.0.0.4:81\n  default_backend b\n\nbackend b # none\n  server a "a:1" check\n  server-template s 1-3 b.example:2 check\n  server u unix@/run/u.sock`;
  const listens = ['127.0.0.1:80 (loopback)', '/run/f.sock (loopback)', '10.0.0.4:81'];
  expect(ledBy(text, haproxyForwards(text))).toEqual([
    ...listens.map((address) => `haproxy: "a:1" leads to a:1 on ${address}`),
    ...listens.map((address) => `haproxy: b.example:2 leads to b.example:2 on ${address}`),
    ...listens.map((address) => `haproxy: unix@/run/u.sock leads to /run/u.sock on ${address}`),
  ]);
});

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(haproxyForwards(text))).toEqual(passages);
});

test.each([
  ['::1:8551', '[::1]'],
  ['[::1]:8551', '[::1]'],
  ['ipv4@127.0.0.1:8551', '127.0.0.1'],
])('the server %s', (address, host) => {
  const [found] = haproxyForwards(front().replace('127.0.0.1:8551', address)) ?? [];
  expect(found?.to).toEqual({ host, port: 8551 });
});

test.each([
  ['a line before a section', `mode http\n${front()}`],
  ['a file without proxies', 'global\n  maxconn 1\n'],
  ['an empty file', ''],
  ['a script', `cat > haproxy.cfg <<EOF\n${front()}EOF\n`],
  ['an unclosed quote', `${front()}  acl x path "\n`],
  ['sections of another program', 'upstream x\n  server a\n'],
])('%s is no file of HAProxy', (_, text) => {
  expect(haproxyForwards(text)).toBeNull();
});

test('the port of a server with a bare IPv6 address is behind its last colon', () => {
  const [forward] = haproxyForwards(front().replace('127.0.0.1:8551', '::1:8551')) ?? [];
  expect(forward?.to).toEqual({ host: '[::1]', port: 8551 });
});

describe('large files', () => {
  const many = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at));
  const subnet = (at: number) => `10.${at >> 8}.${at & 255}.0/24`;

  /** How often a regular expression is asked while a file of so many lists is read. */
  function asked(count: number): number {
    const spy = vi.spyOn(RegExp.prototype, 'test');
    haproxyForwards(front(...many(count, (at) => `acl a${at} src ${subnet(at)}`)));
    const { length } = spy.mock.calls;
    spy.mockRestore();
    return length;
  }

  test('twice the lists take twice the steps', () => {
    expect(asked(2_000) / asked(1_000)).toBeLessThan(2.1);
  });

  test('addresses on many lines of one list are one condition', () => {
    const lines = many(3_000, (at) => `acl own src ${subnet(at)}`);
    expect(told(haproxyForwards(front(...lines, 'http-request allow if own', 'http-request deny')))).toEqual([
      'private',
    ]);
  });

  test('beyond 500 use_backend, what the first 500 say counts and the rest is not known', () => {
    const uses = many(600, (at) => `use_backend b${at} if { hdr(host) h${at} }`);
    const unread = '? one of more than 500 use_backend decides which requests get through';
    const servers = `backend b7\n  server s 127.0.0.1:8551\n`;
    expect(told(haproxyForwards(front(...uses) + servers))).toEqual(['any', unread, unread]);
  });
});
