/** Which origins and Host names an access list allows, compared as rs/cors and networks/rpc compare them. */
import type { Listener } from './settings.js';

/** http matches origins against patterns; Host names, and origins of ws, must be equal. */
export type AccessList = 'cors' | 'ws' | 'vhosts';

/** `everyone`: the entry allows any page; `nobody`: the entry matches nothing. */
export interface Admits {
  readonly who: 'everyone' | 'named' | 'nobody';
  /** Completes "because": a clause. Empty for `named`. */
  readonly because: string;
}

/** The list of origins that an interface checks. */
export function originsOf({ kind }: Pick<Listener, 'kind'>): 'cors' | 'ws' {
  return kind === 'ws' ? 'ws' : 'cors';
}

/** True when an entry allows every web page. */
export function letsEveryoneIn(list: AccessList, entry: string): boolean {
  return admits(list, entry).who === 'everyone';
}

/** Whom an entry allows. An empty entry is not a mistake. */
export function admits(list: AccessList, entry: string): Admits {
  const text = entry.toLowerCase();
  if (text === '*') return everyone('it is every name');
  if (text === '') return named;
  if (list === 'vhosts') return hostName(entry);
  if (text === 'null') return everyone('any page sends the origin null from a sandboxed frame');
  if (!text.includes('*')) return origin(text);
  return list === 'ws'
    ? nobody('ws compares origins word for word and knows no pattern but *')
    : pattern(text);
}

/** True when an entry allows `value`, an origin or a Host name in lower case. */
export function matches(list: AccessList, entry: string, value: string): boolean {
  const text = entry.toLowerCase();
  const [prefix = '', ...rest] = text.split('*');
  if (text === '*' || text === value) return true;
  if (list !== 'cors' || rest.length === 0) return false;
  const suffix = rest.join('*');
  return value.length >= text.length - 1 && value.startsWith(prefix) && value.endsWith(suffix);
}

const named: Admits = { who: 'named', because: '' };

function everyone(because: string): Admits {
  return { who: 'everyone', because };
}

function nobody(because: string): Admits {
  return { who: 'nobody', because };
}

/** The node removes the port of a Host header and compares the rest with the list in lower case. */
function hostName(entry: string): Admits {
  if (/^[a-z]+:\/\//i.test(entry)) return nobody('a Host name has no scheme');
  if (entry.includes('*')) return nobody('Host names are compared word for word, without patterns but *');
  if (entry.includes('/')) return nobody('a Host name has no path');
  if (/^[^:]+:\d+$/.test(entry)) return nobody('the port is cut off before Host names are compared');
  if (entry !== entry.toLowerCase())
    return nobody(
      `the list is read in lower case and the request’s Host is not: write ${entry.toLowerCase()}`,
    );
  return named;
}

const schemeless = 'an origin begins with its scheme, https:// or http://';

function origin(text: string): Admits {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/.exec(text) ?? [];
  if (scheme === undefined) return nobody(schemeless);
  if (rest.includes('/')) return nobody('an origin ends with its host: no slash and no path follow');
  const port = { http: ':80', https: ':443' }[scheme];
  if (port !== undefined && rest.endsWith(port))
    return nobody('browsers leave out the port a scheme implies');
  return named;
}

/** One * matches any text, including slashes and dots. */
function pattern(text: string): Admits {
  const [prefix = '', suffix = '', ...more] = text.split('*');
  if (more.length > 0) return nobody('only the first * of an entry is a pattern');
  if (suffix.endsWith('/')) return nobody('an origin ends with its host: no slash follows');
  if (!'https'.startsWith(prefix) && !/^[a-z][a-z0-9+-]*:/.test(prefix)) return nobody(schemeless);
  const host = suffix.replace(/:\d+$/, '');
  if (suffix.startsWith('://') || (host === '' && /^[a-z][a-z0-9+.-]*:\/\/.+:$/.test(prefix))) return named;
  if (host === '') return everyone(`anybody can have a name that begins with ${prefix}`);
  if (!host.startsWith('.')) return everyone(`anybody can have a name that ends with ${host}`);
  return isOpenSuffix(host.slice(1)) ? everyone(`anybody can have a name under ${host}`) : named;
}

/** True where anybody can register names: top-level domains, common second-level domains, and hosting services. */
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
