/** The filters by method that snippets contain: written by harden, and recognised in the files of a deployment. */
import type { Kind, KindModules } from '../kinds/kind.js';

type Modules = Kind['modules'];

/** A filter by method in the file of a proxy. */
export interface MethodFilter {
  readonly program: 'njs' | 'caddy';
  /** The modules whose methods it lets through. */
  readonly modules: readonly string[];
  /** Without comments. */
  readonly text: string;
}

/** The filter in a text, where it seems to be one of these; null if it is none. */
export function filterIn(program: MethodFilter['program'], text: string): MethodFilter | null {
  const bare = program === 'njs' ? withoutComments(text) : text;
  if (program === 'caddy' && text === emptyBody) return { program, modules: [], text };
  const list = (program === 'njs' ? /^const modules = \[(.*)\];$/m : /"\(\?:([\w|]+)\)_\[/).exec(bare)?.[1];
  const modules = list?.split(/[',\s|]+/).filter((name) => name !== '');
  return modules === undefined ? null : { program, modules, text: bare };
}

/** Whether a filter is as harden writes it for this kind of node, and lets no privileged module through. */
export function isOwnFilter(
  { program, modules, text }: MethodFilter,
  { modules: known }: KindModules,
): boolean {
  if (modules.some((name) => known.isPrivileged(known.canonical(name)))) return false;
  if (program === 'caddy') return text === (modules.length === 0 ? emptyBody : caddyFilter(modules, known));
  return text === withoutComments([...njsLists(modules, known), njsCheck].join('\n'));
}

function withoutComments(script: string): string {
  return script
    .replace(/^[ \t]*\/\/.*$/gm, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

/** The expression of Caddy for requests with methods of these modules alone, which sign with no account. */
export function caddyFilter(names: readonly string[], modules: Modules): string {
  return `{http.request.body}.matches(r'${bodyPattern(names)}') && !{http.request.body}.matches(r'${signingPattern(modules)}')`;
}

export const emptyBody = '{http.request.body} == ""';

const blank = '[ \\t\\r\\n]*';

/**
 * Matches a body without backslashes in strings, in which every string `method`, in any case, is a key followed by a
 * method of these modules. The node, written in Go, matches keys in any case.
 */
function bodyPattern(modules: readonly string[]): string {
  const call = `"method"${blank}:${blank}"(?:${modules.join('|')})_[A-Za-z0-9]+"`;
  return `^(?:[^"\\\\]|"${otherThan('method')}"|${call})*$`;
}

/** Matches any text except this word in any case, without quotes and backslashes. */
function otherThan(word: string): string {
  return [...word].reduceRight((rest, letter) => {
    const either = `${letter}${letter.toUpperCase()}`;
    return `(?:|[^${either}"\\\\][^"\\\\]*|[${either}]${rest})`;
  }, '[^"\\\\]+');
}

function signingPattern({ signing, signingMethods, namesOf }: Modules): string {
  return `"(?:${signing.flatMap(namesOf).join('|')})_(?:${signingMethods.join('|')})"`;
}

/** The modules that the script forwards, and the methods that it refuses. */
export function njsLists(names: readonly string[], { signingMethods }: Modules): [string, string] {
  return [`const modules = [${quoted(names)}];`, `const refused = [${quoted(signingMethods)}];`];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

/** The rest of the script, which begins with the lists. */
export const njsCheck = String.raw`function check(r) {
    // Preflight requests of browsers have no body.
    if (r.method === 'OPTIONS') { return forward(r, ''); }
    if (r.method !== 'POST') { return r.return(405); }
    let body;
    try {
        body = JSON.parse(r.requestText, exact);
    } catch (e) {
        return answer(r, failure(null, -32700, 'parse error'));
    }
    const calls = Array.isArray(body) ? body : [body];
    if (!calls.every(isCall)) {
        return answer(r, failure(null, -32600, 'invalid request'));
    }
    const barred = calls.filter(function (call) { return !passes(call.method); });
    if (barred.length === 0) {
        const kept = calls.map(request);
        return forward(r, JSON.stringify(Array.isArray(body) ? kept : kept[0]));
    }
    const answers = calls.filter(function (call) { return call.id !== undefined; }).map(function (call) {
        return failure(call.id, -32601, 'the method ' + barred[0].method + ' does not exist/is not available');
    });
    answer(r, Array.isArray(body) ? answers : answers[0]);
}

// Rejects numbers that JavaScript cannot represent: send them as strings.
function exact(key, value) {
    if (typeof value === 'number' && Math.abs(value) > 9007199254740991) { throw new Error('inexact'); }
    return value;
}

function isCall(call) {
    return typeof call === 'object' && call !== null && !Array.isArray(call) && typeof call.method === 'string';
}

function passes(method) {
    const match = /^([a-z0-9]+)_([A-Za-z0-9]+)$/.exec(method);
    return match !== null && modules.indexOf(match[1]) >= 0 && refused.indexOf(match[2]) < 0;
}

// Only these four fields; undefined ones are left out.
function request(call) {
    return { jsonrpc: '2.0', id: call.id, method: call.method, params: call.params };
}

function forward(r, text) {
    r.variables.rpc_checked = text;
    r.internalRedirect('@kaia_node');
}

function failure(id, code, message) {
    return { jsonrpc: '2.0', id: id, error: { code: code, message: message } };
}

function answer(r, value) {
    r.headersOut['Content-Type'] = 'application/json';
    r.return(200, value === undefined ? '' : JSON.stringify(value) + '\n');
}

export default { check };`;
