/** Who gets through files of HAProxy to each server. */
import { expect, test } from 'vitest';
import { haproxyForwards } from '../../../../src/node/deployment/proxies/haproxy.js';
import { told } from './told.js';

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
    'loopback',
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
