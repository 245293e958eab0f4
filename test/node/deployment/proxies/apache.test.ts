/** Who gets through files of Apache to the address of each ProxyPass. */
import { expect, test } from 'vitest';
import { apacheForwards } from '../../../../src/node/deployment/proxies/apache.js';
import { told } from './told.js';

const pass = 'ProxyPass /rpc http://127.0.0.1:8551/';
const host = (...lines: readonly string[]) =>
  `<VirtualHost *:80>\n${lines.join('\n')}\n${pass}\n</VirtualHost>\n`;
const location = (...lines: readonly string[]) => host('<Location "/rpc">', ...lines, '</Location>');

/** A file, and who gets through each of its forwards. */
const files: readonly (readonly [name: string, text: string, ...passages: string[]])[] = [
  ['a virtual host on every address', host(), 'any'],
  ['a virtual host on loopback', host().replace('*:80', '127.0.0.1:80'), 'loopback'],
  ['a virtual host on a private address', host().replace('*:80', '10.0.0.4:80'), 'private'],
  ['a port that listens on loopback', `Listen 127.0.0.1:80\n${host()}`, 'loopback'],
  ['another port on loopback', `Listen 127.0.0.1:81\n${host()}`, 'any'],
  ['a file without virtual hosts', `Listen 10.0.0.4:80\n${pass}\n`, 'private'],
  ['a part of a server', `${pass}\n`, 'any'],
  [
    'a ProxyPass in a location',
    '<VirtualHost *:80>\n<Location /rpc>\nProxyPass http://127.0.0.1:8551/\nRequire ip 10\n</Location>\n</VirtualHost>\n',
    'private',
  ],
  [
    'a balancer',
    `<Proxy balancer://n>\nBalancerMember http://a:1\nBalancerMember http://b:2\n</Proxy>\n${host().replace('http://127.0.0.1:8551/', 'balancer://n/')}`,
    'any',
    'any',
  ],
  ['clients', location('Require ip 10.0.0.0/8 192.168'), 'private'],
  ['this machine', location('Require local'), 'loopback'],
  ['a public client', location('Require ip 203.0.113.9'), 'any'],
  ['nobody', location('Require all denied'), 'nobody'],
  ['everyone', location('Require all granted'), 'any'],
  ['a password', location('AuthType Basic', 'AuthUserFile /x', 'Require valid-user'), 'any with a login'],
  ['a password or an address', location('Require valid-user', 'Require ip 10'), 'private, any with a login'],
  [
    'a password and an address',
    location('<RequireAll>', 'Require valid-user', 'Require ip 10', '</RequireAll>'),
    'private with a login',
  ],
  [
    'an address that is excluded',
    location('<RequireAll>', 'Require all granted', 'Require not ip 10', '</RequireAll>'),
    'any',
  ],
  ['a limit of other methods', location('<LimitExcept POST>', 'Require all denied', '</LimitExcept>'), 'any'],
  ['a limit of calls', location('<Limit POST>', 'Require ip 10', '</Limit>'), 'private'],
  ['another location', host('<Location /admin>', 'Require all denied', '</Location>'), 'any', 'nobody'],
  [
    'a location in the location',
    host(
      '<Location />',
      'Require ip 10',
      '</Location>',
      '<Location /rpc/health>',
      'Require all granted',
      '</Location>',
    ),
    'private',
    'any',
  ],
  [
    'a later location',
    host(
      '<Location /rpc>',
      'Require all denied',
      '</Location>',
      '<Location />',
      'Require ip 10',
      '</Location>',
    ),
    'private',
  ],
  ['every proxy', host('<Proxy *>', 'Require ip 10', '</Proxy>'), 'private'],
  ['a certificate', host('SSLVerifyClient require'), 'any with a login'],
  [
    'rules of an old release',
    location('Order deny,allow', 'Deny from all'),
    '? order decides which requests get through',
  ],
  ['an included file', host('Include auth.conf'), '? the file that it includes is not read (auth.conf)'],
  [
    'WebSockets',
    host(
      'RewriteEngine on',
      'RewriteCond %{HTTP:Upgrade} websocket [NC]',
      'RewriteRule ^/(.*)$ ws://127.0.0.1:8552/$1 [P,L]',
    ),
    'any',
    'any',
  ],
  [
    'a condition on the address',
    host('RewriteCond %{REMOTE_ADDR} !^10', 'RewriteRule ^ - [F]'),
    '? RewriteCond %{REMOTE_ADDR} decides which requests get through',
  ],
  [
    'an address of a header',
    location('RemoteIPHeader X-Real-IP', 'Require ip 10'),
    '? the address of a client is taken from a header of its request',
  ],
  ['an environment', location('Require env ok'), '? Require env decides which requests get through'],
  [
    'a condition',
    host('<If "%{HTTP:X-Key} == \'a\'">', 'Require all denied', '</If>'),
    '? if decides which requests get through',
  ],
];

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(apacheForwards(text))).toEqual(passages);
});

test.each([
  ['a script', `cat > x.conf <<EOF\n${host()}EOF\n`],
  ['a section that is never closed', '<VirtualHost *:80>\nProxyPass / http://a:1/\n'],
  ['nginx', 'server {\n  listen 80;\n}\n'],
  ['an empty file', ''],
])('%s is no file of Apache', (_, text) => {
  expect(apacheForwards(text)).toBeNull();
});
