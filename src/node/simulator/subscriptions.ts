/** Subscribing and unsubscribing: an id is given, and no event ever comes. */
import { randomBytes } from 'node:crypto';
import { paramsProblem, subscriptionName } from './parameters.js';
import type { Registry } from './registry.js';
import { RpcError } from './rpc-error.js';

/** One client's connection, as far as answers depend on it. */
export interface Caller {
  /** False over http: there is nowhere to send events to. */
  readonly canSubscribe: boolean;
  readonly maxSubscriptions: number;
  readonly subscriptions: Set<string>;
}

/** What a method is called with; `method` as it came. */
export interface Subscribing {
  readonly caller: Caller;
  readonly method: string;
}

/** The subscription's id. @throws {RpcError} */
export function subscribe(registry: Registry, params: unknown, { caller, method }: Subscribing): string {
  if (!caller.canSubscribe) throw new RpcError(-32000, 'notifications not supported');
  if (caller.subscriptions.size >= caller.maxSubscriptions) {
    throw new RpcError(-32000, tooManySubscriptions(caller.maxSubscriptions));
  }
  const first = subscriptionName(params);
  if ('problem' in first) throw new RpcError(-32602, first.problem);
  const namespace = method.split('_', 1)[0] ?? '';
  const arity = registry.subscription(namespace, first.name);
  if (arity === null) throw new RpcError(-32601, `no "${first.name}" subscription in ${namespace} namespace`);
  const problem = paramsProblem(params, { required: arity.required + 1, most: arity.most + 1 });
  if (problem !== null) throw new RpcError(-32602, problem);
  const id = `0x${randomBytes(16)
    .toString('hex')
    .replace(/^0+(?=.)/, '')}`;
  caller.subscriptions.add(id);
  return id;
}

/** @throws {RpcError} when there is no such subscription */
export function unsubscribe(params: unknown, { caller }: Subscribing): boolean {
  const problem = paramsProblem(params, { required: 1, most: 1 });
  if (problem !== null) throw new RpcError(-32602, problem);
  const [id] = params as unknown[];
  if (typeof id !== 'string' && id !== null) throw new RpcError(-32602, notAnId(id));
  if (!caller.subscriptions.delete(id ?? '')) {
    throw new RpcError(-32000, 'subscription not found');
  }
  return true;
}

/** The one parameter whose type is known: a subscription's id is a string. */
function notAnId(value: unknown): string {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `invalid argument 0: json: cannot unmarshal ${kind} into Go value of type rpc.ID`;
}

function tooManySubscriptions(most: number): string {
  const hint = "The limit can be updated with 'admin_setMaxSubscriptionPerWSConn' API";
  return `Maximum ${most} subscriptions are allowed for a websocket connection. ${hint}`;
}
