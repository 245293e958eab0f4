/**
 * Answers messages as the node does.
 *
 * JSONRPCServer runs a call and converts exceptions to errors. The code around it covers the differences of the node: it
 * accepts boolean ids, and some kinds requests without `"jsonrpc":"2.0"`; it checks whether a method exists before it
 * refuses params that are not an array; it runs the calls of a batch one after the other, answers a batch with an array and an empty batch
 * with an error; it ignores responses. Numbers in ids are echoed as JavaScript prints them (1.0 becomes 1).
 */
import { JSONRPCServer } from 'json-rpc-2.0';
import { isRecord } from '../../util/json.js';
import type { Answers, NodeState } from '../kinds/answers.js';
import { checkParameters, type Registry, RpcError } from './registry.js';
import { type Caller, type Subscribing, subscribe, unsubscribe } from './subscriptions.js';

/** Called once per message. */
export type Log = (method: string, outcome: string) => void;

interface Call extends Subscribing {
  readonly node: NodeState;
}

/** Answers messages for one interface. */
export interface Responder {
  /** The answer to a parsed message; null if no answer is sent. */
  respond(value: unknown, caller: Caller): Promise<string | null>;
  /** The answer to bytes that are not JSON. Over ws and ipc the node also quotes its decoder, which is not simulated. */
  parseFailure(): string;
}

export function createResponder(registry: Registry, answers: Answers, node: NodeState, log: Log): Responder {
  const server = serverOf(registry, answers);

  /** One line; most kinds escape HTML characters, as Go's encoder does. */
  function encode(value: unknown): string {
    const text = `${JSON.stringify(value)}\n`;
    if (answers.wire.isCompact) return text;
    return text.replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }

  async function answer(message: Message, caller: Caller): Promise<unknown> {
    switch (message.type) {
      case 'response':
        return null;
      case 'invalid':
        log('', '-32600');
        return failure(message.id, -32600, 'invalid request');
      case 'notification':
        if (!message.method.endsWith('_subscription')) await call(message, 0, caller);
        return null;
      case 'call':
        return call(message, message.id, caller);
    }
  }

  async function call(
    { method, params }: { readonly method: string; readonly params: unknown },
    id: MessageId,
    caller: Caller,
  ): Promise<unknown> {
    const request = { jsonrpc: '2.0' as const, id: 0, method: registry.resolve(method), params };
    const answer = await server.receive(request, { node, caller, method });
    if (answer === null) return failure(id, -32000, 'method handler crashed');
    const { error, result } = answer;
    log(method, error === undefined ? 'ok' : String(error.code));
    return { jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) };
  }

  return {
    async respond(value, caller) {
      const { batch, messages } = readMessages(value, answers.wire.needsVersion);
      if (messages.length === 0) return encode(failure(null, -32600, 'empty batch'));
      const found: unknown[] = [];
      for (const message of messages) {
        const one = await answer(message, caller);
        if (one !== null) found.push(one);
      }
      if (found.length === 0) return null;
      return encode(batch ? found : found[0]);
    },
    parseFailure: () => encode(failure(null, -32700, 'parse error')),
  };
}

function serverOf(registry: Registry, answers: Answers): JSONRPCServer<Call> {
  const server = new JSONRPCServer<Call>({ errorListener: () => {} });
  server.mapErrorToJSONRPCErrorResponse = (id, error) => ({ jsonrpc: '2.0', id, error: rpcError(error) });
  server.applyMiddleware(async (_next, request, call) => {
    const { method } = call;
    if (method.endsWith('_subscribe'))
      return success(subscribe(registry, answers.wire, request.params, call));
    if (method.endsWith('_unsubscribe')) return success(unsubscribe(request.params, call));
    const arity = registry.methods.get(request.method);
    if (arity === undefined)
      throw new RpcError(-32601, `the method ${method} does not exist/is not available`);
    const { wire, results } = answers;
    const runsAnyway = wire.takesObjects && arity.required === 0 && !Array.isArray(request.params);
    if (!runsAnyway) checkParameters(request.params, arity, wire.ignoresParams);
    if (request.method === 'rpc_modules') return success(registry.modules);
    if (!Object.hasOwn(results, request.method))
      throw new RpcError(-32000, `not simulated: ${request.method} would run on a node`);
    return success(results[request.method]?.(call.node));
  });
  return server;
}

function success(result: unknown): { jsonrpc: '2.0'; id: number; result: unknown } {
  return { jsonrpc: '2.0', id: 0, result };
}

function rpcError(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: -32000, message: 'method handler crashed' };
}

function failure(id: MessageId, code: number, message: string): unknown {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** An id that the node echoes: any value but an object or array. */
type MessageId = string | number | boolean | null;

type Message =
  | { readonly type: 'call'; readonly id: MessageId; readonly method: string; readonly params: unknown }
  | { readonly type: 'notification'; readonly method: string; readonly params: unknown }
  /** An unsolicited response: ignored. */
  | { readonly type: 'response' }
  /** Not a request: answered with -32600 and this id. */
  | { readonly type: 'invalid'; readonly id: MessageId };

/** Never throws: a value that is not a message is `invalid`. */
function readMessages(
  value: unknown,
  needsVersion: boolean,
): { readonly batch: boolean; readonly messages: Message[] } {
  if (Array.isArray(value))
    return { batch: true, messages: value.map((one) => readMessage(one, needsVersion)) };
  return { batch: false, messages: [readMessage(value, needsVersion)] };
}

/**
 * The node ignores the case of field names, as Go does. A method that is not a string counts as missing. An id that is an
 * object or array makes the message invalid, and so does a missing `jsonrpc` where the node needs it.
 */
function readMessage(value: unknown, needsVersion: boolean): Message {
  const own = isRecord(value) ? Object.entries(value) : [];
  const fields = new Map(own.map(([name, field]) => [name.toLowerCase(), field]));
  const id = fields.get('id');
  const method = fields.get('method');
  const params = fields.get('params');
  const isCurrent = !needsVersion || fields.get('jsonrpc') === '2.0';
  const named = typeof method === 'string' && method !== '' && isCurrent;
  if (!fields.has('id')) {
    return named ? { type: 'notification', method, params } : { type: 'invalid', id: null };
  }
  if (typeof id === 'object' && id !== null) return { type: 'invalid', id: null };
  const valid = id as MessageId;
  if (named) return { type: 'call', id: valid, method, params };
  const answers = fields.has('result') || (fields.get('error') ?? null) !== null;
  return answers && isCurrent && !fields.has('params')
    ? { type: 'response' }
    : { type: 'invalid', id: valid };
}
