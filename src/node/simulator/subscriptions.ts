/** Subscriptions: each gets an id, and no event is ever sent. */
import { randomBytes } from 'node:crypto';
import type { Wire } from '../kinds/answers.js';
import { checkParameters, type Registry, RpcError } from './registry.js';

/** The state of a client's connection. */
export interface Caller {
  /** False over http, which cannot deliver events. */
  readonly canSubscribe: boolean;
  readonly maxSubscriptions: number;
  readonly subscriptions: Set<string>;
}

/** The context of a call; `method` as the request names it. */
export interface Subscribing {
  readonly caller: Caller;
  readonly method: string;
}

/** The subscription's id. @throws {RpcError} */
export function subscribe(
  registry: Registry,
  { noNotifications }: Wire,
  params: unknown,
  { caller, method }: Subscribing,
): string {
  if (!caller.canSubscribe) throw new RpcError(noNotifications, 'notifications not supported');
  if (caller.subscriptions.size >= caller.maxSubscriptions) {
    throw new RpcError(-32000, tooManySubscriptions(caller.maxSubscriptions));
  }
  const name = subscriptionName(params);
  const namespace = method.split('_', 1)[0] ?? '';
  const arity = registry.subscription(namespace, name);
  if (arity === null) throw new RpcError(-32601, `no "${name}" subscription in ${namespace} namespace`);
  checkParameters(params, { required: arity.required + 1, most: arity.most + 1 });
  const id = `0x${randomBytes(16)
    .toString('hex')
    .replace(/^0+(?=.)/, '')}`;
  caller.subscriptions.add(id);
  return id;
}

/** @throws {RpcError} if there is no such subscription */
export function unsubscribe(params: unknown, { caller }: Subscribing): boolean {
  checkParameters(params, { required: 1, most: 1 });
  const [id] = params as unknown[];
  if (typeof id !== 'string' && id !== null) throw new RpcError(-32602, notAnId(id));
  if (!caller.subscriptions.delete(id ?? '')) {
    throw new RpcError(-32000, 'subscription not found');
  }
  return true;
}

/** @throws {RpcError} if the first param is not a string */
function subscriptionName(params: unknown): string {
  if (!Array.isArray(params)) throw new RpcError(-32602, 'non-array args');
  const [name] = params as unknown[];
  if (typeof name !== 'string') throw new RpcError(-32602, 'expected subscription name as first argument');
  return name;
}

/** The error of Go's decoder for an id that is not a string. */
function notAnId(value: unknown): string {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `invalid argument 0: json: cannot unmarshal ${kind} into Go value of type rpc.ID`;
}

function tooManySubscriptions(most: number): string {
  const hint = "The limit can be updated with 'admin_setMaxSubscriptionPerWSConn' API";
  return `Maximum ${most} subscriptions are allowed for a websocket connection. ${hint}`;
}
