/**
 * Files of nginx: who gets through each server and location to the address of its proxy_pass.
 * Source: nginx.org/en/docs/http (core, access, auth_basic, auth_request, proxy, rewrite, ssl, upstream) and /stream.
 */

import { groupBy } from '../../../util/group-by.js';
import { filterIn, type MethodFilter } from '../../harden/filter.js';
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { type Condition, type Guard, gatesOf, type Test, unknown } from '../../reach/conditions.js';
import { denied } from '../../reach/gate.js';
import type { GatedHop } from '../../reach/hop.js';
import {
  anyOf,
  argument,
  type Directive,
  type FilesAround,
  flat,
  includable,
  inside,
  parseDirectives,
  placeOfWord,
  texts,
} from './directive.js';

/** What counts for requests at one level, where the level below does not replace it. */
interface Level {
  readonly server: Server | null;
  /** Lists of addresses. */
  readonly rules: readonly Guard[];
  /** What asks for a login, and of which requests. */
  readonly logins: readonly Login[];
  readonly certificate: boolean;
  /** Whether the address of a client is taken from what it sends. */
  readonly trustsHeader: boolean;
  /** The headers of its answers and of its requests, each list replaced by that of the level below. */
  readonly added: readonly Directive[];
  readonly requests: readonly Directive[];
  /** The blocks of conditions on the method. */
  readonly conditions: readonly Directive[];
  /** What answers requests before they are forwarded. */
  readonly answers: readonly Guard[];
  /** What is not understood. */
  readonly doubts: readonly Guard[];
  /** The scripts that filter calls, by the names that they are imported under, and the one that requests come from. */
  readonly filters: ReadonlyMap<string, MethodFilter>;
  readonly filter?: MethodFilter;
}

interface Login {
  readonly directive: Directive;
  readonly when: Condition;
}

/** A server with one of its addresses. */
interface Server {
  readonly listens: string;
  readonly isUdp: boolean;
  readonly directives: readonly Directive[];
}

const outside: Level = {
  server: null,
  rules: [],
  logins: [],
  added: [],
  requests: [],
  conditions: [],
  certificate: false,
  trustsHeader: false,
  answers: [],
  doubts: [],
  filters: new Map(),
};

/** Directives that do not decide who gets through. */
const harmless = anyOf(`
  http stream server location upstream types map geo split_clients events listen server_name set root alias index expires etag
  proxy_* grpc_* uwsgi_* fastcgi_* scgi_* memcached_* add_header add_trailer access_log error_log log_* client_* ssl ssl_*
  http2* http3* quic_* keepalive* gzip* brotli* zstd* sendfile* tcp_* autoindex* charset* default_type limit_req* limit_conn*
  limit_rate* resolver* send_* if_modified_since server_tokens error_page try_files large_client_header_buffers merge_slashes
  underscores_in_headers ignore_invalid_headers chunked_transfer_encoding recursive_error_pages open_file_* output_buffers
  postpone_output port_in_redirect absolute_redirect server_name_in_redirect reset_timedout_connection lingering_* max_ranges
  aio directio* variables_hash* server_names_hash* types_hash* map_hash* user pid worker_* daemon env load_module pcre_jit
  thread_pool multi_accept use stub_status mirror* sub_filter* lua_* init_by_* init_worker_by_* geoip* otel_* vhost_traffic_status* status_zone preread_* js_import js_path js_var js_set internal
  rewrite break rewrite_log allow deny satisfy auth_* limit_except return real_ip_* set_real_ip_from include if`);

const token =
  /\s+|#[^\n]*|(?<mark>[;{}])|(?<quoted>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')|(?<bare>(?:\\[\s\S]|\$\{\w+\}|[^\s;{}"'\\])(?:\\[\s\S]|\$\{\w+\}|[^\s;{}\\])*)/gy;
const marks = { ';': 'end', '{': 'open', '}': 'close' } as const;

/** The directives of a file; null if it is not of this syntax, or has a block in another language. */
export function parseNginx(text: string): readonly Directive[] | null {
  return parseDirectives(text, token, ({ mark, quoted, bare }, [first]) => {
    if (mark === undefined) return { word: quoted?.slice(1, -1) ?? bare };
    const isUnread = mark !== '}' && (first === undefined || first.text.endsWith('_by_lua_block'));
    return { mark: isUnread ? 'fail' : marks[mark as keyof typeof marks] };
  });
}

/** Included files that say nothing about clients. */
const harmlessFile =
  /(?:mime\.types|(?:proxy|fastcgi|uwsgi|scgi)_params|modules-enabled\/\S*|\/?[\w.-]*(?:ssl|tls|letsencrypt|dhparam|gzip)[\w.-]*)$/i;

/** The forwards of a file of nginx; null if it is none. */
export function nginxForwards(text: string, around: FilesAround): readonly GatedHop[] | null {
  const own = parseNginx(text);
  if (own === null || !own.every(({ name }) => harmless.test(name))) return null;
  const all = withIncluded(own, around, 0);
  const upstreams = upstreamsIn(all);
  const variables = variablesIn(all);
  return walk(all, levelOf(all, { ...outside, filters: filtersIn(all, around) }));

  function walk(block: readonly Directive[], level: Level): GatedHop[] {
    return block.flatMap((directive): GatedHop[] => {
      const { name, words: given, block: inner } = directive;
      if (name === 'proxy_pass' || name === 'grpc_pass') return forwards(directive, level);
      if (inner === null || name === 'upstream') return [];
      if (name === 'location') return walk(inner, locationOf(given.at(-1)?.text ?? '', inner, level));
      if (name !== 'server') return walk(inner, levelOf(inner, level));
      return serversOf(inner).flatMap((server) => walk(inner, levelOf(inner, { ...level, server })));
    });
  }

  function forwards({ words: [target] }: Directive, level: Level): GatedHop[] {
    if (target === undefined) return [];
    const led = resolved(target.text, variables).flatMap((text) => {
      const changes = /^\w+:\/\//.test(text) ? changesIn(level, text, variables) : {};
      const members = upstreams.get(upstreamOf(text)) ?? [
        { ...placeOfWord(target), to: destinationOf(text) },
      ];
      return members.map((one) => ({ ...one, ...changes }));
    });
    const listens = level.server?.listens ?? null;
    const gates = gatesAt(level, upstreams);
    return led.map((one) => ({
      ...one,
      program: 'nginx',
      listens,
      ...gates,
      ...(level.filter === undefined ? {} : { filter: level.filter }),
    }));
  }
}

/** What the headers of a level do; a proxy sends the name in its address as Host where no line says another one. */
function changesIn(
  { added, requests, conditions }: Level,
  target: string,
  variables: ReturnType<typeof variablesIn>,
) {
  const headersOf = (all: readonly Directive[]) =>
    all.flatMap(({ words: given }): Header[] => {
      const [first = '', second = ''] = texts(given);
      return resolved(second, variables).map((value) => [first, value]);
    });
  const within = (isPreflight: boolean) =>
    conditions
      .filter(({ words }) => texts(words).join(' ').includes('OPTIONS') === isPreflight)
      .flatMap(({ block }) => (block ?? []).filter(({ name }) => name === 'add_header'));
  return changesOf({
    answers: headersOf([...added, ...within(false)]),
    preflights: headersOf(within(true)),
    requests: headersOf(requests),
    host: target.replace(/^\w+:\/\//, '').replace(/\/.*$/s, ''),
  });
}

/** The folder of relative paths, whichever file includes another one. */
const folder = '/etc/nginx/';
const maxIncludes = 8;
const parsed = includable(parseNginx);

/** The directives with those of the files that they include, where these are among the files and understood. */
function withIncluded(block: readonly Directive[], around: FilesAround, depth: number): readonly Directive[] {
  return block.flatMap((one): readonly Directive[] => {
    if (one.block !== null) return [{ ...one, block: withIncluded(one.block, around, depth) }];
    const [path] = texts(one.words);
    if (one.name !== 'include' || path === undefined || depth === maxIncludes) return [one];
    const found = around.included(path.startsWith('/') ? path : folder + path, parsed);
    return found === null ? [one] : withIncluded(found, around, depth + 1);
  });
}

/** The scripts beside the file that filter calls, by the names that it imports them under. */
function filtersIn(all: readonly Directive[], { beside }: FilesAround): Level['filters'] {
  const imports = flat(all).filter(({ name, words }) => name === 'js_import' && words[1]?.text === 'from');
  return new Map(
    imports.flatMap(({ words: [name, , path] }) => {
      const filter = filterIn('njs', beside(path?.text ?? '') ?? '');
      return name === undefined || filter === null ? [] : [[name.text, filter]];
    }),
  );
}

type Upstream = readonly Pick<GatedHop, 'at' | 'file' | 'to' | 'upstream'>[];

/** The destinations of each upstream. */
function upstreamsIn(all: readonly Directive[]): ReadonlyMap<string, Upstream> {
  const upstreams = flat(all).filter(({ name, words }) => name === 'upstream' && words.length > 0);
  return new Map(
    upstreams.map((one) => {
      const servers = inside(one).filter(({ name }) => name === 'server');
      const members = servers.flatMap(({ words: [to] }) =>
        to === undefined ? [] : [{ ...placeOfWord(to), to: destinationOf(to.text), upstream: argument(one) }],
      );
      return [argument(one), members];
    }),
  );
}

/** The values that each variable is given. */
function variablesIn(all: readonly Directive[]): ReadonlyMap<string, readonly string[]> {
  const given = flat(all).flatMap(({ name, words: own, block }) => {
    const [first, second] = texts(own);
    if (name === 'set') return first === undefined || second === undefined ? [] : [[first, second] as const];
    if (!/^(?:map|geo|split_clients)$/.test(name)) return [];
    const variable = own.at(-1)?.text ?? '';
    return (block ?? []).flatMap(({ words: value }) => value.map(({ text }) => [variable, text] as const));
  });
  const values = groupBy(given, ([variable]) => variable.slice(1));
  return new Map([...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

/** An address with each of the values of its variables, where they are known. */
function resolved(text: string, variables: ReturnType<typeof variablesIn>, depth = 0): readonly string[] {
  const [before, name] = /^(?:\w+:\/\/)?[^/$]*\$\{?(\w+)\}?/.exec(text) ?? [];
  const values = name === undefined || depth === maxDepth ? undefined : variables.get(name);
  if (before === undefined || values === undefined) return [text];
  return values.flatMap((value) =>
    resolved(before.replace(/\$.*$/, () => value) + text.slice(before.length), variables, depth + 1),
  );
}

/** Variables in variables. */
const maxDepth = 3;

/** The name of an upstream in an address: `http://node/` and `http://node$request_uri` name node. */
function upstreamOf(text: string): string {
  return text.replace(/^\w+:\/\//, '').replace(/[/$].*$/s, '');
}

/** The server once for each of its addresses. */
function serversOf(directives: readonly Directive[]): Server[] {
  const listens = directives.filter(({ name }) => name === 'listen').map(({ words }) => texts(words));
  return (listens.length === 0 ? [['80']] : listens).map(([address = '80', ...options]) => ({
    listens: address,
    isUdp: options.includes('udp'),
    directives,
  }));
}

/** A level with its own directives. Lists and logins replace those of the level above. */
function levelOf(block: readonly Directive[], above: Level): Level {
  const own = (name: RegExp) => block.filter((one) => name.test(one.name));
  const rules = own(/^(?:allow|deny)$/).map((one): Guard => {
    const who = argument(one);
    const when = who === 'all' ? [] : [{ of: 'client' as const, values: [who] }];
    return { does: one.name === 'allow' ? 'admit' : 'deny', when };
  });
  const logins = own(/^auth_(?:basic|request|jwt)$/).map((directive) => ({ directive, when: [] }));
  const [added, requests] = [own(/^add_header$/), own(/^(?:proxy|grpc)_set_header$/)];
  return {
    ...above,
    rules: rules.length === 0 ? above.rules : rules,
    logins: logins.length === 0 ? above.logins : logins,
    certificate: above.certificate || own(/^ssl_verify_client$/).some((one) => argument(one) === 'on'),
    added: added.length === 0 ? above.added : added,
    requests: requests.length === 0 ? above.requests : requests,
    conditions: [...above.conditions, ...own(/^if$/)],
    trustsHeader: above.trustsHeader || own(/^(?:real_ip_\w+|set_real_ip_from)$/).length > 0,
    answers: [...above.answers, ...block.flatMap(answersOf)],
    doubts: [...above.doubts, ...block.flatMap((one) => doubtsOf(one, block))],
  };
}

const isReturn = ({ name }: Directive) => name === 'return';

/** What a directive answers before it is forwarded: every request, or those of a method. */
function answersOf(one: Directive): Guard[] {
  if (isReturn(one)) return [{ does: 'deny', when: [] }];
  const method = methodOf(one);
  return method !== null && inside(one).some(isReturn) ? [{ does: 'deny', when: [method] }] : [];
}

/** The condition of an `if` on the method alone. */
function methodOf({ name, words }: Directive): Test | null {
  const [, operator, method = ''] =
    /^\(\$request_method (!=|=) ([A-Z]+) ?\)$/.exec(name === 'if' ? texts(words).join(' ') : '') ?? [];
  return operator === undefined ? null : { of: 'method', values: [method], not: operator === '!=' };
}

/** What a directive of a block may decide, where it is not understood. */
function doubtsOf(one: Directive, block: readonly Directive[]): Guard[] {
  const { name } = one;
  const file = argument(one);
  if (name === 'include') return isHarmless(file, block) ? [] : [unknown(`the included file ${file}`)];
  if (name === 'satisfy') return file === 'all' ? [] : [unknown(name)];
  if (name !== 'if') return harmless.test(name) ? [] : [unknown(name)];
  if (onlySets(one) || answersOf(one).length > 0) return [];
  return [{ does: 'deny', when: [methodOf(one) ?? [], ...unknown(name).when].flat() }];
}

/** Beside servers, a pattern includes other servers. Beside http, directives hold for no client. */
function isHarmless(file: string, beside: readonly Directive[]): boolean {
  const has = (names: RegExp) => beside.some(({ name }) => names.test(name));
  return (
    harmlessFile.test(file) || has(/^(?:http|stream|events)$/) || (file.includes('*') && has(/^server$/))
  );
}

/** Whether it is an `if` that changes no answer, or those to one address alone. */
function onlySets(one: Directive): boolean {
  if (/^\(\$remote_addr = [\w.:"']+\)$/.test(texts(one.words).join(' '))) return true;
  return inside(one).every(({ name }) =>
    /^(?:set|add_header|expires|access_log|limit_rate\w*|proxy_set_header)$/.test(name),
  );
}

/** What holds in a location. */
function locationOf(path: string, block: readonly Directive[], above: Level): Level {
  const isNamed = path.startsWith('@');
  // What answers requests of the location around it does not answer those of this one.
  const answers = isNamed ? [] : inside({ block: above.server?.directives ?? null }).flatMap(answersOf);
  const level = limited(levelOf(block, { ...above, answers }), block);
  if (!isNamed && !block.some(({ name }) => name === 'internal')) return level;
  const all = flat(above.server?.directives ?? []);
  const leads = all.find(
    ({ name, words: given }) =>
      /^(?:try_files|error_page|rewrite)$/.test(name) &&
      given.some(({ text }) => text.replace(/^=/, '').startsWith(path)),
  );
  if (leads !== undefined) return level;
  const script = all.find(({ name }) => !harmless.test(name));
  if (script === undefined) return { ...level, answers: [{ does: 'deny', when: [] }] };
  const filter = above.filters.get(argument(script).split('.')[0] ?? '');
  const isOnly = all.every(({ name }) => harmless.test(name) || name === 'js_content');
  const isChecked = block.some((one) => one.name === 'proxy_set_body' && argument(one) === '$rpc_checked');
  if (filter !== undefined && script.name === 'js_content' && isOnly && isChecked)
    return { ...level, filter, doubts: [] };
  return { ...level, doubts: [{ does: 'deny', when: [{ of: 'filter', values: [script.name], not: true }] }] };
}

/** The level with what `limit_except` replaces for all methods but those that it names. */
function limited(level: Level, block: readonly Directive[]): Level {
  const limit = block.find(({ name }) => name === 'limit_except');
  if (limit === undefined) return level;
  const listed: Test = { of: 'method', values: texts(limit.words) };
  const { rules, logins, doubts } = levelOf(inside(limit), outside);
  const replaced = <T extends { readonly when: Condition }>(own: readonly T[], above: readonly T[]) =>
    own.length === 0 ? above : [...under({ ...listed, not: true }, own), ...under(listed, above)];
  return {
    ...level,
    rules: replaced(rules, level.rules),
    logins: replaced(logins, level.logins),
    doubts: [...level.doubts, ...under({ ...listed, not: true }, doubts)],
  };
}

function under<T extends { readonly when: Condition }>(test: Test, all: readonly T[]): T[] {
  return all.map((one) => ({ ...one, when: [test, ...one.when] }));
}

/** Who gets through a level, by calls and by handshakes of WebSockets. */
function gatesAt(
  { server, rules, logins, certificate, trustsHeader, answers, doubts }: Level,
  upstreams: ReadonlyMap<string, Upstream>,
): Pick<GatedHop, 'gate' | 'upgrade'> {
  if (server === null) return { gate: { unread: 'the server that includes it is not among the files' } };
  if (server.isUdp) return { gate: [[denied]] };
  if (trustsHeader && rules.length > 0)
    return { gate: { unread: 'the address of a client is taken from a header of its request' } };
  // An address without brackets is bound for IPv4 alone.
  const isIpv4 = /^[\d.:*]+$/.test(server.listens);
  const isEveryone = ({ values }: Test) => isIpv4 && values[0] === '0.0.0.0/0';
  const own = rules.map((one) => ({ ...one, when: one.when.filter((test) => !isEveryone(test)) }));
  const asking = logins.flatMap((one) => loginBy(one, server, upstreams));
  const sure = asking.filter(
    ({ does, asks, when }) => does === 'login' && asks === undefined && when.length === 0,
  );
  const guards = sure.length === 0 ? asking : sure;
  const certificates: readonly Guard[] = certificate ? [{ does: 'login', when: [] }] : [];
  return gatesOf([doubts, answers, own, ...guards.map((one) => [one]), certificates], []);
}

/** What asks for a login; none where it admits everyone, and a doubt where its words do not decide that. */
function loginBy(
  { directive, when }: Login,
  server: Server,
  upstreams: ReadonlyMap<string, Upstream>,
): Guard[] {
  const text = argument(directive);
  const doubt = (what: string) => under({ of: 'unknown', values: [what] }, [{ does: 'deny' as const, when }]);
  if (text === 'off') return [];
  if (text.includes('$')) return doubt(`${directive.name} ${text}`);
  if (directive.name !== 'auth_request') return [{ does: 'login', when }];
  const inner = inside(locationAt(text, flat(server.directives)) ?? { block: null });
  const [returned] = inner.filter(isReturn);
  if (returned !== undefined) return /^2\d\d$/.test(argument(returned)) ? [] : [{ does: 'login', when }];
  const [target = '$'] = inner.filter(({ name }) => name === 'proxy_pass').map(argument);
  if (target.includes('$')) return doubt(`what answers ${text}`);
  const asks = upstreams.get(upstreamOf(target))?.map(({ to }) => to) ?? [destinationOf(target)];
  return [{ does: 'login', when, asks }];
}

/** The location that a path is for: the exact one, else that with the longest beginning of it. */
function locationAt(path: string, all: readonly Directive[]): Directive | undefined {
  const isExact = (one: Directive) => argument(one) === '=';
  const pathOf = ({ words }: Directive) => words.at(-1)?.text ?? '';
  const rank = (one: Directive) => (isExact(one) ? Number.POSITIVE_INFINITY : pathOf(one).length);
  return all
    .filter((one) => one.name === 'location' && !argument(one).startsWith('~'))
    .filter((one) => (isExact(one) ? pathOf(one) === path : path.startsWith(pathOf(one))))
    .sort((a, b) => rank(b) - rank(a))[0];
}
