/** Files and commands of reverse proxies, as far as no reader knows them: the words that name a destination. */

import type { Destination } from '../../facts/hops.js';
import { destinationOf } from '../../reach/address.js';
import { type ForwarderRow, pattern } from './row.js';

/** The address that `--from` listens on: a host name in it says what requests name, and binds nothing. */
function caddyListening(from: string | null): string | null {
  if (from === null) return null;
  return `:${/:(\d+)(?:\/|$)/.exec(from)?.[1] ?? (from.startsWith('http:') ? '80' : '443')}`;
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

export const proxies: readonly ForwarderRow[] = [
  {
    // Files that may forward by the files that they include, and manifests.
    applies:
      /\binclude[ \t]+[\w./*-]+;|^[ \t]*import[ \t]+[^\s"']+[ \t]*$|^kind:[ \t]*["']?Endpoint(?:s|Slice)\b/m,
    find: () => [],
  },
  pattern('nginx', /\b(?:proxy|grpc)_pass\b/, /\b(?:proxy_pass|grpc_pass)[ \t]+(?<to>[^\s;]+)/g),
  pattern(
    'nginx',
    /\bupstream\b/,
    /\bserver[ \t]+(?<to>[\w.[\]:$][^\s;{}]*)(?=[ \t;])(?![ \t]*\{)(?<=\bupstream\b[^{}]{0,200}\{[^{}]{0,4000})/g,
  ),
  pattern('caddy', /\breverse_proxy\b/, /(?:\breverse_proxy(?:["']?[:=])?|^[ \t]*to)[ \t]*(?<to>[^\n]*)/gm, {
    destinations: ({ to = '' }) => caddyUpstreams(to),
  }),
  pattern('caddy', /\breverse-proxy\b/, /\breverse-proxy\b(?=(?<rest>[^\n]{0,300}))/g, {
    listening: ({ rest = '' }) => caddyListening(/--?from[ =]"?([^\s"]+)/.exec(rest)?.[1] ?? null),
    from: 'bind',
    destinations: ({ rest = '' }) =>
      [...rest.matchAll(/--?to[ =]"?([^\s"]+)/g)].map(([, to = '']) => destinationOf(to)),
  }),
  pattern('caddy', /"dial"/, /"dial"\s*:\s*"(?<to>[^"\n]+)"/g),
  pattern(
    'haproxy',
    /^[ \t]*(?:(?:frontend|backend)[ \t]+[\w.-]+[ \t]*$|bind[ \t]+\S*:\S+[ \t]*)/m,
    /^[ \t]*server(?:-template)?[ \t]+[\w.-]+[ \t]+(?:[\d-]+[ \t]+)?(?<to>(?=[^\s;]*[\d.:/@$])[^\s;]+)/gm,
  ),
  pattern(
    'traefik',
    /\bload[bB]alancer\b/,
    /(?<!\bentry[pP]oints\.[\w-]{1,100}\.)\b(?:url|address)["']?[ \t]*[:=][ \t]*["']?(?<to>[^\s"',}]+)(?<=\bload[bB]alancer\b[\s\S]{0,400})/g,
  ),
  pattern(
    'ingress-nginx',
    /^[ \t]*["']?\d{2,5}["']?[ \t]*:[ \t]*["']?[\w.-]+\/[\w.-]+:/m,
    /^[ \t]*["']?(?<listens>\d{2,5})["']?[ \t]*:[ \t]*["']?[\w.-]{1,200}\/(?<to>[\w.-]{1,200}:[\w-]+)/gm,
    { from: 'any' },
  ),
];
