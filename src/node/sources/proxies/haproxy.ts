/**
 * Files of HAProxy: who gets through each frontend to the servers of its backends.
 * Source: docs.haproxy.org/2.6/configuration.html (2.2 quoting, 4.2 keywords, 7 ACLs and fetching samples).
 */
import { groupBy } from '../../../util/group-by.js';
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { type Condition, type Guard, gatesOf, noneOf, type Test, unknown } from '../../reach/conditions.js';
import type { GatedHop } from '../../reach/hop.js';
import { argument, type Directive, inside, parseDirectives, selectNamed, texts } from './directive.js';

const section =
  /^(?:global|defaults|frontend|backend|listen|peers|resolvers|userlist|mailers|cache|program|http-errors|ring|fcgi-app|log-forward|crt-store|traces|log-profile|acme)$/;

const token = /#[^\n]*|(?<word>(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\\[\s\S]|[^\s"'\\#])+)|(?<end>\n)|[^\S\n]+/gy;

/** The sections of a file, each with its lines; null if it is not of this syntax. */
function parseHaproxy(text: string): readonly Directive[] | null {
  const sections: (Directive & { readonly block: Directive[] })[] = [];
  const lines = parseDirectives(`${text}\n`, token, ({ word, end }, { length }) =>
    end !== undefined && length > 0 ? { mark: 'end' } : { word: word?.replace(/\\(.)|["']/gs, '$1') },
  );
  for (const line of lines ?? []) {
    if (section.test(line.name)) sections.push({ ...line, block: [] });
    else if (sections.length === 0) return null;
    else sections.at(-1)?.block.push(line);
  }
  return lines === null ? null : sections;
}

/** What is known of a frontend or backend. */
interface Proxy {
  readonly lines: readonly Directive[];
  readonly isHttp: boolean;
  /** Why the address of a client may be another program's word; absent if it is that of the connection. */
  readonly doubt?: string | undefined;
  readonly isRewritten: boolean;
  /** The conditions of each list, of which one holds. */
  readonly acls: ReadonlyMap<string, readonly Condition[]>;
}

/** The forwards of a file of HAProxy; null if it is none. */
export function haproxyForwards(text: string): readonly GatedHop[] | null {
  const sections = parseHaproxy(text);
  if (sections === null || !sections.some(({ name }) => /^(?:frontend|listen|backend)$/.test(name)))
    return null;
  const all = flatDefaults(sections);
  const backends = groupBy(selectNamed(all, /^(?:backend|listen)$/), argument);
  return selectNamed(all, /^(?:frontend|listen)$/).flatMap((front) => {
    const own = front.name === 'listen' ? [{ to: front, guards: [], given: [] }] : [];
    const uses = usesOf(front).flatMap(({ name, ...use }) =>
      (name === null ? [...backends.values()].flat() : (backends.get(name) ?? [])).map((to) => ({
        ...use,
        to,
      })),
    );
    const known = { guards: guardsOf(front), headers: headersIn(front) };
    return [...uses, ...own].flatMap((use) => forwardsOf(front, known, use));
  });
}

/** The sections with the lines of the defaults before them, or of those that they name. */
function flatDefaults(sections: readonly Directive[]): Directive[] {
  let last: readonly Directive[] = [];
  const byName = new Map<string, readonly Directive[]>();
  return sections.flatMap((one) => {
    const at = texts(one.words).indexOf('from');
    const named = at < 0 ? undefined : byName.get(one.words[at + 1]?.text ?? '');
    if (one.name !== 'defaults') return [{ ...one, block: [...(named ?? last), ...inside(one)] }];
    last = [...(named ?? []), ...inside(one)];
    byName.set(argument(one), last);
    return [];
  });
}

interface Use {
  readonly to: Directive;
  readonly guards: readonly Guard[];
  readonly given: Condition;
}

const maxUses = 500;
const tooMany = `one of more than ${maxUses} use_backend`;

/** The backends that a frontend chooses from, each with the condition for it; a name that is null is any of them. */
function usesOf(front: Directive) {
  const proxy = proxyOf(front);
  const uses: { name: string | null; guards: readonly Guard[]; given: Condition }[] = [];
  let guards: readonly Guard[] = [];
  for (const { words } of selectNamed(proxy.lines, /^use_backend$/)) {
    if (uses.length >= maxUses) return [...uses, { name: null, guards: [unknown(tooMany)], given: [] }];
    const [backend = '', ...rest] = texts(words);
    const conditions = conditionOf(rest, proxy);
    const name = backend.includes('%[') ? null : backend;
    const doubts = name === null ? [unknown('use_backend')] : [];
    for (const given of conditions) uses.push({ name, guards: [...guards, ...doubts], given });
    guards = [...guards, ...conditions.map((when): Guard => ({ does: 'deny', when }))];
  }
  const last = proxy.lines.findLast(({ name }) => name === 'default_backend')?.words[0]?.text;
  return last === undefined ? uses : [...uses, { name: last, guards, given: [] }];
}

interface Known {
  readonly guards: readonly (readonly Guard[])[];
  readonly headers: readonly Directive[];
}

function forwardsOf(front: Directive, known: Known, { to, guards, given }: Use): GatedHop[] {
  const servers = selectNamed(inside(to), /^server(?:-template)?$/);
  const changes = changesIn(to === front ? known.headers : [...known.headers, ...headersIn(to)]);
  const behind = to === front ? [] : guardsOf(to);
  return servers.flatMap(({ name, words }) => {
    const address = words[name === 'server' ? 1 : 2];
    if (address === undefined) return [];
    const at = { start: address.start, end: address.end };
    const server = destinationOf(bracketed(address.text));
    return bindsOf(front).map(({ listens, isTls, asksCertificate }) => {
      const holds = [...given, { ...request('ssl_fc'), not: !isTls }];
      const lists = [...known.guards, guards, ...behind];
      if (asksCertificate) lists.push([{ does: 'login', when: [] }]);
      const gates = gatesOf(lists, holds);
      return { at, to: server, program: 'haproxy', listens, ...changes, ...gates };
    });
  });
}

/** The lines of a section that may change headers. */
function headersIn(section: Directive): Directive[] {
  const lines = inside(section);
  return isHttp(lines) ? lines.filter(({ name }) => name.startsWith('http-')) : [];
}

function isHttp(lines: readonly Directive[]): boolean {
  return lines.findLast(({ name }) => name === 'mode')?.words[0]?.text === 'http';
}

/** What the lines for headers do in a frontend and its backend. */
function changesIn(lines: readonly Directive[]) {
  // Under a condition, a literal text may arrive, and what a client chose need not.
  const set = (kind: RegExp, isSure: (value: string) => boolean) =>
    lines.flatMap(({ name, words }): Header[] => {
      const [action = '', header = '', value = '', ...rest] = texts(words);
      const isConditional = rest.some((one) => one === 'if' || one === 'unless');
      if (!kind.test(name) || (isConditional && !isSure(value))) return [];
      if (/^(?:set|add|replace)-header$/.test(action)) return [[header, value]];
      return action === 'del-header' ? [[header, '']] : [];
    });
  const returned = lines.flatMap(({ name, words }): Header[] => {
    const all = texts(words);
    if (name !== 'http-request' || all[0] !== 'return') return [];
    return all.flatMap((one, at): Header[] =>
      one === 'hdr' ? [[all[at + 1] ?? '', all[at + 2] ?? '']] : [],
    );
  });
  const answers = set(/^http-(?:after-)?response$/, (value) => !value.includes('%['));
  return changesOf({ answers, preflights: returned, requests: set(/^http-request$/, () => false) });
}

/** An address of IPv6 with brackets, which HAProxy needs none of: the port is behind the last colon. */
function bracketed(address: string): string {
  return address.replace(/^([\da-f]*:[\da-f:.]*):(\d+)$/i, '[$1]:$2');
}

function bindsOf(front: Directive) {
  const lines = selectNamed(inside(front), /^bind$/).map(({ words }) => texts(words));
  const old = texts(front.words)
    .slice(1, 2)
    .filter((one) => /[:/]/.test(one));
  return [...lines, ...old.map((one) => [one])].flatMap(([addresses = '', ...options]) =>
    addresses.split(',').map((listens) => ({
      listens: listens.replace(/^(?:ipv[46]|tcp[46]?|quic[46])@/, ''),
      isTls: options.includes('ssl'),
      asksCertificate: options.includes('ssl') && options[options.indexOf('verify') + 1] === 'required',
    })),
  );
}

const denying = /^(?:deny|reject|tarpit|silent-drop|return|redirect|use-service)$/;
const passing = /^(?:allow|accept)$/;
const rewriting = /^(?:set|replace)-(?:path|pathq|uri)$|^normalize-uri$/;

function proxyOf(section: Directive): Proxy {
  const lines = inside(section);
  const acls = groupBy(selectNamed(lines, /^acl$/), argument);
  const isRewritten = lines.some((one) => one.name === 'http-request' && rewriting.test(argument(one)));
  const own = { lines, isHttp: isHttp(lines), doubt: doubtOf(lines), isRewritten };
  const testsOf = (all: readonly Directive[]) =>
    joinClients(all.map(({ words }) => testOf(texts(words).slice(1), own)));
  return { ...own, acls: new Map([...acls].map(([name, all]) => [name, testsOf(all)])) };
}

/** The conditions of which one holds, with those that name addresses alone as one. */
function joinClients(all: readonly Condition[]): readonly Condition[] {
  const isClients = (tests: Condition) => tests.length === 1 && tests[0]?.of === 'client';
  const values = all.filter(isClients).flatMap(([test]) => test?.values ?? []);
  return values.length === 0
    ? all
    : [[{ of: 'client', values }], ...all.filter((tests) => !isClients(tests))];
}

/** The lists of rules of a section, of which each decides for itself. */
function guardsOf(of: Directive): Guard[][] {
  const proxy = proxyOf(of);
  const names = ['connection', 'session', 'content'];
  const own = (name: string, first?: string) =>
    proxy.lines.filter((line) => line.name === name && (first === undefined || argument(line) === first));
  const tcp = names.map((first) => own('tcp-request', first).map(({ words }) => texts(words).slice(1)));
  const old = own('redirect').map(({ words }) => ['redirect', ...texts(words)]);
  const http = own('http-request').map(({ words }) => texts(words));
  const unread = proxy.lines.some(({ name }) =>
    /^req(?:deny|ideny|tarpit|itarpit|allow|iallow|pass|ipass)$|^block$/.test(name),
  );
  const lists = [...tcp, ...(proxy.isHttp ? [http, old] : [])];
  return [
    ...lists.map((list) => list.flatMap((words) => guardOf(words, proxy))),
    unread ? [unknown('a directive of an old release')] : [],
  ];
}

function guardOf([action = '', ...words]: readonly string[], proxy: Proxy): Guard[] {
  const does = denying.test(action)
    ? 'deny'
    : passing.test(action)
      ? 'admit'
      : action === 'auth'
        ? 'login'
        : null;
  if (action.startsWith('lua.')) return [unknown(action)];
  if (does === null) return [];
  const at = words.findIndex((one) => one === 'if' || one === 'unless');
  const conditions = at < 0 ? [[]] : conditionOf(words.slice(at), proxy);
  // Who logs in meets the condition under which no login is asked for.
  const isOf = ({ of }: Test) => does !== 'login' || of !== 'login';
  return conditions.map((when) => ({ does, when: when.filter(isOf) }));
}

/** The conditions behind `if` or `unless`, of which one holds. */
function conditionOf([keyword, ...words]: readonly string[], proxy: Proxy): readonly Condition[] {
  const found: Condition[] = [];
  let one: readonly Condition[] = [[]];
  for (let at = 0; at < words.length; at += 1) {
    const written = words[at] ?? '';
    if (written === 'or' || written === '||') {
      found.push(...one);
      one = [[]];
      continue;
    }
    const isNot = written.startsWith('!');
    const name = written.slice(isNot ? 1 : 0) || (words[++at] ?? '');
    const end = name === '{' ? words.indexOf('}', at) : at;
    const term =
      name === '{'
        ? [testOf(words.slice(at + 1, end < 0 ? undefined : end), proxy)]
        : conditionsNamed(name, proxy);
    if (end < 0) return [unknownTest('a condition')];
    at = end;
    const alternatives = isNot ? noneOf(term) : term;
    one = one.flatMap((so) => (alternatives ?? [unknownTest(name)]).map((more) => [...so, ...more]));
    if (one.length + found.length > 64) return [unknownTest('a condition')];
  }
  const all = [...found, ...one];
  return keyword === 'unless' ? (noneOf(all) ?? [unknownTest('a condition')]) : all;
}

function unknownTest(name: string): Condition {
  return unknown(name).when;
}

function conditionsNamed(name: string, { acls }: Proxy): readonly Condition[] {
  const own = acls.get(name);
  if (own !== undefined) return own;
  if (name === 'LOCALHOST') return [[{ of: 'client', values: ['127.0.0.1/8', '::1'] }]];
  if (name === 'TRUE') return [[]];
  if (name.startsWith('METH_')) {
    const method = name.slice('METH_'.length);
    return [[{ of: 'method', values: method === 'GET' ? ['GET', 'HEAD'] : [method] }]];
  }
  return [/^(?:HTTP|WAIT_END|FALSE|REQ_CONTENT)/.test(name) ? [request(name)] : unknownTest(name)];
}

function request(...values: readonly string[]): Test {
  return { of: 'request', values };
}

/** Properties of a request that its sender chooses, and rates. */
const chosen =
  /^(?:path\w*|url\w*|base\w*|query|ssl_fc\w*|dst_port|wait_end|always_true|nbsrv|(?:req[._])?(?:ssl_sni|ssl_hello_type|len|proto_http)|sc\d?_\w+|src_(?:http|conn|sess|get|clr|inc|kbytes|bytes|updt)\w*|(?:req\.)?f?hdr(?:_\w+)?\((?:host|upgrade|connection|content-\w+|origin|user-agent|accept|sec-websocket-\w+)(?:,-?\d+)?\))(?:\([^)]*\))?$/i;

function testOf(
  [fetch = '', ...rest]: readonly string[],
  { doubt, isRewritten }: Pick<Proxy, 'doubt' | 'isRewritten'>,
): Condition {
  const from = rest.findIndex((one) => !/^-/.test(one));
  const flags = rest.slice(0, from < 0 ? rest.length : from);
  const values = rest.slice(flags.length);
  if (fetch === 'src') {
    if (doubt !== undefined) return unknownTest(doubt);
    if (flags.includes('-f')) return unknownTest(`the file ${values[0] ?? ''}`);
    return [{ of: 'client', values: values.filter((one) => one !== 'ip') }];
  }
  if (/^http_auth(?:_group)?\(/.test(fetch)) return [{ of: 'login', values: [fetch] }];
  const isPath = /^path(?:_beg)?$/.test(fetch) && flags.length === 0 && !isRewritten;
  if (isPath) return [{ of: 'path', values: values.map((one) => (fetch === 'path' ? one : `${one}*`)) }];
  if (fetch === 'method') return [{ of: 'method', values }];
  return chosen.test(fetch) ? [request(fetch, ...rest)] : unknownTest(fetch);
}

/** Why the address of a client may be another program's word. */
function doubtOf(lines: readonly Directive[]): string | undefined {
  const isForeign = lines.some(({ name, words }) => {
    const all = texts(words);
    return (
      (name === 'bind' && all.includes('accept-proxy')) ||
      (/^(?:http|tcp)-request$/.test(name) && all.some((one) => /^(?:set-src|expect-proxy)$/.test(one)))
    );
  });
  return isForeign ? 'the address that another program gives' : undefined;
}
