import type { Agent } from 'node:https';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { afterEach, expect, test, vi } from 'vitest';
import { agentFor, proxyFor } from '../../src/http/agent.js';

afterEach(() => vi.unstubAllEnvs());

function withEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

test.each([
  ['http://127.1.2.3:8551', true],
  ['http://a.localhost', true],
  ['http://localhost.example', false],
  ['http://notlocalhost', false],
  ['http://127.0.0.1.example', false],
  ['http://a.127.0.0.1.example', false],
])('requests to %s bypass the proxy because it is loopback: %s', (url, loopback) => {
  const env = { HTTP_PROXY: 'http://p:1' };
  withEnvironment(env);
  expect(proxyFor(new URL(url), env) === null).toBe(loopback);
});

test.each([
  [
    'another variable with the same end',
    { MY_HTTP_PROXY: 'socks5://p', HTTP_PROXY: 'socks5://p' },
    'HTTP_PROXY',
  ],
  [
    'another variable with the same start',
    { HTTP_PROXY_OLD: 'socks5://p', HTTP_PROXY: 'socks5://p' },
    'HTTP_PROXY',
  ],
  ['an empty variable', { HTTP_PROXY: '', http_proxy: 'socks5://p' }, 'http_proxy'],
  ['a proxy of another scheme of URLs', { HTTPS_PROXY: 'http://q', HTTP_PROXY: 'socks5://p' }, 'HTTP_PROXY'],
])('an error about an unusable proxy does not name %s', (_, env, name) => {
  withEnvironment(env);
  expect(() => proxyFor(new URL('http://a.example'), env)).toThrow(
    `the environment variable ${name} names a socks5`,
  );
});

test('a scheme that only ends like http is no HTTP proxy', () => {
  const env = { HTTP_PROXY: 'xhttp://p' };
  withEnvironment(env);
  expect(() => proxyFor(new URL('http://a.example'), env)).toThrow('names a xhttp proxy');
});

test('ws uses the proxy of http, and a host that contains ws keeps its name', () => {
  const env = { HTTP_PROXY: 'http://p:1', NO_PROXY: 'news.example' };
  withEnvironment(env);
  expect(proxyFor(new URL('ws://a.example'), env)?.href).toBe('http://p:1/');
  expect(proxyFor(new URL('http://news.example'), env)).toBeNull();
});

test('a proxy forwards http, and opens a tunnel for everything else; TLS names the node, never the proxy', () => {
  const env = { HTTP_PROXY: 'https://p:1', HTTPS_PROXY: 'https://p:1' };
  withEnvironment(env);
  const agent = (url: string) => agentFor(new URL(url), { insecure: false, env, maxSockets: 7 });
  expect(agent('http://a.example')).toBeInstanceOf(HttpProxyAgent);
  for (const url of ['ws://a.example', 'https://a.example', 'wss://a.example'])
    expect(agent(url)).toBeInstanceOf(HttpsProxyAgent);
  const named = (url: string) => (agent(url) as Agent).options.servername;
  expect(
    ['https://a.example', 'wss://127.0.0.9.example', 'https://192.0.2.1', 'ws://a.example'].map(named),
  ).toEqual(['a.example', '127.0.0.9.example', '', undefined]);
  expect(agent('https://a.example').maxSockets).toBe(7);
});
