/** Masks what may be a key in a URL: userinfo, segments of the path by their shape, query and fragment. */
import { tryOr } from './try-or.js';

/** Segments that are no secret wherever they stand. */
const common =
  /^(?:…?|metrics|debug|pprof|cmdline|healthz?|rpc|wss?|https?|api|eth|ext|bc|json-?rpc|mainnet|testnet|v\d{1,3})$/i;
/** Words that people write: `node`, `kaia-en`, `en-01`. */
const ordinary = /^(?=.{1,24}$)[a-z]{1,12}(?:[-_.][a-z]{1,12})*(?:[-_.]?\d{1,3})?$/;
/** A segment whose next ones are keys. */
const beforeKey = /^(?:v\d{1,3}|.*(?:key|token|secret|auth|pass).*)$/i;

/** `/v2/KEY` → `/v2/…`, `/rpc;token=KEY` → `/…`. */
export function maskPath(path: string): string {
  let isAfter = false;
  return path
    .split('/')
    .map((segment) => {
      const isShown = common.test(segment) || (!isAfter && ordinary.test(segment));
      isAfter ||= beforeKey.test(segment);
      return isShown ? segment : '…';
    })
    .join('/');
}

/** The parts of a URL that `maskPath` and reports do not show, in each form that a server may repeat in an answer. */
export function secretsOf({ pathname, search, username, password }: URL): string[] {
  const segments = pathname.split('/').filter((one) => maskPath(`/v1/${one}`) !== `/v1/${one}`);
  const hidden = maskPath(pathname) === pathname ? [] : segments;
  const user = username + password === '' ? [] : [`${username}:${password}`, username, password];
  return formsOf([...hidden, ...new URLSearchParams(search).values(), ...user]);
}

/** The words of headers that a user gave, in each form that a server may repeat. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  const own = Object.keys(headers).filter((name) => !/^(?:accept|content|host|origin|user-agent)/.test(name));
  const words = own.flatMap((name) => headers[name]?.split(/[\s,;]+/) ?? []);
  return formsOf([...words, ...words.map((one) => Buffer.from(one, 'base64').toString('utf8'))]);
}

/** As written, decoded, in base64 and in JSON, the longest first; short ones occur by chance. */
function formsOf(secrets: readonly string[]): string[] {
  const bare = secrets.flatMap((one) => [one, decodeEscapes(one)]);
  const all = [...bare, ...bare.map((one) => Buffer.from(one, 'utf8').toString('base64'))];
  const forms = all.flatMap((one) => [one, one.replace(/=+$/, ''), JSON.stringify(one).slice(1, -1)]);
  return [...new Set(forms)].filter(({ length }) => length >= 8).sort((a, b) => b.length - a.length);
}

/** Without percent signs that start an escape; another is literal. */
export function decodeEscapes(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => tryOr(() => decodeURIComponent(escapes), escapes));
}

/** An answer of a server that repeats what it was asked: its keys are masked. */
export function withoutKeys(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/** Userinfo up to the last @, whatever it holds, unless a host and a path come first; the colon of the scheme may lack. */
const userinfo =
  /(?<![a-z0-9+.-])(?!(?:kni|enode|file|unix|ipc):)([a-z][a-z0-9+.-]{0,20}:\/\/|(?:https?|wss?)(?:[:;]\/?|\/{1,2})(?!\/))(?!(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?][^\s#]*)?(?:[\s"'`<>\\,]|$))[^\s"'`<>\\]*@/gi;
const url =
  /(?<![a-z0-9+.-])(?!(?:kni|enode|file|unix|ipc):)([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'`<>\\]*)([^\s?#"'`<>\\]*)(\??[^\s#"'`<>\\]*)(#?[^\s"'`<>\\]*)/gi;

/** A text with every URL masked; what is masked already stays. */
export function maskUrls(text: string): string {
  if (!text.includes('@') && !text.includes('://')) return text;
  return text
    .replace(userinfo, '$1…@')
    .replace(url, (_, scheme: string, authority: string, path: string, ...[query, fragment]: string[]) => {
      const host = authority.includes('@') ? `…${authority.slice(authority.lastIndexOf('@'))}` : authority;
      const end = (query ?? '') + (fragment ?? '') === '' ? (/[.,;:!)\]}]+$/.exec(path)?.[0] ?? '') : '';
      const shown = maskPath(path.slice(0, path.length - end.length)) + end;
      return `${scheme}${host}${shown}${masked(query)}${masked(fragment)}`;
    });
}

/** Where a redirect leads: a URL or a path, without userinfo, query and fragment. */
export function maskLocation(text: string): string {
  const bare = text.replace(/[?#].*$/s, '');
  return bare.includes('://') ? maskUrls(bare).replace('//…@', '//') : maskPath(bare);
}

/** `?key=value` → `?…`. */
function masked(part = ''): string {
  return part.length > 1 ? `${part[0]}…` : part;
}
