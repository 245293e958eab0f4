/** Agents of HTTP and WebSocket connections: direct with keep-alive, or through a proxy. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import { KaiactlError } from '../errors.js';

export interface AgentOptions {
  /** Accept certificates that cannot be verified. */
  readonly insecure: boolean;
  /** The process’s environment, to name the proxy variable that cannot be used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: 4. */
  readonly maxSockets?: number;
}

/**
 * An agent for the URL, with keep-alive. Certificates are verified against the host of the URL unless `insecure`. By
 * default Node takes the TLS name from the Host header, which a probe may have set.
 * @throws {KaiactlError} when the proxy of the environment cannot be used (exit 2)
 */
export function agentFor(url: URL, options: AgentOptions): HttpAgent {
  const settings = {
    keepAlive: true,
    maxSockets: options.maxSockets ?? 4,
    rejectUnauthorized: !options.insecure,
  };
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  const proxy = proxyFor(url, options.env);
  // A WebSocket without TLS needs a tunnel too.
  const tunnel = url.protocol !== 'http:';
  const agent =
    proxy !== null
      ? new (tunnel ? HttpsProxyAgent : HttpProxyAgent)(proxy, settings)
      : new (secure ? HttpsAgent : HttpAgent)(settings);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // In the constructor, the name would also apply to a proxy that speaks TLS.
  if (secure) Object.assign((agent as HttpsAgent).options, { servername: isIP(host) === 0 ? host : '' });
  return agent;
}

/**
 * The proxy of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY for this URL; null to connect directly. Loopback never uses
 * a proxy.
 * @param env the environment, to name the variable in errors
 * @throws {KaiactlError} when it is not an HTTP proxy (exit 2), without its value, which may hold a password
 */
export function proxyFor(url: URL, env: AgentOptions['env']): URL | null {
  if (isLoopback(url.hostname)) return null;
  const found = getProxyForUrl(url.href.replace(/^ws/, 'http'));
  if (found === '') return null;
  const names = Object.keys(env).filter((one) => /^(?:https?|all)_proxy$/i.test(one));
  const name = names.find((one) => env[one] && found.endsWith(env[one]));
  // A proxy without a scheme is an HTTP proxy, as in curl; the package would use the scheme of the URL.
  const written = (name === undefined ? undefined : env[name]) ?? found;
  const text = written.includes('://') ? written : `http://${written}`;
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
  const scheme = /^[a-z][a-z0-9+.-]{0,20}(?=:\/\/)/i.exec(text)?.[0] ?? 'http';
  const wrong = /^https?$/i.test(scheme)
    ? 'does not hold a URL'
    : `names a ${scheme} proxy, which is not supported`;
  throw new KaiactlError(`the environment variable ${name ?? 'for proxies'} ${wrong}`, {
    hint: 'Set it to an HTTP proxy (http://proxy.example:3128), or exempt the nodes with NO_PROXY.',
  });
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}
