import { expect, test } from 'vitest';
import { endpointName, isEndpointText, parseEndpoint } from '../../src/jsonrpc/endpoint.js';

test.each([
  ['http://127.0.0.1:8551', 'http://127.0.0.1:8551', 'http://127.0.0.1:8551/'],
  ['http://localhost:8551/', 'http://localhost:8551', 'http://localhost:8551/'],
  ['HTTPS://Node.Example/rpc/', 'https://node.example/rpc/', 'https://node.example/rpc/'],
  ['http://[::1]:8551', 'http://[::1]:8551', 'http://[::1]:8551/'],
  ['wss://node.example/x?key=abc#y', 'wss://node.example/x?…', 'wss://node.example/x?key=abc'],
  ['ws://me:p%40ss@node:8552', 'ws://node:8552', 'ws://node:8552/'],
  ['ipc:/var/kend/data/klay.ipc', 'ipc:/var/kend/data/klay.ipc', '/var/kend/data/klay.ipc'],
  ['ipc:///var/my data/klay.ipc', 'ipc:/var/my data/klay.ipc', '/var/my data/klay.ipc'],
  ['ipc://klay.ipc', 'ipc:klay.ipc', 'klay.ipc'],
  ['/var/my data/klay.ipc', 'ipc:/var/my data/klay.ipc', '/var/my data/klay.ipc'],
  ['\\\\.\\pipe\\klay.ipc', 'ipc:\\\\.\\pipe\\klay.ipc', '\\\\.\\pipe\\klay.ipc'],
  ['/srv/ipc:/klay.ipc', 'ipc:/srv/ipc:/klay.ipc', '/srv/ipc:/klay.ipc'],
  ['/srv/https:/klay.ipc', 'ipc:/srv/https:/klay.ipc', '/srv/https:/klay.ipc'],
  ['ipc:\\\\.\\pipe\\klay.ipc', 'ipc:\\\\.\\pipe\\klay.ipc', '\\\\.\\pipe\\klay.ipc'],
])('%s', (text, shown, raw) => {
  const address = parseEndpoint(text);
  expect(endpointName(address.endpoint)).toBe(shown);
  expect(address.raw).toBe(raw);
});

test('userinfo becomes basic auth and is never printed', () => {
  const address = parseEndpoint('http://me:p%40s%s@node:1/');
  expect(address.authorization).toBe(`Basic ${Buffer.from('me:p@s%s').toString('base64')}`);
  expect(JSON.stringify(address.endpoint)).not.toMatch(/p@s|p%40/);
});

test.each([
  'http://',
  'http:/x',
  'http://me:secret@',
  'ws://[::1',
  'ipc:',
  'ftp://node',
  'http://me:secret@host:99999',
])('%s is rejected, and the error leaves out its password', (text) => {
  expect(() => parseEndpoint(text)).toThrow();
  try {
    parseEndpoint(text);
  } catch (error) {
    expect(String(error)).not.toContain('secret');
  }
});

test('a bare path is not assumed to be a socket', () => {
  expect(isEndpointText('ipc:x')).toBe(true);
  expect(isEndpointText('/etc/kend/conf/kend.conf')).toBe(false);
});

test.each([
  ['ipc:', 'Write ipc:/path/to/node.ipc.'],
  ['10.0.0.5', 'For http write http://10.0.0.5:8551.'],
])('the error of %s says how to write it', (text, hint) => {
  expect(() => parseEndpoint(text)).toThrow(expect.objectContaining({ hint }));
});
