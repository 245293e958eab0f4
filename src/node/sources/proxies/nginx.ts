/**
 * Files of nginx: who gets through each server and location to the address of its proxy_pass.
 * Source: nginx.org/en/docs/http (core, access, auth_basic, auth_request, proxy, rewrite, ssl, upstream) and /stream.
 */

import { groupBy } from '../../../util/group-by.js';
import { filterIn, type MethodFilter } from '../../harden/filter.js';
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { type Guard, gatesOf, type Test, unknown } from '../../reach/conditions.js';
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
  selectNamed,
  texts,
} from './directive.js';

type Block = readonly Directive[];

/** The blocks around a directive, the outermost first. */
interface Place {
  readonly server: Server | null;
  readonly blocks: readonly Block[];
  /** Those of them that may answer a request before it is forwarded. */
  readonly answering: readonly Block[];
  /** The filter, or the guard, of requests that another location sends here; absent for a location of clients. */
  readonly sender?: MethodFilter | Guard | undefined;
}

/** A server with one of its addresses. */
interface Server {
  readonly listens: string;
  readonly isUdp: boolean;
  readonly directives: Block;
}

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
export function parseNginx(text: string): Block | null {
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
  const filters = filtersIn(all, around);
  return walk({ server: null, blocks: [all], answering: [all] });

  function walk(place: Place): GatedHop[] {
    return (place.blocks.at(-1) ?? []).flatMap((directive): GatedHop[] => {
      const { name, words: given, block: inner } = directive;
      if (name === 'proxy_pass' || name === 'grpc_pass') return forwards(directive, place);
      if (inner === null || name === 'upstream') return [];
      const { server, answering } = place;
      const within = { ...place, blocks: [...place.blocks, inner], answering: [...answering, inner] };
      if (name === 'server') return serversOf(inner).flatMap((one) => walk({ ...within, server: one }));
      if (name !== 'location') return walk(within);
      const path = given.at(-1)?.text ?? '';
      const isNamed = path.startsWith('@');
      const isInternal = isNamed || inner.some((one) => one.name === 'internal');
      return walk({
        ...within,
        // What answers requests of the location around it does not answer those of this one.
        answering: isNamed ? [inner] : [server?.directives ?? [], inner],
        ...(isInternal ? { sender: senderOf(path, inner, flat(server?.directives ?? []), filters) } : {}),
      });
    });
  }

  function forwards({ words: [target] }: Directive, place: Place): GatedHop[] {
    if (target === undefined) return [];
    const led = resolved(target.text, variables).flatMap((text) => {
      const changes = /^\w+:\/\//.test(text) ? changesIn(place, text, variables) : {};
      const members = upstreams.get(upstreamOf(text)) ?? [
        { ...placeOfWord(target), to: destinationOf(text) },
      ];
      return members.map((one) => ({ ...one, ...changes }));
    });
    const listens = place.server?.listens ?? null;
    const gates = gatesAt(place, upstreams);
    const { sender } = place;
    const filter = sender !== undefined && 'program' in sender ? { filter: sender } : {};
    return led.map((one) => ({ ...one, program: 'nginx', listens, ...gates, ...filter }));
  }
}

/** The directives of a name that count: those of one block replace those of the blocks around it. */
function innermost(blocks: readonly Block[], name: RegExp): Block {
  return blocks.map((block) => selectNamed(block, name)).findLast(({ length }) => length > 0) ?? [];
}

/** What the headers at a place do; a proxy sends the name in its address as Host where no line says another one. */
function changesIn({ blocks }: Place, target: string, variables: ReturnType<typeof variablesIn>) {
  const headersOf = (all: Block) =>
    all.flatMap(({ words: given }): Header[] => {
      const [first = '', second = ''] = texts(given);
      return resolved(second, variables).map((value) => [first, value]);
    });
  const within = (isPreflight: boolean) =>
    selectNamed(blocks.flat(), /^if$/)
      .filter(({ words }) => texts(words).join(' ').includes('OPTIONS') === isPreflight)
      .flatMap((one) => selectNamed(inside(one), /^add_header$/));
  return changesOf({
    answers: headersOf([...innermost(blocks, /^add_header$/), ...within(false)]),
    preflights: headersOf(within(true)),
    requests: headersOf(innermost(blocks, /^(?:proxy|grpc)_set_header$/)),
    host: target.replace(/^\w+:\/\//, '').replace(/\/.*$/s, ''),
  });
}

/** The folder of relative paths, whichever file includes another one. */
const folder = '/etc/nginx/';
const maxIncludes = 8;
const parsed = includable(parseNginx);

/** The directives with those of the files that they include, where these are among the files and understood. */
function withIncluded(block: Block, around: FilesAround, depth: number): Block {
  return block.flatMap((one): Block => {
    if (one.block !== null) return [{ ...one, block: withIncluded(one.block, around, depth) }];
    const [path] = texts(one.words);
    if (one.name !== 'include' || path === undefined || depth === maxIncludes) return [one];
    const found = around.included(path.startsWith('/') ? path : folder + path, parsed);
    return found === null ? [one] : withIncluded(found, around, depth + 1);
  });
}

/** The scripts beside the file that filter calls, by the names that it imports them under. */
function filtersIn(all: Block, { beside }: FilesAround): ReadonlyMap<string, MethodFilter> {
  const imports = selectNamed(flat(all), /^js_import$/).filter(({ words }) => words[1]?.text === 'from');
  return new Map(
    imports.flatMap(({ words: [name, , path] }) => {
      const filter = filterIn('njs', beside(path?.text ?? '') ?? '');
      return name === undefined || filter === null ? [] : [[name.text, filter]];
    }),
  );
}

type Upstream = readonly Pick<GatedHop, 'at' | 'file' | 'to' | 'upstream'>[];

/** The destinations of each upstream. */
function upstreamsIn(all: Block): ReadonlyMap<string, Upstream> {
  return new Map(
    selectNamed(flat(all), /^upstream$/).map((one) => {
      const upstream = argument(one);
      const servers = selectNamed(inside(one), /^server$/).flatMap(({ words }) => words.slice(0, 1));
      return [upstream, servers.map((to) => ({ ...placeOfWord(to), to: destinationOf(to.text), upstream }))];
    }),
  );
}

/** The values that each variable is given. */
function variablesIn(all: Block): ReadonlyMap<string, readonly string[]> {
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
function serversOf(directives: Block): Server[] {
  const listens = selectNamed(directives, /^listen$/).map(({ words }) => texts(words));
  return (listens.length === 0 ? [['80']] : listens).map(([address = '80', ...options]) => ({
    listens: address,
    isUdp: options.includes('udp'),
    directives,
  }));
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
function doubtsOf(one: Directive, block: Block): Guard[] {
  const { name } = one;
  const file = argument(one);
  if (name === 'include') return isHarmless(file, block) ? [] : [unknown(`the included file ${file}`)];
  if (name === 'satisfy') return file === 'all' ? [] : [unknown(name)];
  if (name !== 'if') return harmless.test(name) ? [] : [unknown(name)];
  if (onlySets(one) || answersOf(one).length > 0) return [];
  return [{ does: 'deny', when: [methodOf(one) ?? [], ...unknown(name).when].flat() }];
}

/** Beside servers, a pattern includes other servers. Beside http, directives hold for no client. */
function isHarmless(file: string, beside: Block): boolean {
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

/** What decides on the requests that reach an internal location; undefined where directives of nginx lead any there. */
function senderOf(
  path: string,
  block: Block,
  all: Block,
  filters: ReadonlyMap<string, MethodFilter>,
): Place['sender'] {
  const leads = selectNamed(all, /^(?:try_files|error_page|rewrite)$/).flatMap(({ words }) => texts(words));
  if (leads.some((one) => one.replace(/^=/, '').startsWith(path))) return undefined;
  const scripts = all.filter(({ name }) => !harmless.test(name));
  const [script] = scripts;
  if (script === undefined) return { does: 'deny', when: [] };
  const filter = filters.get(argument(script).split('.')[0] ?? '');
  const isOnly = scripts.every(({ name }) => name === 'js_content');
  const isChecked = selectNamed(block, /^proxy_set_body$/).some((one) => argument(one) === '$rpc_checked');
  const isFilter = filter !== undefined && isOnly && isChecked;
  return isFilter ? filter : { does: 'deny', when: [{ of: 'filter', values: [script.name], not: true }] };
}

function under(test: Test, all: readonly Guard[]): Guard[] {
  return all.map((one) => ({ ...one, when: [test, ...one.when] }));
}

/** Who gets through at a place, by calls and by handshakes of WebSockets. */
function gatesAt(
  { server, blocks, answering, sender }: Place,
  upstreams: ReadonlyMap<string, Upstream>,
): Pick<GatedHop, 'gate' | 'upgrade'> {
  if (server === null) return { gate: { unread: 'the server that includes it is not among the files' } };
  if (server.isUdp) return { gate: [[denied]] };
  const [limit] = innermost(blocks, /^limit_except$/);
  const listed: Test = { of: 'method', values: texts(limit?.words ?? []) };
  const others: Test = { ...listed, not: true };
  const limited = inside({ block: limit?.block ?? null });
  /** The guards of directives; `limit_except` replaces them for all methods but those that it names. */
  const guardsBy = (name: RegExp, guardsOf: (one: Directive) => Guard[]) => {
    const above = innermost(blocks, name).flatMap(guardsOf);
    const own = selectNamed(limited, name);
    return own.length === 0 ? above : [...under(others, own.flatMap(guardsOf)), ...under(listed, above)];
  };
  const rules = guardsBy(/^(?:allow|deny)$/, (one) => [ruleOf(one, server)]);
  if (rules.length > 0 && selectNamed(blocks.flat(), /^(?:real_ip_\w+|set_real_ip_from)$/).length > 0)
    return { gate: { unread: 'the address of a client is taken from a header of its request' } };
  const asking = guardsBy(/^auth_(?:basic|request|jwt)$/, (one) => loginBy(one, server, upstreams));
  const sure = asking.filter(
    ({ does, asks, when }) => does === 'login' && asks === undefined && when.length === 0,
  );
  const guards = sure.length === 0 ? asking : sure;
  const asksCertificate = selectNamed(blocks.flat(), /^ssl_verify_client$/).some(
    (one) => argument(one) === 'on',
  );
  const certificates: readonly Guard[] = asksCertificate ? [{ does: 'login', when: [] }] : [];
  const doubtsIn = (block: Block) => block.flatMap((one) => doubtsOf(one, block));
  const sent = sender !== undefined && 'does' in sender ? [sender] : [];
  const isFiltered = sender !== undefined && 'program' in sender;
  const doubts = isFiltered ? [] : [...blocks.flatMap(doubtsIn), ...under(others, doubtsIn(limited))];
  const answers = answering.flat().flatMap(answersOf);
  return gatesOf([sent, doubts, answers, rules, ...guards.map((one) => [one]), certificates], []);
}

/** A rule for addresses. An address without brackets is bound for IPv4 alone. */
function ruleOf(one: Directive, { listens }: Server): Guard {
  const who = argument(one);
  const isEveryone = who === 'all' || (who === '0.0.0.0/0' && /^[\d.:*]+$/.test(listens));
  return {
    does: one.name === 'allow' ? 'admit' : 'deny',
    when: isEveryone ? [] : [{ of: 'client', values: [who] }],
  };
}

/** What asks for a login; none where it admits everyone, and a doubt where its words do not decide that. */
function loginBy(directive: Directive, server: Server, upstreams: ReadonlyMap<string, Upstream>): Guard[] {
  const text = argument(directive);
  const asked: Guard = { does: 'login', when: [] };
  if (text === 'off') return [];
  if (text.includes('$')) return [unknown(`${directive.name} ${text}`)];
  if (directive.name !== 'auth_request') return [asked];
  const inner = inside(locationAt(text, flat(server.directives)) ?? { block: null });
  const [returned] = inner.filter(isReturn);
  if (returned !== undefined) return /^2\d\d$/.test(argument(returned)) ? [] : [asked];
  const [target = '$'] = selectNamed(inner, /^proxy_pass$/).map(argument);
  if (target.includes('$')) return [unknown(`what answers ${text}`)];
  const asks = upstreams.get(upstreamOf(target))?.map(({ to }) => to) ?? [destinationOf(target)];
  return [{ ...asked, asks }];
}

/** The location that a path is for: the exact one, else that with the longest beginning of it. */
function locationAt(path: string, all: Block): Directive | undefined {
  const isExact = (one: Directive) => argument(one) === '=';
  const pathOf = ({ words }: Directive) => words.at(-1)?.text ?? '';
  const rank = (one: Directive) => (isExact(one) ? Number.POSITIVE_INFINITY : pathOf(one).length);
  return all
    .filter((one) => one.name === 'location' && !argument(one).startsWith('~'))
    .filter((one) => (isExact(one) ? pathOf(one) === path : path.startsWith(pathOf(one))))
    .sort((a, b) => rank(b) - rank(a))[0];
}
