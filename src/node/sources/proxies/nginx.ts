/**
 * Files of nginx: who gets through each server and location to the address of its proxy_pass.
 * Source: nginx.org/en/docs/http (core, access, auth_basic, auth_request, proxy, rewrite, ssl, upstream) and /stream.
 */

import { groupBy } from '../../../util/group-by.js';
import { filterIn, type MethodFilter } from '../../harden/filter.js';
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import type { Method } from '../../reach/conditions.js';
import { denied, login } from '../../reach/gate.js';
import type { Gate, GatedHop, Rules, Step, Unread } from '../../reach/hop.js';
import {
  anyOf,
  type Directive,
  type FilesAround,
  flat,
  includable,
  inside,
  placeOfWord,
  texts,
} from './directive.js';
import { parseNginx } from './nginx-syntax.js';

/** What counts for requests at one level, where the level below does not replace it. */
interface Level {
  readonly server: Server | null;
  /** The method of the requests. */
  readonly method: Method;
  readonly rules: Rules;
  /** What asks for a login. */
  readonly logins: readonly Directive[];
  readonly certificate: boolean;
  /** Whether the address of a client is taken from what it sends. */
  readonly trustsHeader: boolean;
  /** The headers of its answers and of its requests, each list replaced by that of the level below. */
  readonly added: readonly Directive[];
  readonly requests: readonly Directive[];
  /** The blocks of conditions on the method. */
  readonly conditions: readonly Directive[];
  /** Whether every request is answered before it is forwarded. */
  readonly answers: boolean;
  /** The scripts that filter calls, by the names that they are imported under, and the one that requests come from. */
  readonly filters: ReadonlyMap<string, MethodFilter>;
  readonly filter?: MethodFilter;
  /** What is not understood, as a clause; null if there is nothing. */
  readonly unread: string | null;
}

/** A server with one of its addresses. */
interface Server {
  readonly listens: string;
  readonly isUdp: boolean;
  readonly directives: readonly Directive[];
}

const outside: Level = {
  server: null,
  method: 'POST',
  rules: [],
  logins: [],
  added: [],
  requests: [],
  conditions: [],
  certificate: false,
  trustsHeader: false,
  answers: false,
  filters: new Map(),
  unread: null,
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
  const level = { ...outside, filters: filtersIn(all, around) };
  const hops = walk(all, levelOf(all, level));
  if (!flat(all).some(isByMethod)) return hops;
  const upgrades = walk(all, levelOf(all, { ...level, method: 'GET' }));
  return hops.map((one, at) => ({ ...one, upgrade: upgrades[at]?.gate ?? one.gate }));

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
    const gate = gateOf(level);
    return led.map((one) => ({
      ...one,
      program: 'nginx',
      listens,
      gate,
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
  const found = new Map<string, Upstream>();
  for (const {
    name,
    words: [named],
    block,
  } of flat(all)) {
    if (name !== 'upstream' || named === undefined) continue;
    const servers = (block ?? []).filter(({ name: one }) => one === 'server');
    found.set(
      named.text,
      servers.flatMap(({ words: [to] }) =>
        to === undefined ? [] : [{ ...placeOfWord(to), to: destinationOf(to.text), upstream: named.text }],
      ),
    );
  }
  return found;
}

/** The values that each variable is given. */
function variablesIn(all: readonly Directive[]): ReadonlyMap<string, readonly string[]> {
  const given = flat(all).flatMap(({ name, words: own, block }) => {
    const [first, second] = own.map(({ text }) => text);
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
  const rules = own(/^(?:allow|deny)$/).map(({ name, words: [who] }): Step => {
    const clients = who?.text === 'all' ? null : [who?.text ?? ''];
    return { does: name === 'allow' ? 'admit' : 'deny', clients };
  });
  const logins = own(/^auth_(?:basic|request|jwt)$/);
  const certificates = own(/^ssl_verify_client$/);
  const [added, requests] = [own(/^add_header$/), own(/^(?:proxy|grpc)_set_header$/)];
  return {
    ...above,
    rules: rules.length === 0 ? above.rules : rules,
    logins: logins.length === 0 ? above.logins : logins,
    certificate: above.certificate || certificates.some(({ words: [value] }) => value?.text === 'on'),
    added: added.length === 0 ? above.added : added,
    requests: requests.length === 0 ? above.requests : requests,
    conditions: [...above.conditions, ...own(/^if$/)],
    trustsHeader: above.trustsHeader || own(/^(?:real_ip_\w+|set_real_ip_from)$/).length > 0,
    answers: above.answers || block.some((one) => answers(one, above.method)),
    unread: above.unread ?? unreadIn(block, above.method),
  };
}

const isReturn = ({ name }: Directive) => name === 'return';

/** Whether it is a directive that answers every request of a method before it is forwarded. */
function answers(one: Directive, method: Method): boolean {
  return isReturn(one) || (meets(one, method) === true && inside(one).some(isReturn));
}

/** Whether requests of a method meet the condition of an `if`; null if it does not depend on the method alone. */
function meets({ name, words }: Directive, method: Method): boolean | null {
  const [, operator, named] =
    /^\(\$request_method (!=|=) ([A-Z]+) ?\)$/.exec(name === 'if' ? texts(words).join(' ') : '') ?? [];
  return named === undefined ? null : (named === method) === (operator === '=');
}

const isByMethod = (one: Directive) => one.name === 'limit_except' || meets(one, 'GET') !== null;

/** The first directive of a block that may decide who gets through, and is not understood. */
function unreadIn(block: readonly Directive[], method: Method): string | null {
  const unknown = block.find((one) => {
    const { name, words: given } = one;
    if (name === 'include') return !isHarmless(given[0]?.text ?? '', block);
    if (name === 'satisfy') return given[0]?.text !== 'all';
    return name === 'if'
      ? !onlySets(one) && !answers(one, method) && meets(one, method) !== false
      : !harmless.test(name);
  });
  if (unknown === undefined) return null;
  const { name, words: given } = unknown;
  if (name === 'include') return `the file that it includes is not read (${given[0]?.text ?? ''})`;
  return `${name} decides which requests get through`;
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
  const limit = block.find(({ name, words: methods }) => {
    return name === 'limit_except' && !methods.some(({ text }) => text === above.method);
  });
  // What answers requests of the location around it does not answer those of this one.
  const isAnswered =
    !path.startsWith('@') && (above.server?.directives ?? []).some((one) => answers(one, above.method));
  const level = levelOf(limit?.block ?? [], levelOf(block, { ...above, answers: isAnswered }));
  if (!path.startsWith('@') && !block.some(({ name }) => name === 'internal')) return level;
  const all = flat(above.server?.directives ?? []);
  const leads = all.find(
    ({ name, words: given }) =>
      /^(?:try_files|error_page|rewrite)$/.test(name) &&
      given.some(({ text }) => text.replace(/^=/, '').startsWith(path)),
  );
  if (leads !== undefined) return level;
  const script = all.find(({ name }) => !harmless.test(name));
  if (script === undefined) return { ...level, answers: true };
  const filter = above.filters.get(script.words[0]?.text.split('.')[0] ?? '');
  const isOnly = all.every(({ name }) => harmless.test(name) || name === 'js_content');
  const isChecked = block.some(
    ({ name, words }) => name === 'proxy_set_body' && words[0]?.text === '$rpc_checked',
  );
  if (filter !== undefined && script.name === 'js_content' && isOnly && isChecked)
    return { ...level, filter };
  return { ...level, unread: `${script.name} filters requests: not judged` };
}

function gateOf(level: Level): Gate {
  const { server, rules, trustsHeader, answers, unread } = level;
  if (server === null) return { unread: 'the server that includes it is not among the files' };
  if (unread !== null) return { unread };
  if (server.isUdp || answers) return [[denied]];
  if (trustsHeader && rules.length > 0)
    return { unread: 'the address of a client is taken from a header of its request' };
  // An address without brackets is bound for IPv4 alone.
  const isIpv4 = /^[\d.:*]+$/.test(server.listens);
  const own = isIpv4 ? rules.map((one) => (isEveryIpv4(one) ? { ...one, clients: null } : one)) : rules;
  const all = level.logins
    .filter(({ words: [value] }) => value?.text !== 'off')
    .map((one) => loginBy(one, server));
  const asks = all.includes('asks');
  const doubt = asks ? undefined : all.find((one) => typeof one === 'object');
  return doubt ?? (level.certificate || asks ? [own, [login]] : [own]);
}

/** Whether a directive asks for a login, or admits everyone; unread where its words do not decide that. */
function loginBy({ name, words: [first] }: Directive, server: Server): 'asks' | 'admits' | Unread {
  const text = first?.text ?? '';
  if (text.includes('$')) return { unread: `${text} decides whether ${name} asks for a login` };
  if (name !== 'auth_request') return 'asks';
  const all = flat(server.directives);
  const asked = locationAt(text, all);
  const inner = asked?.block ?? [];
  const status = inner.find(isReturn)?.words[0]?.text;
  if (status !== undefined) return /^2\d\d$/.test(status) ? 'admits' : 'asks';
  const targetOf = (one: Directive) =>
    one.name === 'proxy_pass' ? one.words[0]?.text.replace(/(\/\/[^/]*).*$/, '$1') : undefined;
  const target = inner.map(targetOf).find((one) => one !== undefined);
  if (target === undefined || target.includes('$'))
    return { unread: `what answers ${text} decides who gets through` };
  const others = all.flatMap((one) => (inner.includes(one) ? [] : (targetOf(one) ?? [])));
  // Without another one, the location asks itself.
  return others.length === 0 || others.includes(target) ? 'admits' : 'asks';
}

/** The location that a path is for: the exact one, else that with the longest beginning of it. */
function locationAt(path: string, all: readonly Directive[]): Directive | undefined {
  const locations = all.filter(({ name, words }) => name === 'location' && !/^~/.test(words[0]?.text ?? ''));
  const pathOf = ({ words }: Directive) => words.at(-1)?.text ?? '';
  const fits = (one: Directive) =>
    one.words[0]?.text === '=' ? pathOf(one) === path : path.startsWith(pathOf(one));
  const rank = (one: Directive) =>
    one.words[0]?.text === '=' ? Number.POSITIVE_INFINITY : pathOf(one).length;
  return locations.filter(fits).sort((a, b) => rank(b) - rank(a))[0];
}

const isEveryIpv4 = ({ clients }: Step) => clients?.[0] === '0.0.0.0/0';
