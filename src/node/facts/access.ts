/** Which origins and Host names an access list allows, compared as rs/cors and networks/rpc compare them. */

import { isIP } from 'node:net';
import type { Listener } from './settings.js';

/** http matches origins against patterns; Host names, and origins of ws, must be equal. */
export type AccessList = 'cors' | 'ws' | 'vhosts';

/** `any`: the entry allows any web page or Host; `named`: only those it names; `none`: no request matches it. */
export interface EntryMatch {
  readonly matches: 'any' | 'named' | 'none';
  /** Completes "because": a clause. Empty for `named`. */
  readonly because: string;
}

/** The list of origins that an interface checks. */
export function originsOf({ kind }: Pick<Listener, 'kind'>): 'cors' | 'ws' {
  return kind === 'ws' ? 'ws' : 'cors';
}

/** Whether an entry allows any web page or Host, such as `*`. */
export function isWildcard(list: AccessList, entry: string): boolean {
  return entryMatch(list, entry).matches === 'any';
}

/** What an entry allows. An empty entry is not a mistake. */
export function entryMatch(list: AccessList, entry: string): EntryMatch {
  const text = entry.toLowerCase();
  if (text === '*') return any('it matches every name');
  if (text === '') return named;
  if (list === 'vhosts') return hostName(entry);
  if (text === 'null') return any('any page sends the origin null from a sandboxed frame');
  if (!text.includes('*')) return origin(text);
  return list === 'ws'
    ? none('ws compares whole origins, and its only wildcard is a single *')
    : pattern(text);
}

/** Whether an entry allows `value`, an origin or a Host name in lower case. */
export function matches(list: AccessList, entry: string, value: string): boolean {
  const text = entry.toLowerCase();
  const [prefix = '', ...rest] = text.split('*');
  if (text === '*' || text === value) return true;
  if (list !== 'cors' || rest.length === 0) return false;
  const suffix = rest.join('*');
  return value.length >= text.length - 1 && value.startsWith(prefix) && value.endsWith(suffix);
}

const named: EntryMatch = { matches: 'named', because: '' };

function any(because: string): EntryMatch {
  return { matches: 'any', because };
}

function none(because: string): EntryMatch {
  return { matches: 'none', because };
}

/** The node removes the port of a Host header and compares the rest with the list in lower case. */
function hostName(entry: string): EntryMatch {
  if (/^[a-z]+:\/\//i.test(entry)) return none('a Host name has no scheme');
  if (entry.includes('*'))
    return none('the node compares whole Host names, and the only wildcard is a single *');
  if (entry.includes('/')) return none('a Host name has no path');
  if (/^[^:]+:\d+$/.test(entry)) return none('the node removes the port before it compares Host names');
  if (/^(?:0\.0\.0\.0|\[?::\]?)$/.test(entry))
    return none('no caller sends it, and every Host that is an IP address gets in anyway');
  if (entry !== entry.toLowerCase())
    return none(`the list is read in lower case and the request’s Host is not: write ${entry.toLowerCase()}`);
  return named;
}

const schemeless = 'an origin begins with its scheme, https:// or http://';

function origin(text: string): EntryMatch {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/.exec(text) ?? [];
  if (scheme === undefined) return none(schemeless);
  if (rest.includes('/')) return none('an origin ends with its host: no slash and no path follow');
  const port = { http: ':80', https: ':443' }[scheme];
  if (port !== undefined && rest.endsWith(port)) return none('browsers omit the default port of a scheme');
  return named;
}

/** One * matches any text, including slashes and dots. */
function pattern(text: string): EntryMatch {
  const [prefix = '', suffix = '', ...more] = text.split('*');
  if (more.length > 0) return none('only the first * of an entry is a pattern');
  if (suffix.endsWith('/')) return none('an origin ends with its host: no slash follows');
  if (!'https'.startsWith(prefix) && !/^[a-z][a-z0-9+-]*:/.test(prefix)) return none(schemeless);
  const host = suffix.replace(/:\d+$/, '');
  if (suffix.startsWith('://') || (host === '' && /^[a-z][a-z0-9+.-]*:\/\/.+:$/.test(prefix))) return named;
  if (host === '') return any(`anyone can register a name that begins with ${prefix}`);
  if (!host.startsWith('.')) return any(`anyone can register a name that ends with ${host}`);
  return isOpenSuffix(host.slice(1)) ? any(`anyone can register a name under ${host}`) : named;
}

/** Whether anyone can register names: top-level domains, common second-level domains, and hosting services. */
function isOpenSuffix(name: string): boolean {
  return (
    !name.includes('.') ||
    /^(?:ac|co|com|edu|go|gov|gr|ne|net|nom|or|org|re)\.[a-z]{2}$/.test(name) ||
    pageHosts.includes(name)
  );
}

const pageHosts = [
  'github.io',
  'gitlab.io',
  'netlify.app',
  'vercel.app',
  'pages.dev',
  'workers.dev',
  'web.app',
  'firebaseapp.com',
  'herokuapp.com',
  'onrender.com',
  'fly.dev',
  'ngrok.io',
  'ngrok-free.app',
  'amazonaws.com',
  'cloudfront.net',
  'azurewebsites.net',
];

/** Whether it is the address of a socket that a listener with this host binds, or may bind: a name is not resolved. */
export function isBoundTo(host: string | null, address: string): boolean {
  const bare = (host ?? '').replace(/^\[|\]$/g, '');
  const wildcards = ['::', '0.0.0.0'];
  if (host === null) return true;
  if (['', '*', ...wildcards].includes(bare)) return wildcards.includes(address);
  if (bare === 'localhost') return ['127.0.0.1', '::1'].includes(address);
  return isIP(bare) === 0 || bare === address;
}
