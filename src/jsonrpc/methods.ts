/**
 * The only questions that can be asked. Types first: a method with an empty array runs, so only readers that
 * change nothing take one; a method with an empty object never runs (kaiachain/kaia networks/rpc/json.go:310-327)
 * and answers -32602 when it exists, -32601 when it does not.
 */

/** Methods without parameters and without effect; called with []. */
const readMethods = [
  'rpc_modules',
  'web3_clientVersion',
  'net_version',
  'eth_accounts',
  'kaia_accounts',
  'klay_accounts',
] as const;
export type ReadMethod = (typeof readMethods)[number];

/**
 * Methods the unsafe-debug switch moves to ipc, one per service group (HandlerT, DebugUtilAPI, UnsafeAPI,
 * DebugStorageCNAPI). Each has a required parameter, so that older handlers would not run it either.
 */
export const unsafeDebugMethods = [
  'debug_setGCPercent',
  'debug_chaindbProperty',
  'debug_traceBlockFromFile',
  'debug_preimage',
] as const;
/** The method of the same namespace that stays on http and ws whatever the switch says. */
export const alwaysPresent = 'debug_getBlockRlp';

/**
 * One method for each namespace that can do harm, which shows whether it answers though rpc_modules does not list it:
 * read-only, and with a required parameter where the namespace has such a one.
 */
export const namespaceMethods = [
  'admin_nodeInfo',
  'bootnode_lookup',
  'chaindatafetcher_status',
  'governance_getStakingInfo',
  'istanbul_getValidatorsAtHash',
  'personal_ecRecover',
  'subbridge_getBridgeInformation',
  'txpool_status',
] as const;

/** Existence probes; called with {}. */
export type ExistenceMethod =
  | 'rpc_modules'
  | (typeof namespaceMethods)[number]
  | (typeof unsafeDebugMethods)[number]
  | typeof alwaysPresent
  | NonsenseMethod;

declare const nonsense: unique symbol;
/** A method no node has: made by `nonsenseMethod` and nowhere else. */
export type NonsenseMethod = string & { readonly [nonsense]: true };

/** What can be asked: nothing else has a type. */
export type Ask =
  | { readonly method: ReadMethod; readonly params: readonly [] }
  | { readonly method: ExistenceMethod; readonly params: Readonly<Record<string, never>> };

/** The module a method belongs to. */
export function namespaceOf(method: string): string {
  return method.slice(0, method.indexOf('_'));
}

/** Calls a reader. */
export function read(method: ReadMethod): Ask {
  return { method, params: [] };
}

/** Asks whether a method exists, without running it. */
export function existenceProbe(method: ExistenceMethod): Ask {
  return { method, params: {} };
}

/** A method name that cannot exist, new each time: `kaiactl_` and 16 hex digits. */
export function nonsenseMethod(): NonsenseMethod {
  return `kaiactl_${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}` as NonsenseMethod;
}
