/**
 * Files of Apache: who gets through each ProxyPass.
 * Source: httpd.apache.org/docs/2.4 (sections, mod_authz_core, mod_authz_host, mod_proxy, mod_ssl, core: Listen and VirtualHost).
 */
import { groupBy } from '../../../util/group-by.js';
import { destinationOf, isLoopbackAddress, portOf } from '../forwards/address.js';
import { argument, type Directive, flat, inside, maxDepth, texts, type Word } from './directive.js';
import { denied, login, type ProxyForward, type Rules } from './passage.js';

/** The directives of a file; null: it is not of this syntax. A section `<Location /x>` is a directive with a block. */
function parseApache(text: string): readonly Directive[] | null {
  const open: { name: string; words: Word[]; start: number; into: Directive[] }[] = [];
  let into: Directive[] = [];
  for (const { 0: line, index } of text.matchAll(/(?:\\\r?\n|[^\n])+/g)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const words = [
      ...line.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'|(?:[^\s"'>\\]|\\(?!\r?\n)|(?<=\S)["'])+|>(?=\S)/g),
    ].map(({ 0: word, index: at }) => ({
      text: word.replace(/^(["'])(.*)\1$/s, '$2'),
      start: index + at,
      end: index + at + word.length,
    }));
    const [first, ...rest] = words;
    if (first === undefined) return null;
    const own = { words: rest, start: first.start };
    if (first.text.startsWith('</')) {
      const block = open.pop();
      if (block === undefined || block.name !== first.text.slice(2).toLowerCase()) return null;
      block.into.push({ name: block.name, words: block.words, start: block.start, block: into });
      into = block.into;
    } else if (first.text.startsWith('<')) {
      if (open.length === maxDepth) return null;
      open.push({ ...own, name: first.text.slice(1).toLowerCase(), into });
      into = [];
    } else if (/^[A-Z]\w*$/.test(first.text))
      into.push({ ...own, name: first.text.toLowerCase(), block: null });
    else return null;
  }
  return open.length > 0 ? null : into;
}

const forwarding = /^(?:proxypass|proxypassmatch|rewriterule)$/;
/** What may decide who gets through, and is not read. */
const unread =
  /^(?:sec[a-z]+|luahook\w+|order|allow|deny|satisfy|authmerging|mellon\w*|oidc\w*|qs_\w+|if|elseif|else|ifdefine)$/;
const harmlessCondition =
  /%\{(?:HTTPS?|HTTP:(?:Upgrade|Connection)|HTTP_(?:HOST|UPGRADE)|REQUEST_(?:URI|METHOD)|SERVER_\w+)\}/i;

/** The forwards of a file of Apache; null: it is none. */
export function apacheForwards(text: string): readonly ProxyForward[] | null {
  const all = parseApache(text);
  if (all === null || !flat(all).some(({ name }) => forwarding.test(name))) return null;
  const open = transparent(all);
  const listens = open
    .filter(({ name }) => name === 'listen')
    .flatMap(({ words }) => texts(words).slice(0, 1));
  const hosts = open.filter(({ name }) => name === 'virtualhost');
  const servers = hosts.map((host) => ({
    block: [...open.filter(({ name }) => isSection(name)), ...transparent(inside(host))],
    listens: texts(host.words).flatMap((address) => boundBy(address, listens)),
  }));
  const main = {
    block: open,
    listens: listens.length === 0 ? [null] : listens,
  };
  return [main, ...servers].flatMap((server) => forwardsOf(server, balancersIn(all)));
}

/** The block with those of its IfModule sections. */
function transparent(block: readonly Directive[]): Directive[] {
  return block.flatMap((one) => (one.name === 'ifmodule' ? transparent(inside(one)) : [one]));
}

const isSection = (name: string) => /^(?:location|locationmatch|proxy|proxymatch)$/.test(name);

/** A virtual host on every address takes those of the sockets of its port. */
function boundBy(address: string, listens: readonly string[]): string[] {
  if (!/^(?:\*|_default_)(?::|$)/.test(address)) return [address];
  const own = listens.filter((one) => portOf(one) === portOf(address));
  return own.length === 0 ? [address.replace('_default_', '*')] : own;
}

function balancersIn(all: readonly Directive[]): ReadonlyMap<string, readonly Word[]> {
  const members = (balancer: Directive) =>
    inside(balancer).flatMap(({ name, words }) => (name === 'balancermember' ? words.slice(0, 1) : []));
  const balancers = flat(all).filter(({ name }) => name === 'proxy');
  return new Map(balancers.map((one) => [argument(one), members(one)]));
}

interface Server {
  readonly block: readonly Directive[];
  /** null: not in this file. */
  readonly listens: readonly (string | null)[];
}

function forwardsOf(
  { block, listens }: Server,
  balancers: ReadonlyMap<string, readonly Word[]>,
): ProxyForward[] {
  const located = block.flatMap((one) =>
    /^location/.test(one.name)
      ? inside(one).map((each) => ({ each, path: one.words.at(-1)?.text ?? '/' }))
      : [],
  );
  const all = [...block.map((each) => ({ each, path: null })), ...located];
  return all.flatMap(({ each: { name, words }, path }) => {
    if (!forwarding.test(name)) return [];
    const target = words.find(({ text }) => /^(?:https?|wss?|unix|balancer):/.test(text));
    if (target === undefined) return [];
    const from = path ?? (name === 'proxypass' && words[0] !== target ? argument({ words }) : '/');
    const to = /^balancer:\/\/[^/]+/.exec(target.text)?.[0];
    const members = to === undefined ? [target] : (balancers.get(to) ?? []);
    return gatesOf(block, from).flatMap((gate) =>
      members.flatMap(({ text, start, end }) =>
        listens.map((one) => ({
          ...{ at: { start, end }, to: destinationOf(text), program: 'apache', listens: one },
          ...{ isLoopback: one !== null && isLoopbackAddress(one), gate },
        })),
      ),
    );
  });
}

/** What decides on the requests for a path: the last section that surely takes them, or one behind it that may. */
function gatesOf(block: readonly Directive[], path: string): ProxyForward['gate'][] {
  const sections = ['proxy', 'location'].flatMap((type) => block.filter(({ name }) => name.startsWith(type)));
  const deciding = sections.filter((one) =>
    flat(inside(one)).some(({ name }) => /^(?:require|authtype)/.test(name)),
  );
  const doubt = [...block, ...sections.flatMap(inside)].map(doubtOf).find((one) => one !== null);
  if (doubt != null) return [{ unread: doubt }];
  const last = deciding.findLastIndex((one) => {
    if (one.name.endsWith('match')) return false;
    return one.name === 'proxy' ? argument(one) === '*' : isBelow(path, argument(one));
  });
  const possible = [...(last < 0 ? [[]] : []), ...deciding.slice(Math.max(0, last)).map(inside)];
  const asks = block.some(
    (one) => one.name === 'sslverifyclient' && argument(one).toLowerCase() === 'require',
  );
  return possible.map((inner) => {
    const lists = listsOf(inner, 'any');
    return 'unread' in lists || !asks ? lists : [...lists, [login]];
  });
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function doubtOf(one: Directive): string | null {
  const { name, words } = one;
  const first = argument(one);
  if (unread.test(name)) return `${name} decides which requests get through`;
  if (/^include/.test(name) && !/ssl|letsencrypt/.test(first))
    return `the file that it includes is not read (${first})`;
  if (name === 'rewritecond' && !harmlessCondition.test(first))
    return `RewriteCond ${first} decides which requests get through`;
  if (name === 'remoteipheader') return 'the address of a client is taken from a header of its request';
  return name === 'rewriterule' && /\bF\b/.test(words.at(-1)?.text ?? '')
    ? 'RewriteRule decides which requests get through'
    : null;
}

/** The lists of rules that follow from the Require directives of a block, of which one or all have to hold. */
function listsOf(
  block: readonly Directive[],
  of: 'any' | 'all',
): readonly Rules[] | { readonly unread: string } {
  const parts: (readonly Rules[] | { readonly unread: string })[] = [];
  for (const one of block) {
    const { name } = one;
    const given = texts(one.words);
    if (name === 'require') parts.push(ruleOf(given));
    else if (name === 'requireall') parts.push(listsOf(inside(one), 'all'));
    else if (name === 'requireany') parts.push(listsOf(inside(one), 'any'));
    // Calls are POST requests.
    else if (name === 'limit' ? given.includes('POST') : name === 'limitexcept' && !given.includes('POST'))
      parts.push(listsOf(inside(one), 'any'));
    else if (flat([one]).some((each) => each.name.startsWith('require')) && !/^limit/.test(name))
      parts.push({ unread: `${name} decides which requests get through` });
  }
  const doubt = parts.find((one) => 'unread' in one);
  if (doubt !== undefined) return doubt;
  const lists = parts.flatMap((one) => ('unread' in one ? [] : [one]));
  if (of === 'all') return lists.flat();
  if (lists.some((one) => one.length === 0) || lists.length === 0) return [];
  if (lists.length === 1) return lists[0] ?? [];
  if (lists.some((one) => one.length > 1))
    return { unread: 'RequireAll in RequireAny decides which requests get through' };
  const steps = groupBy(
    lists.flatMap((one) => one[0] ?? []),
    ({ does }) => does,
  );
  return [[...(steps.get('admit') ?? []), (steps.get('login') ?? [])[0] ?? denied]];
}

function ruleOf([kind = '', ...values]: readonly string[]): readonly Rules[] | { readonly unread: string } {
  if (kind === 'all') return values[0] === 'granted' ? [] : [[denied]];
  if (kind === 'ip') return [[{ does: 'admit', clients: values.map(whole) }, denied]];
  if (kind === 'local') return [[{ does: 'admit', clients: ['127.0.0.0/8', '::1'] }, denied]];
  if (/^(?:valid-user|user|group|ldap-\w+|dbm-group|claim)$/.test(kind)) return [[login]];
  // What is not admitted leaves the others.
  if (kind === 'not') return [];
  return { unread: `Require ${kind} decides which requests get through` };
}

/** `10.1` is every address that begins with it. */
function whole(address: string): string {
  const parts = /^[\d.]+$/.test(address) ? address.split('.').filter((part) => part !== '') : [];
  if (parts.length === 0 || parts.length > 3) return address;
  return `${[...parts, '0', '0', '0'].slice(0, 4).join('.')}/${parts.length * 8}`;
}
