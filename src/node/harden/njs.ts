/** The script of the nginx proxy: parses each body, holds every call against the lists, writes anew what goes on. */
import { comment, file } from './comment.js';
import type { Plan } from './plan.js';
import { assumptions } from './preamble.js';

/** Where the nginx snippet looks for the script. */
export const scriptPath = '/etc/nginx/kaia-rpc.js';

export function njs(plan: Plan): string {
  const { source, http, nodeKind } = plan;
  if (http === null) return file(comment(noHttp(plan), { mark: '//' }));
  return file(
    comment(
      [
        `The calls that may reach the node of ${source}; made by kaiactl for the nginx snippet, which imports it.`,
        'What goes on to the node is written anew from what was checked here: a second “method”, one in another case, an escaped name or a compressed body never get there.',
        'A refused call gets the answer of a node that does not have the method (HTTP 200, -32601), which every client library understands. Of a batch with a refused call nothing goes on.',
      ],
      { mark: '//' },
    ),
    [
      ...comment(['Modules whose methods pass.'], { mark: '//' }),
      `const modules = [${quoted(http.allowed)}];`,
      ...comment(['Methods that do not: they sign with an account of the node.'], { mark: '//' }),
      `const refused = [${quoted(nodeKind.modules.signingMethods)}];`,
    ],
    [filter],
  );
}

function noHttp(plan: Plan): string[] {
  return [`${plan.source} does not open http: the nginx snippet needs no script.`, ...assumptions(plan)];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

const filter = String.raw`function check(r) {
    // A preflight of a browser has no body, and no other one goes on.
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

// A number that would change on its way is refused: send it as a string.
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

// These four and nothing else; what is undefined is left out.
function request(call) {
    return { jsonrpc: '2.0', id: call.id, method: call.method, params: call.params };
}

function forward(r, text) {
    r.variables.kaia_checked = text;
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
