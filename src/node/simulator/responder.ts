/**
 * From one message to the node's answer.
 *
 * JSONRPCServer looks methods up and turns what they throw into errors. What surrounds it is the node's own,
 * where the two differ: the node takes requests without `"jsonrpc":"2.0"` and ids that are booleans; params
 * that are not an array still find out whether the method exists; batches run one after the other, are always
 * answered by an array and name an empty one as such; an answer nobody asked for is dropped.
 * Numbers in ids are echoed as JavaScript prints them (1.0 comes back as 1).
 */
import { JSONRPCServer } from 'json-rpc-2.0';
import { answerOf, type Identity } from './answers.js';
import { type Message, type MessageId, readMessages } from './message.js';
import { paramsProblem } from './parameters.js';
import type { Arity, Registry } from './registry.js';
import { RpcError } from './rpc-error.js';
import { type Caller, type Subscribing, subscribe, unsubscribe } from './subscriptions.js';

/** Called once for each message, with what the log may show. */
export type Log = (method: string, outcome: string) => void;

interface Call extends Subscribing {
  readonly node: Identity;
}

/** Answers messages for one interface. */
export class Responder {
  private readonly server: JSONRPCServer<Call>;
  private readonly registry: Registry;
  private readonly node: Identity;
  private readonly log: Log;

  constructor(registry: Registry, node: Identity, log: Log) {
    this.server = serverOf(registry);
    this.registry = registry;
    this.node = node;
    this.log = log;
  }

  /** The text to send back, or null: nothing is sent. `value` is a parsed message. */
  async respond(value: unknown, caller: Caller): Promise<string | null> {
    const { batch, messages } = readMessages(value);
    if (messages.length === 0) return encode(failure(null, -32600, 'empty batch'));
    const answers: unknown[] = [];
    for (const message of messages) {
      const answer = await this.answer(message, caller);
      if (answer !== null) answers.push(answer);
    }
    if (answers.length === 0) return null;
    return encode(batch ? answers : answers[0]);
  }

  private async answer(message: Message, caller: Caller): Promise<unknown> {
    switch (message.kind) {
      case 'response':
        return null;
      case 'invalid':
        this.log('', '-32600');
        return failure(message.id, -32600, 'invalid request');
      case 'notification':
        if (!message.method.endsWith('_subscription')) await this.call(message, 0, caller);
        return null;
      case 'call':
        return this.call(message, message.id, caller);
    }
  }

  private async call(
    message: { readonly method: string; readonly params: unknown },
    id: MessageId,
    caller: Caller,
  ): Promise<unknown> {
    const request = {
      jsonrpc: '2.0' as const,
      id: 0,
      method: this.registry.resolve(message.method),
      params: message.params as unknown[],
    };
    const answer = await this.server.receive(request, {
      node: this.node,
      caller,
      method: message.method,
    });
    if (answer === null) return failure(id, -32000, 'method handler crashed');
    this.log(message.method, answer.error === undefined ? 'ok' : String(answer.error.code));
    return answer.error === undefined
      ? { jsonrpc: '2.0', id, result: answer.result }
      : { jsonrpc: '2.0', id, error: answer.error };
  }
}

const servers = new WeakMap<Registry, JSONRPCServer<Call>>();

/** One server for each registry: what differs between nodes comes with the call. */
function serverOf(registry: Registry): JSONRPCServer<Call> {
  const known = servers.get(registry);
  if (known !== undefined) return known;
  const server = new JSONRPCServer<Call>({ errorListener: () => {} });
  for (const [name, arity] of registry.methods) {
    server.addMethod(name, (params, call) => run(registry, name, arity, params, call));
  }
  server.mapErrorToJSONRPCErrorResponse = (id, error) => ({ jsonrpc: '2.0', id, error: rpcError(error) });
  server.applyMiddleware(async (next, request, call) => {
    const { method } = call;
    if (method.endsWith('_subscribe')) return success(subscribe(registry, request.params, call));
    if (method.endsWith('_unsubscribe')) return success(unsubscribe(request.params, call));
    if (registry.methods.has(request.method)) return next(request, call);
    throw new RpcError(-32601, `the method ${method} does not exist/is not available`);
  });
  servers.set(registry, server);
  return server;
}

function run(registry: Registry, name: string, arity: Arity, params: unknown, { node }: Call): unknown {
  const problem = paramsProblem(params, arity);
  if (problem !== null) throw new RpcError(-32602, problem);
  if (name === 'rpc_modules') return registry.modules;
  const answer = answerOf(name, node);
  if (answer === undefined) throw new RpcError(-32000, `not simulated: ${name} would run on a node`);
  return answer;
}

function success(result: string | boolean): { jsonrpc: '2.0'; id: number; result: string | boolean } {
  return { jsonrpc: '2.0', id: 0, result };
}

function rpcError(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: -32000, message: 'method handler crashed' };
}

/** What the node sends when bytes are not JSON; over ws and ipc it also quotes its decoder, which nobody here reads. */
export function parseFailure(): string {
  return encode(failure(null, -32700, 'parse error'));
}

function failure(id: MessageId, code: number, message: string): unknown {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** As Go's encoder writes: a line, with the characters HTML knows escaped. */
function encode(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
