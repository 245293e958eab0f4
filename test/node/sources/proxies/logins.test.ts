/** Logins that are none: whoever asks gets through, or what is asked leads past them. */
import { expect, test } from 'vitest';
import { caddyForwards } from '../../../../src/node/sources/proxies/caddy.js';
import { noFiles } from '../../../../src/node/sources/proxies/directive.js';
import { nginxForwards } from '../../../../src/node/sources/proxies/nginx.js';
import { traefikForwards } from '../../../../src/node/sources/proxies/traefik.js';
import { told } from './told.js';

const nginx = (more: string) =>
  told(
    nginxForwards(`server { listen 80; ${more} location / { proxy_pass http://127.0.0.1:8545; } }`, noFiles),
  );

test.each([
  ['auth_basic x; auth_basic_user_file h;', ['any with a login']],
  ['auth_basic off;', ['any']],
  ['auth_basic $realm;', ['? auth_basic $realm decides which requests get through']],
  ['auth_jwt $realm;', ['? auth_jwt $realm decides which requests get through']],
  ['auth_basic $realm; auth_request /no; location = /no { return 401; }', ['any with a login']],
  ['auth_request /ok; location = /ok { return 200; }', ['any']],
  ['auth_request /ok; location /ok { return 204; }', ['any']],
  ['auth_request /no; location = /no { return 403; }', ['any with a login']],
  ['auth_request /x;', ['any']],
  [
    'auth_request /x; location = /x { try_files /a =404; }',
    ['? what answers /x decides which requests get through'],
  ],
  ['auth_request /$x;', ['? auth_request /$x decides which requests get through']],
  [
    'satisfy any; allow 127.0.0.1; deny all; auth_request /ok; location = /ok { return 200; }',
    ['? satisfy decides which requests get through'],
  ],
])('nginx with %s', (more, expected) => {
  expect(nginx(more)).toEqual(expected);
});

test('a sub-request to the node is none, and one to another server is a login', () => {
  const asked = (port: number) =>
    nginx(`auth_request /ok; location = /ok { internal; proxy_pass http://127.0.0.1:${port}/; }`);
  expect(asked(8545).at(-1)).toBe('any');
  expect(asked(4180).at(-1)).toBe('any with a login');
});

test('an upstream of another name is the node too, and another location of a login service is none', () => {
  const named = nginxForwards(
    'upstream n { server localhost:8545; } server { listen 80; auth_request /a; location = /a { internal; proxy_pass http://n; } location / { proxy_pass http://127.0.0.1:8545; } }',
    noFiles,
  );
  expect(told(named).at(-1)).toBe('any');
  expect(
    nginx(
      'location /oauth2/ { proxy_pass http://127.0.0.1:4180; } location = /oauth2/auth { proxy_pass http://127.0.0.1:4180; } auth_request /oauth2/auth;',
    ).at(-1),
  ).toBe('any with a login');
});

test.each([
  ['127.0.0.1:8545', 'any'],
  ['127.0.0.1:4180', 'any with a login'],
])('forward_auth of Caddy to %s', (address, expected) => {
  const text = `:80 {\n\tforward_auth ${address} {\n\t\turi /\n\t}\n\treverse_proxy 127.0.0.1:8545\n}\n`;
  expect(told(caddyForwards(text, noFiles))).toEqual([expected]);
});

test.each([
  ['http://127.0.0.1:8545/', 'any'],
  ['http://auth:9091/api', 'any with a login'],
])('forwardAuth of Traefik to %s', (address, expected) => {
  const text = `http:\n  routers:\n    a: {rule: "Path(\`/\`)", service: n, middlewares: [m]}\n  middlewares:\n    m: {forwardAuth: {address: "${address}"}}\n  services:\n    n: {loadBalancer: {servers: [{url: "http://127.0.0.1:8545"}]}}\n`;
  expect(told(traefikForwards(text, noFiles))).toEqual([expected]);
});
