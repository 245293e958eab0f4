/**
 * Caddyfiles: who gets through each site to the addresses of its reverse_proxy.
 * Source: caddyserver.com/docs/caddyfile (directives and their order, matchers, bind, handle, import).
 */
import { emptyBody, filterIn, type MethodFilter } from '../../harden/filter.js';
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { type Condition, type Guard, gatesOf, negate, type Test, unknown } from '../../reach/conditions.js';
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
  type Word,
} from './directive.js';

/** Directives in the order in which Caddy runs them, wherever they are written outside of `route`. */
const order =
  `tracing map vars fs root log_append skip_log log_skip log_name header copy_response_headers request_body redir
  method rewrite uri try_files basicauth basic_auth forward_auth request_header encode push intercept templates invoke handle
  handle_path route abort error copy_response respond metrics reverse_proxy php_fastcgi file_server acme_server`.split(
    /\s+/,
  );

/** Directives that do not decide which requests get through. */
const harmless = anyOf(`${order.join(' ')} bind tls log handle_errors`);
const answering = /^(?:respond|abort|error|redir)$/;
const rewriting = /^(?:method|rewrite|uri|try_files|map|vars)$/;
/** Blocks of which one alone takes a request. Which of them is asked first depends on the release where one is for a path. */
const exclusive = /^handle(?:_path)?$/;

const token =
  /(?<end>\n)|[^\S\n]+|\\\r?\n|#[^\n]*|(?<mark>\{|(?<=^[^\S\n]*)\})(?=[^\S\n]*(?:#[^\n]*)?\n)|"(?<quoted>(?:\\[\s\S]|[^"\\])*)"|`(?<raw>[^`]*)`|<<(?<until>[A-Za-z0-9_-]+)\r?\n(?<text>[\s\S]*?)\n[ \t]*\k<until>(?=\s|$)|(?<bare>(?:\\[^\r\n]|[^\s\\]|\\(?=\s*$))+)/gmy;

/** The directives of a file; null if it is not of this syntax. A block without a name has the options of the program. */
export function parseCaddyfile(file: string): readonly Directive[] | null {
  return parseDirectives(`${file}\n`, token, ({ mark, end, quoted, raw, text, bare }, words) => {
    if (mark !== undefined) return { mark: mark === '{' ? 'open' : 'close' };
    // A list of addresses goes on behind a comma.
    if (end !== undefined) return words.at(-1)?.text.endsWith(',') === false ? { mark: 'end' } : {};
    return { word: quoted?.replace(/\\"/g, '"') ?? raw ?? text ?? bare };
  });
}

/** An address of a site. */
const siteAddress =
  /^(?:https?:\/\/)?(?:[\w*.-]+|\[[\da-f:]+\]|\{[$\w.:-]+\})?(?::(?:[\d-]+|\{[$\w.:-]+\}))?(?:\/\S*)?,?$/i;
const isTold = /[.:*{]|^localhost,?$/;

interface Level {
  readonly listens: readonly string[];
  readonly matchers: ReadonlyMap<string, Condition>;
  /** The directives around, some of which set headers. */
  readonly headers: readonly Directive[];
  /** The tests that a request has passed. */
  readonly given: Condition;
  /** What decides on a request before. */
  readonly guards: readonly Guard[];
  readonly trustsHeader: boolean;
  /** False in `route`, which keeps the order of the file. */
  readonly isSorted: boolean;
  /** How often the path was rewritten. */
  readonly era: number;
}

/** The forwards of a Caddyfile; null if it is none. */
export function caddyForwards(text: string, { included }: FilesAround): readonly GatedHop[] | null {
  const own = parseCaddyfile(text);
  if (own === null) return null;
  const [first, ...behind] = own;
  const others = imported(first?.name === '' ? behind : own, included, isBlock);
  const isSnippet = ({ name }: Directive) => /^&?\(.*\)$/.test(name);
  const snippets = new Map(others.filter(isSnippet).map((one) => [one.name.slice(1, -1), inside(one)]));
  let left = maxImported;
  const find: FilesAround['included'] = (name, ...more) => {
    left -= 1;
    return left < 0 ? null : (snippets.get(name) ?? included(name, ...more));
  };
  const options = first?.name === '' ? imported(inside(first), find) : [];
  const sites = sitesOf(others.filter((one) => !isSnippet(one)));
  if (sites.length === 0 || !sites.every(isSite)) return null;
  const trustsHeader = flat(options).some(({ name }) => name === 'trusted_proxies');
  const unread = flat(options)
    .filter(({ name }) => /^(?:order|import)$/.test(name))
    .map(doubtOf);
  return sites.flatMap((site) => {
    const block = imported(inside(site), find);
    const level = {
      listens: listensOf([site.name, ...texts(site.words)], block, options),
      matchers: new Map(),
      headers: [],
      given: [],
      guards: [...unread, ...certificates(site, block)],
      trustsHeader,
      isSorted: true,
      era: 0,
    };
    return walk(block, level).forwards;
  });
}

/** A file with a line of addresses and no braces is one site. */
function sitesOf(all: readonly Directive[]): readonly Directive[] {
  // Imported sites that are not read limit no other one.
  const [first, ...others] = all.filter(({ name }) => name !== 'import');
  if (first === undefined || first.block !== null) return first === undefined ? [] : [first, ...others];
  return [{ ...first, block: all.slice(all.indexOf(first) + 1) }];
}

function isSite({ name, words, block }: Directive): boolean {
  return block !== null && [name, ...texts(words)].every((one) => siteAddress.test(one) && isTold.test(one));
}

/** Imports in imports, and all of a file. */
const [maxImports, maxImported] = [8, 1_000];
const parsed = includable(parseCaddyfile);
const isBlock = ({ block }: Directive) => block !== null;

/** A block with the snippets and the files that it imports. What is not found stays. `isWhole`: what is left as it is. */
function imported(
  block: readonly Directive[],
  find: FilesAround['included'],
  isWhole = (_: Directive) => false,
  depth = 0,
): readonly Directive[] {
  return block.flatMap((one): readonly Directive[] => {
    if (isWhole(one)) return [one];
    if (one.block !== null) return [{ ...one, block: imported(one.block, find, isWhole, depth) }];
    const [name, ...given] = one.name === 'import' && depth < maxImports ? one.words : [];
    const found = name === undefined ? null : find(name.text, parsed, name.file);
    if (found === null) return [one];
    const words = texts(given);
    const own = found.map((each) => filled(each, words));
    return imported(own, find, isWhole, depth + 1);
  });
}

/** The words of a snippet with the arguments of its import. */
function filled(one: Directive, given: readonly string[]): Directive {
  const fill = (text: string) => text.replace(/\{args[.[](\d+)\]?\}/g, (all, at) => given[Number(at)] ?? all);
  const words = one.words.map((word) => ({ ...word, text: fill(word.text) }));
  return { ...one, words, block: one.block?.map((each) => filled(each, given)) ?? null };
}

/** The addresses that a site listens on: a host name in its address says what requests name, and binds nothing. */
function listensOf(
  addresses: readonly string[],
  block: readonly Directive[],
  options: readonly Directive[],
): string[] {
  const named = (name: string, of: readonly Directive[]) =>
    of.filter((one) => one.name === name).flatMap(({ words }) => texts(words));
  const bound = named('bind', block);
  const hosts = (bound.length > 0 ? bound : named('default_bind', options)).map((host) =>
    host.replace(/^(?:tcp[46]?|udp[46]?)\//, ''),
  );
  const ports = addresses.flatMap((address) => {
    const port = /:(\d+)(?:-\d+)?(?:\/[^/]*)?,?$/.exec(address)?.[1];
    return port ?? (address.startsWith('http://') ? ['80'] : ['443', '80']);
  });
  const isSocket = (host: string) => /^(?:unix|fd)/.test(host);
  return (hosts.length === 0 ? [''] : hosts).flatMap((host) =>
    isSocket(host)
      ? [host]
      : [...new Set(ports)].map((port) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
  );
}

/** A site that asks for certificates of clients, which a site without TLS cannot. */
function certificates(site: Directive, block: readonly Directive[]): Guard[] {
  const isPlain = [site.name, ...texts(site.words)].some((one) => /^http:|:80,?$/.test(one));
  const asks = flat(block.filter(({ name }) => name === 'tls')).some(
    (one) => one.name === 'mode' && argument(one) === 'require_and_verify',
  );
  return asks && !isPlain ? [{ does: 'login', when: [] }] : [];
}

interface Walked {
  readonly forwards: readonly GatedHop[];
  readonly guards: readonly Guard[];
}

function walk(block: readonly Directive[], above: Level): Walked {
  const forwards: GatedHop[] = [];
  const matchers = new Map(above.matchers);
  for (const one of block) if (one.name.startsWith('@')) matchers.set(one.name, matcherOf(one, above));
  let guards: readonly Guard[] = [...above.guards, ...unreadIn(block)];
  let taken: readonly Guard[] = [];
  for (const { directive, when, words, era } of inOrder(block, matchers, above)) {
    const { name, block: inner } = directive;
    if (answering.test(name)) guards = [...guards, { does: 'deny', when }];
    else if (/^basic_?auth$/.test(name)) guards = [...guards, { does: 'login', when }];
    else if (name === 'forward_auth')
      guards = [...guards, { does: 'login', when, asks: texts(words).map(destinationOf) }];
    else if (name === 'reverse_proxy')
      forwards.push(
        ...forwardsOf(upstreamsOf(words, inside(directive)), {
          ...above,
          guards,
          given: [...above.given, ...when],
          ...changesIn([...above.headers, ...block], directive),
        }),
      );
    else if (inner !== null && /^(?:handle|handle_path|route|handle_errors)$/.test(name)) {
      const isPath = when.length === 1 && when[0]?.of === 'path';
      const before = exclusive.test(name) && !isPath ? taken : [];
      const own = name === 'handle_errors' ? [unknown(name)] : before;
      const found = walk(inner, {
        ...above,
        headers: [...above.headers, ...block],
        matchers,
        given: [...above.given, ...when],
        guards: [...guards, ...own],
        era: name === 'handle_path' ? era + 1 : era,
        isSorted: name !== 'route',
      });
      forwards.push(...found.forwards);
      const passed: Guard = { does: 'deny', when };
      if (exclusive.test(name)) taken = [...taken, passed];
      if (answers(inner)) guards = [...guards, passed];
      else if (when.length === 0 && name === 'route') guards = found.guards;
    }
  }
  return { forwards, guards };
}

/** Whether it is a block that leaves no request to the directives behind it. */
function answers(block: readonly Directive[]): boolean {
  return block.some((one) => {
    if (/^[@/]/.test(argument(one))) return false;
    if (answering.test(one.name) || one.name === 'reverse_proxy') return true;
    return /^(?:handle|route)$/.test(one.name) && answers(inside(one));
  });
}

/** What may decide which requests get through, and is not understood. */
function unreadIn(block: readonly Directive[]): Guard[] {
  return block.flatMap((one) => (harmless.test(one.name) || one.name.startsWith('@') ? [] : doubtOf(one)));
}

function doubtOf(one: Directive): Guard {
  return unknown(one.name === 'import' ? `the imported ${argument(one)}` : one.name);
}

/** The directives of a block in the order in which they run, each with its matcher. */
function inOrder(block: readonly Directive[], matchers: ReadonlyMap<string, Condition>, how: Level) {
  let era = how.era + (how.isSorted && block.some(({ name }) => rewriting.test(name)) ? 1 : 0);
  const all = block.map((directive) => {
    const first = argument(directive);
    const isMatcher = /^(?:[/@]|\*$)/.test(first);
    const when = isMatcher ? inEra(conditionOf(first, matchers), era) : [];
    if (!how.isSorted && rewriting.test(directive.name)) era += 1;
    const at = order.indexOf(directive.name === 'handle_path' ? 'handle' : directive.name);
    return { directive, when, words: directive.words.slice(isMatcher ? 1 : 0), at, era };
  });
  if (!how.isSorted) return all;
  // A directive without a matcher comes last.
  return all.sort((a, b) => a.at - b.at || Number(b.when.length > 0) - Number(a.when.length > 0));
}

/** The condition of a matcher as a directive names it. */
function conditionOf(matcher: string, matchers: ReadonlyMap<string, Condition>): Condition {
  if (matcher === '*') return [];
  if (matcher.startsWith('/')) return [pathTest([matcher])];
  return matchers.get(matcher) ?? [{ of: 'unknown', values: [`the matcher ${matcher}`] }];
}

/** `@name { … }` or `@name path /x`. */
function matcherOf(one: Pick<Directive, 'words' | 'block'>, how: Level): Test[] {
  const { words, block } = one;
  const [first, ...others] = words;
  if (block !== null)
    return block.flatMap(({ name, words, block: inner }) => testsOf(name, words, inner, how));
  return first === undefined ? [] : testsOf(first.text, others, null, how);
}

function testsOf(name: string, words: readonly Word[], block: Directive['block'], how: Level): Test[] {
  const values = texts(words);
  if (name === 'not') {
    const tests = matcherOf({ words, block }, how);
    return tests.length === 1 ? tests.map(negate) : [{ of: 'unknown', values: [name] }];
  }
  if (/^(?:remote_ip|client_ip)$/.test(name)) {
    if (values.includes('forwarded') || (name === 'client_ip' && how.trustsHeader))
      return [{ of: 'unknown', values: [`${name}, from a header of the request,`] }];
    const clients = values.flatMap((one) => (one === 'private_ranges' ? privateRanges : one));
    return [{ of: 'client', values: clients }];
  }
  if (name === 'path') return [pathTest(values)];
  if (name === 'method') return [{ of: 'method', values }];
  const isChosen = name === 'header' && chosenHeader.test(values[0] ?? '');
  if (isChosen || /^(?:host|protocol|path_regexp|file)$/.test(name))
    return [{ of: 'request', values: [name, ...values] }];
  const filter = name === 'expression' ? filterIn('caddy', values.join(' ')) : null;
  return [filter === null ? { of: 'unknown', values: [name] } : { of: 'filter', values: [filter.text] }];
}

const privateRanges = ['192.168.0.0/16', '172.16.0.0/12', '10.0.0.0/8', '127.0.0.1/8', 'fd00::/8', '::1'];

/** Headers whose values are no secrets. */
const chosenHeader =
  /^!?(?:Upgrade|Connection|Content-\w+|Accept\S*|Origin|User-Agent|Host|Sec-WebSocket-\S+)$/i;

function pathTest(paths: readonly string[]): Test {
  return { of: 'path', values: paths.map((one) => one.toLowerCase()) };
}

/** Paths before and after they are rewritten are not compared. */
function inEra(condition: Condition, era: number): Condition {
  return condition.map((test) =>
    test.of === 'path' ? { ...test, values: test.values.map((path) => `${era}:${path}`) } : test,
  );
}

function upstreamsOf(words: readonly Word[], block: readonly Directive[]): readonly Word[] {
  const to = block.filter(({ name }) => name === 'to').flatMap(({ words: own }) => own);
  const dynamic = block.filter(({ name }) => name === 'dynamic').flatMap(({ words: own }) => own.slice(0, 1));
  return [...words, ...to, ...dynamic];
}

/** A filter sees neither compressed bodies nor what follows an upgrade. */
function filterOf(given: Condition): MethodFilter | null {
  const text = given.find(({ of, not }) => of === 'filter' && not !== true)?.values[0];
  const filter = text === undefined ? null : filterIn('caddy', text);
  const excludes = (header: string) =>
    given.some(
      ({ of, not, values }) => of === 'request' && not === true && values.join(' ') === `header ${header} *`,
    );
  const isWhole = excludes('Upgrade') && (text === emptyBody || excludes('Content-Encoding'));
  return isWhole ? filter : null;
}

/** The headers of a directive: in its words behind a matcher, and in its block. */
function headersOf({ words, block }: Directive): Header[] {
  const own = texts(words).filter((word) => !/^[/@*]\S/.test(word));
  const all = [own, ...(block ?? []).map((one) => [one.name, ...texts(one.words)])];
  return all.flatMap(([first, second = '']): Header[] =>
    first === undefined ? [] : [[first.replace(/^[-+?>]/, ''), first.startsWith('-') ? '' : second]],
  );
}

const ofUpstream = /^\{(?:http\.reverse_proxy\.)?upstream[._]hostport\}$/;

/** What the headers around a proxy and in its block do. */
function changesIn(around: readonly Directive[], proxy: Directive) {
  const named = (name: string, all: readonly Directive[]) =>
    all.filter((one) => one.name === name).flatMap(headersOf);
  const own = inside(proxy);
  const answers = [...named('header', flat(around)), ...named('header_down', own)];
  const requests = [...named('request_header', around), ...named('header_up', own)];
  const target = argument(proxy).replace(/^\w+:\/\//, '');
  const filled = requests.map(([name, value]): Header => [name, value.replace(ofUpstream, target)]);
  return changesOf({ answers, preflights: answers, requests: filled });
}

function forwardsOf(
  upstreams: readonly Word[],
  { listens, given, guards, changes }: Level & Pick<GatedHop, 'changes'>,
): GatedHop[] {
  const filter = filterOf(given);
  const gates = gatesOf([guards], filter === null ? given : given.filter(({ of }) => of !== 'filter'));
  return upstreams.flatMap((upstream) =>
    listens.map((one) => ({
      ...placeOfWord(upstream),
      to: destinationOf(upstream.text.replace(/\{\$\w+:([^}]*)\}/g, '$1')),
      program: 'caddy',
      listens: one,
      ...gates,
      ...(filter === null ? {} : { filter }),
      ...(changes === undefined ? {} : { changes }),
    })),
  );
}
