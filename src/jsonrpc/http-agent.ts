/** Which agent carries an HTTP or WebSocket connection: direct with keep-alive, or through a proxy. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { KaiactlError } from '../errors.js';
import type { ConnectionOptions } from './channel.js';

type Environment = ConnectionOptions['env'];

/**
 * An agent for the URL: kept-alive connections, certificates verified unless `insecure`.
 * @throws {KaiactlError} when the proxy variable holds no http(s) URL (exit 2)
 */
export function agentFor(url: URL, options: Pick<ConnectionOptions, 'insecure' | 'env'>): HttpAgent {
  const settings = { keepAlive: true, maxSockets: 4, rejectUnauthorized: !options.insecure };
  const proxy = proxyFor(url, options.env);
  if (proxy !== null) {
    // A WebSocket needs a tunnel, also without TLS.
    const tunnel = url.protocol !== 'http:';
    return tunnel ? new HttpsProxyAgent(proxy, settings) : new HttpProxyAgent(proxy, settings);
  }
  return url.protocol === 'https:' || url.protocol === 'wss:'
    ? new HttpsAgent(settings)
    : new HttpAgent(settings);
}

/** The proxy of the environment for this URL; null: address directly. Loopback is always dialable directly. */
export function proxyFor(url: URL, env: Environment): URL | null {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  const name = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = variable(env, name);
  if (value === null || isLoopback(url.hostname) || isExempt(url, variable(env, 'NO_PROXY') ?? ''))
    return null;
  const text = /^[a-z]+:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text) || !/^https?:/i.test(text)) {
    throw new KaiactlError(`the environment variable ${name} does not hold the URL of an HTTP proxy`);
  }
  return new URL(text);
}

/** Lower case wins, as curl has it. */
function variable(env: Environment, name: string): string | null {
  return env[name.toLowerCase()] || env[name] || null;
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** NO_PROXY: `*`, or names (with all names below them) and addresses, each with an optional port. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (port !== undefined && port !== url.port) return false;
      const bare = name.replace(/^\*?\./, '');
      return host === bare || host.endsWith(`.${bare}`);
    });
}
