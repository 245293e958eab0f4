/** Who gets through files of Apache to the address of each ProxyPass. */
import { expect, test } from 'vitest';
import { apacheForwards } from '../../../../src/node/deployment/proxies/apache.js';
import { ledBy, told } from './told.js';

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
  ['lines that go on', location('Require ip 10.0.0.0/8 \\', '192.168'), 'private'],
  [
    'a comment and quotes',
    location('# Require all denied', 'Require ip "10.0.0.0/8" \'192.168.0.0/16\''),
    'private',
  ],
  ['an address with a dot at its end', location('Require ip 10.'), 'private'],
  ['a whole address', location('Require ip 10.0.0.1'), 'private'],
  ['two parts of an address', location('Require ip 172.16'), 'private'],
  ['one part of an address', location('Require ip 172'), 'any'],
  ['an address that is no private network', location('Require ip 11'), 'any'],
  ['a network of IPv6', location('Require ip fd00::/8'), 'private'],
  ['a balancer that is not in the file', `${pass.replace('http://127.0.0.1:8551/', 'balancer://n/')}\n`],
  ['an exception of a path', host('ProxyPass /rpc/x !'), 'any'],
  [
    'modules',
    `<IfModule proxy>\nListen 127.0.0.1:80\n${host('<IfModule ssl>', 'Include auth.conf', '</IfModule>')}</IfModule>\n`,
    '? the file that it includes is not read (auth.conf)',
  ],
  ['a default host', `Listen 127.0.0.1:80\n${host().replace('*:80', '_default_:80')}`, 'loopback'],
  ['a default host of another port', `Listen 127.0.0.1:81\n${host().replace('*:80', '_default_:80')}`, 'any'],
  ['a host on every port', `Listen 127.0.0.1:80\n${host().replace('*:80', '*')}`, 'any'],
  ['two sockets of a port', `Listen 127.0.0.1:80 http\nListen 10.0.0.4:80\n${host()}`, 'loopback', 'private'],
  ['forwards outside of a host and in it', `${pass}\n${host()}`, 'any', 'any'],
  ['a location outside of the hosts', `<Location />\nRequire ip 10\n</Location>\n${host()}`, 'private'],
  ['a certificate outside of the hosts', `SSLVerifyClient require\n${host()}`, 'any'],
  [
    'a pattern of locations',
    host('<LocationMatch "^/rpc">', 'Require ip 10', '</LocationMatch>'),
    'any',
    'private',
  ],
  ['a ProxyPass in a pattern of locations', `<LocationMatch ^/rpc>\n${pass}\n</LocationMatch>\n`, 'any'],
  ['another proxy', host('<Proxy http://b/>', 'Require all denied', '</Proxy>'), 'any', 'nobody'],
  [
    'a location with the path of another one as its prefix',
    host('<Location /rp>', 'Require all denied', '</Location>'),
    'any',
    'nobody',
  ],
  [
    'a location with a slash at its end',
    host('<Location /rpc/>', 'Require all denied', '</Location>'),
    'any',
    'nobody',
  ],
  ['a location that says nothing about clients', location('SetEnv a b'), 'any'],
  ['a certificate that is optional', host('SSLVerifyClient optional'), 'any'],
  [
    'a certificate and addresses',
    host('SSLVerifyClient require', '<Location /rpc>', 'Require ip 10', '</Location>'),
    'private with a login',
  ],
  [
    'an environment and a certificate',
    host('SSLVerifyClient require', '<Location /rpc>', 'Require env ok', '</Location>'),
    '? Require env decides which requests get through',
  ],
  [
    'an included file of TLS',
    host('Include /etc/letsencrypt/options-ssl-apache.conf', 'IncludeOptional conf.d/ssl*'),
    'any',
  ],
  [
    'a rewritten path that is forbidden',
    host('RewriteRule ^/x - [L,F]'),
    '? RewriteRule decides which requests get through',
  ],
  ['a rewritten path', host('RewriteRule ^/x /FOO [L]'), 'any'],
  ['a method of a condition', host('RewriteCond %{REQUEST_METHOD} =GET', 'RewriteRule ^ /x'), 'any'],
  ['a limit of GET', location('<Limit GET>', 'Require all denied', '</Limit>'), 'any'],
  ['a limit of methods but GET', location('<LimitExcept GET>', 'Require ip 10', '</LimitExcept>'), 'private'],
  [
    'rules of which none holds',
    location('<RequireNone>', 'Require ip 10', '</RequireNone>'),
    '? requirenone decides which requests get through',
  ],
  ['one of an address and everyone', location('Require ip 10', 'Require all granted'), 'any'],
  [
    'one of two addresses',
    location('<RequireAny>', 'Require ip 10', 'Require local', '</RequireAny>'),
    'private',
  ],
  ['one of an address and nobody', location('Require ip 10', 'Require all denied'), 'private'],
  ['two addresses', location('<RequireAll>', 'Require ip 10', 'Require local', '</RequireAll>'), 'loopback'],
  ['no rules of which one holds', location('<RequireAny>', '</RequireAny>'), 'any'],
  [
    'rules in one of two rules',
    location('Require local', '<RequireAll>', 'Require ip 10', 'Require user a', '</RequireAll>'),
    '? RequireAll in RequireAny decides which requests get through',
  ],
  [
    'rules and what is not understood',
    location('<RequireAll>', 'Require ip 10', 'Require expr x', '</RequireAll>'),
    '? Require expr decides which requests get through',
  ],
  ['a group', location('Require ldap-group a'), 'any with a login'],
  [
    'a condition',
    host('<If "%{HTTP:X-Key} == \'a\'">', 'Require all denied', '</If>'),
    '? if decides which requests get through',
  ],
];

test.each(files)('%s', (_, text, ...passages) => {
  expect(told(apacheForwards(text))).toEqual(passages);
});

test('forwards name the addresses that they lead to and listen on', () => {
  const text = `Listen 127.0.0.1:80\nListen 81\n<Proxy balancer://n>\n  BalancerMember http://a:1 route=1\n  ProxySet lbmethod=byrequests\n</Proxy>\n<VirtualHost 127.0.0.1:80>\n  ProxyPass "/x" balancer://n/x\n  <Location /y>\n    ProxyPass unix:/run/b.sock|http://b/ retry=0\n  </Location>\n</VirtualHost>\n<VirtualHost *:81>\n  ProxyPassMatch ^/z http://c:3\n</VirtualHost>\n`;
  expect(ledBy(text, apacheForwards(text))).toEqual([
    'apache: http://a:1 leads to a:1 on 127.0.0.1:80 (loopback)',
    'apache: unix:/run/b.sock|http://b/ leads to /run/b.sock on 127.0.0.1:80 (loopback)',
    'apache: http://c:3 leads to c:3 on 81',
  ]);
});

test.each([
  ['a section that another one closes', `<Location />\n${pass}\n</Proxy>\n`],
  ['an end without a section', `${pass}\n</Location>\n`],
  ['a line without a word', `${pass}\n>\n`],
  ['a line in lower case', `${pass}\nxProxy on\n`],
  ['a line with a colon', `${pass}\nListen: 80\n`],
  ['a file without forwards', 'Listen 80\n'],
  ['a script', `cat > x.conf <<EOF\n${host()}EOF\n`],
  ['a section that is never closed', '<VirtualHost *:80>\nProxyPass / http://a:1/\n'],
  ['nginx', 'server {\n  listen 80;\n}\n'],
  ['an empty file', ''],
])('%s is no file of Apache', (_, text) => {
  expect(apacheForwards(text)).toBeNull();
});
