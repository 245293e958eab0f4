/** Files and commands of reverse proxies. */

import type { Destination } from '../../facts/relays.js';
import { destinationOf } from '../../reach/address.js';
import type { Hop } from '../../reach/hop.js';
import { pattern, type Row, sections } from './row.js';

const never = /(?!)/g;

const nginx = {
  program: 'nginx',
  section: /\b(?<type>server|upstream)(?:[ \t]+(?<name>[\w.-]+))?[ \t]*\r?\n?[ \t]*\{/g,
  listeners: /^server$/,
  listen: /\blisten[ \t]+(?<listens>[^\s;]+)/g,
};

/** Envoy's and Kubernetes' addresses stand on lines of their own. */
function socketAddress(text: string): string | null {
  const own = text.split('socket_address')[0] ?? '';
  const host = /\baddress["']?\s*:\s*["']?([^\s"',}]+)/.exec(own)?.[1];
  const port = /\bport_value["']?\s*:\s*(\d+)/.exec(own)?.[1];
  if (host === undefined) return null;
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? bracketed : `${bracketed}:${port}`;
}

/** The labels of caddy-docker-proxy forward for everyone, unless one of them may limit that. */
function labelClients(text: string): 'any' | undefined {
  if (!/\{\{[ \t]*upstreams\b/.test(text)) return undefined;
  const limit =
    /\bcaddy(?:_\d+)?\.(?:\d+_)?(?:@|bind|import|\w*auth\w*|respond|abort|error|handle|route|tls\.)/;
  return limit.test(text) ? undefined : 'any';
}

/** A host name in `--from` says what requests name, and binds nothing. */
function boundFrom(from: string | null): string | null {
  return from === null
    ? null
    : `:${/:(\d+)(?:\/|$)/.exec(from)?.[1] ?? (from.startsWith('http:') ? '80' : '443')}`;
}

/** The upstreams among the words of a directive of Caddy; a matcher begins with a slash, @ or *. */
function caddyUpstreams(words: string): readonly Destination[] {
  const port = /\bupstreams[ \t]+(?:https?[ \t]+)?(\d+)/.exec(words)?.[1];
  if (port !== undefined) return [{ host: null, port: Number(port) }];
  return words
    .replace(/(?:^|\s)\{(?![$%{]).*$/s, '')
    .replace(/["']/g, '')
    .split(/\s+/)
    .filter((word) => word !== '' && !/^[/@*}]/.test(word))
    .map(destinationOf);
}

export const proxies: readonly Row[] = [
  {
    program: 'nginx or caddy',
    // Files that may forward by the files that they include.
    applies: /\binclude[ \t]+[\w./*-]+;|^[ \t]*import[ \t]+[^\s"']+[ \t]*$/m,
    find: () => [],
  },
  sections({
    ...nginx,
    applies: /\b(?:proxy_pass|grpc_pass)\b/,
    forward: /\b(?:proxy_pass|grpc_pass)[ \t]+(?<to>[^\s;]+)/g,
  }),
  sections({
    ...nginx,
    applies: /\bupstream\b/,
    forwards: /^upstream$/,
    forward: /\bserver[ \t]+(?<to>[\w.[\]:$][^\s;{}]*)(?=[ \t;])(?![ \t]*\{)/g,
  }),
  sections({
    program: 'caddy',
    applies: /\breverse_proxy\b/,
    section: /^(?<name>[^\s{}#(@"][^{\n]*)\{/gm,
    isNamedByAddress: true,
    listen: /^[ \t]*bind[ \t]+(?<listens>\S+)/gm,
    forward: /(?:\breverse_proxy(?:["']?[:=])?|^[ \t]*to)[ \t]*(?<to>[^\n]*)/gm,
    destinations: ({ to = '' }) => caddyUpstreams(to),
    from: labelClients,
  }),
  pattern('caddy', /\breverse-proxy\b/, /\breverse-proxy\b(?=(?<rest>[^\n]{0,300}))/g, {
    listening: ({ rest = '' }) => boundFrom(/--?from[ =]"?([^\s"]+)/.exec(rest)?.[1] ?? null),
    destinations: ({ rest = '' }) =>
      [...rest.matchAll(/--?to[ =]"?([^\s"]+)/g)].map(([, to = '']) => destinationOf(to)),
    from: 'bind',
  }),
  sections({
    program: 'caddy',
    applies: /"dial"/,
    section: never,
    listen: /"listen"\s*:\s*\[\s*"(?<listens>[^"\n]+)"/g,
    forward: /"dial"\s*:\s*"(?<to>[^"\n]+)"/g,
  }),
  sections({
    program: 'haproxy',
    applies: /^[ \t]*(?:(?:frontend|backend)[ \t]+[\w.-]+[ \t]*$|bind[ \t]+\S*:\S+[ \t]*)/m,
    section: /^[ \t]*(?<type>frontend|backend|listen|global|defaults|peers|resolvers)\b/gm,
    listen: /^[ \t]*bind[ \t]+(?<listens>[^\s,]+)/gm,
    forward:
      /^[ \t]*server(?:-template)?[ \t]+[\w.-]+[ \t]+(?:[\d-]+[ \t]+)?(?<to>(?=[^\s;]*[\d.:/@$])[^\s;]+)/gm,
  }),
  sections({
    program: 'envoy',
    applies: /\bsocket_address\b/,
    section: /\b(?<type>listeners|clusters|load_assignment|endpoints|admin)["']?[ \t]*:/g,
    listeners: /^listeners$/,
    listen: /\bsocket_address\b(?=(?<listens>[\s\S]{0,200}))/g,
    listenText: socketAddress,
    forwards: /^(?:clusters|load_assignment|endpoints)$/,
    forward: /\bsocket_address\b(?=(?<to>[\s\S]{0,200}))/g,
    destinations: ({ to = '' }) => [destinationOf(socketAddress(to) ?? '')],
  }),
  sections({
    program: 'apache',
    applies: /^[ \t]*(?:ProxyPass|ProxyPassMatch|BalancerMember|RewriteRule)\b/m,
    section: /^[ \t]*<VirtualHost\b/gm,
    listen: /^[ \t]*(?:<VirtualHost|Listen)[ \t]+(?<listens>[^\s>]+)/gm,
    forward:
      /^[ \t]*(?:(?:ProxyPass|ProxyPassMatch)[ \t][^\n]*?|BalancerMember[ \t]+|RewriteRule[ \t](?=[^\n]*\[[^\]\n]*\bP\b)[^\n]*?)["']?(?<to>(?:https?|wss?|unix):[^\s"']+)/gm,
  }),
  sections({
    program: 'traefik',
    applies: /\b(?:loadBalancer|loadbalancer|entryPoints|entrypoints)\b/,
    section: /\b(?<type>entryPoints|entrypoints|loadBalancer|loadbalancer)\b/g,
    listeners: /^entry/i,
    listen: /\baddress["']?[ \t]*[:=][ \t]*["']?(?<listens>[^\s"',]+)/g,
    forwards: /^load/i,
    forward: /\b(?:url|address)["']?[ \t]*[:=][ \t]*["']?(?<to>[^\s"',}]+)/g,
  }),
  pattern(
    'ingress-nginx',
    /^[ \t]*["']?\d{2,5}["']?[ \t]*:[ \t]*["']?[\w.-]+\/[\w.-]+:/m,
    /^[ \t]*["']?(?<listens>\d{2,5})["']?[ \t]*:[ \t]*["']?[\w.-]{1,200}\/(?<to>[\w.-]{1,200}:[\w-]+)/gm,
    { from: 'any' },
  ),
  {
    program: 'Endpoints',
    applies: /^kind:[ \t]*["']?Endpoint(?:s|Slice)\b/m,
    find: (text) => documents(text).flatMap(({ start, text }) => endpoints(text, start)),
  },
];

/** The documents of a YAML stream. */
function documents(text: string): { readonly start: number; readonly text: string }[] {
  let start = 0;
  return text.split(/^(?=---)/m).map((part) => {
    const at = start;
    start += part.length;
    return { start: at, text: part };
  });
}

/** The addresses of an Endpoints object, each with each of its ports. */
function endpoints(text: string, offset: number): readonly Hop[] {
  if (!/^kind:[ \t]*["']?Endpoint(?:s|Slice)\b/m.test(text)) return [];
  const ports = [...text.matchAll(/\bport:[ \t]*(\d+)/g)].map(([, port]) => Number(port)).slice(0, 16);
  const addresses = text.matchAll(/(?:\bip:|^[ \t]*-)[ \t]*["']?(?<host>\d+\.\d+\.\d+\.\d+)/gm);
  return [...addresses].flatMap((match) => {
    const at = { start: offset + match.index, end: offset + match.index + match[0].length };
    const host = match.groups?.host ?? null;
    const to = (ports.length === 0 ? [null] : ports).map((port) => ({ host, port }));
    return to.map((one) => ({ at, program: 'Endpoints', listens: null, isLoopback: false, to: one }));
  });
}
