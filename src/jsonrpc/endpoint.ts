/** Endpoints, and their addresses with credentials. */
import { KaiactlError } from '../errors.js';
import { decodeEscapes, maskPath, maskUrls, secretsOf } from '../util/mask-url.js';
import { visible } from '../util/visible.js';

/** An endpoint as reports show it, without credentials. */
export type Endpoint =
  | { readonly kind: 'http' | 'ws'; readonly url: string }
  | { readonly kind: 'ipc'; readonly path: string };

/** An endpoint with what a connection needs and reports must not show. */
export interface Address {
  /** Without userinfo, query, fragment, and keys in the path. */
  readonly endpoint: Endpoint;
  /** The full URL without userinfo, or the socket's path. */
  readonly raw: string;
  /** The Authorization header for the userinfo of the URL. */
  readonly authorization: string | null;
  /** Keys of the URL, which an answer may repeat. */
  readonly secrets: readonly string[];
  /** Written without a scheme, which a command says. */
  readonly isBare?: true;
}

/** `host:port` without a scheme, with userinfo and a path where there are any. */
export const hostPort = /^(?:[^\s/@]{1,200}@)?(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\]):\d{1,5}(?=\/|$)/i;
/** A host without a port, or a port without a host, which are no file either: `localhost`, an address, `8551`. */
const bareHost = /^(?:localhost|\d{2,5}|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\])$/i;
/** Neither a URL nor a path, with a password: `name:password@host`, `http//name:password@host`. */
const passwordAt = /^(?![./~])[^@]*:.*@/s;
const pipe = /^\\\\[.?]\\pipe\\/i;

/** Whether the text is a URL, `ipc:` or a named pipe; a plain path may also be a conf file or a socket. */
export function isEndpointText(text: string): boolean {
  return /^(?:https?|wss?):/i.test(text) || /^ipc:/i.test(text) || pipe.test(text);
}

/** Whether a word that names no file is meant as an address. */
export function isAddressText(text: string): boolean {
  return [/^[a-z][a-z0-9+.-]*:\/\//i, hostPort, bareHost, passwordAt].some((form) => form.test(text));
}

/**
 * Reads `http(s)://`, `ws(s)://`, `ipc:/path`, `ipc:///path`, `\\.\pipe\name` or a bare socket path; `host:port` is read as
 * `scheme`.
 * @throws {KaiactlError} on other text (exit 2), without userinfo
 */
export function parseEndpoint(text: string, scheme: 'http' | 'ws' = 'http'): Address {
  if (pipe.test(text)) return ipcAddress(text);
  if (/^ipc:/i.test(text)) return ipcAddress(text.slice(4).replace(/^\/\/(?=.)/, ''));
  if (/^(?:https?|wss?):/i.test(text)) return urlAddress(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new KaiactlError(`${text.slice(0, text.indexOf(':'))} is not a way to reach a node`, {
      hint: 'Use http://, https://, ws://, wss://, ipc:/path, or the path of a socket.',
    });
  }
  if (hostPort.test(text)) return { ...urlAddress(`${scheme}://${text}`), isBare: true };
  if (bareHost.test(text)) {
    const place = /^\d+$/.test(text) ? `127.0.0.1:${text}` : `${text}:8551`;
    throw new KaiactlError(`${text} has no scheme`, { hint: `For http write http://${place}.` });
  }
  if (passwordAt.test(text)) throw noUrl(text);
  return ipcAddress(text);
}

function ipcAddress(path: string): Address {
  if (path === '' || path.includes('\0')) {
    throw new KaiactlError('the ipc endpoint has no path', { hint: 'Write ipc:/path/to/node.ipc.' });
  }
  return { endpoint: { kind: 'ipc', path }, raw: path, authorization: null, secrets: [] };
}

function urlAddress(text: string): Address {
  const url = URL.canParse(text) && /^[a-z]+:\/\//i.test(text) ? new URL(text) : null;
  if (url === null || url.hostname === '' || url.hash.includes('@')) throw noUrl(text);
  const [authorization, secrets] = [basic(url), secretsOf(url)];
  url.username = '';
  url.password = '';
  url.hash = '';
  const query = url.search === '' ? '' : '?…';
  const kind = url.protocol.startsWith('http') ? 'http' : 'ws';
  const shown = `${url.protocol}//${url.host}${url.pathname === '/' && query === '' ? '' : maskPath(url.pathname)}${query}`;
  return { endpoint: { kind, url: shown }, raw: url.href, authorization, secrets };
}

function noUrl(text: string): KaiactlError {
  // Without a host behind it, a list or an inventory took the rest for a comment.
  const cut = /^(\w+:\/\/[^\s:/@]+:)(?!\d{1,6}(?:\/|$)).{3,}$/s;
  const bare = text.replace(/^((?:https?|wss?)?[:;]?\/*).*@/is, '$1…@').replace(cut, '$1…');
  const [slashes = ''] = /:\/*/.exec(bare) ?? [];
  const shown = maskUrls(bare.replace(slashes, '://')).replace('://', slashes);
  const escapes = bare === text ? '' : ' In a password write %23 for #, %2F for / and %3F for ?.';
  return new KaiactlError(`${visible(shown, 120)} is not a URL`, {
    hint: `Write for example http://127.0.0.1:8551 or http://[::1]:8551.${escapes}`,
  });
}

function basic(url: URL): string | null {
  if (url.username === '' && url.password === '') return null;
  const pair = decodeEscapes(`${url.username}:${url.password}`);
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

/** The endpoint as people write it: the URL, or `ipc:` and the path. */
export function endpointName(endpoint: Endpoint): string {
  return endpoint.kind === 'ipc' ? `ipc:${endpoint.path}` : endpoint.url;
}
