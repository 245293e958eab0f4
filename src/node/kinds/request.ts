/**
 * The only requests that a node is sent. Types first: a reader changes nothing and takes an empty array. An existence probe is
 * refused before it runs: it takes an empty object, or an empty array where {} would run it and a parameter is required. Names
 * come from the kinds' tables; nothing else has the type.
 */

declare const reads: unique symbol;
/** A method without parameters and without effect. */
export type ReadMethod = string & { readonly [reads]: true };

declare const exists: unique symbol;
/** A method that is only asked whether it exists. */
export type ExistenceMethod = string & { readonly [exists]: true };

declare const incomplete: unique symbol;
/** A method that only reads and has a required parameter: called without it, it does not run. */
export type ParameterMethod = string & { readonly [incomplete]: true };

/** A request that asks whether a method exists, and does not run it. */
export type ExistenceAsk =
  | { readonly method: ExistenceMethod; readonly params: Readonly<Record<string, never>> }
  | { readonly method: ParameterMethod; readonly params: readonly [] };

/** A request object's method and parameters. */
export type Ask = { readonly method: ReadMethod; readonly params: readonly [] } | ExistenceAsk;

/** Declares a reader. Only for the kinds' tables: the author of a row has checked that the method changes nothing. */
export function readMethod(name: string): ReadMethod {
  return name as ReadMethod;
}

/** Declares a method to ask for. Only for the kinds' tables: it changes nothing even where {} would run it. */
export function existenceMethod(name: string): ExistenceMethod {
  return name as ExistenceMethod;
}

/** Declares a method to ask for. Only for the kinds' tables: it changes nothing, and its parameter is required. */
export function parameterMethod(name: string): ParameterMethod {
  return name as ParameterMethod;
}

/** The methods that any kind of node is asked for. */
export const anyNode = {
  modules: readMethod('rpc_modules'),
  client: readMethod('web3_clientVersion'),
  chain: readMethod('net_version'),
  /** Asked with {}: whether a node refuses it tells whether {} runs nothing there. */
  refusal: existenceMethod('rpc_modules'),
} as const;

/** Calls a reader. */
export function read(method: ReadMethod): Ask {
  return { method, params: [] };
}

/** Asks whether a method exists, without running it. */
export function existenceProbe(method: ExistenceMethod): ExistenceAsk {
  return { method, params: {} };
}

/** Asks a client that was recognised whether a method exists, without the parameter that it needs to run. */
export function parameterProbe(method: ParameterMethod): ExistenceAsk {
  return { method, params: [] };
}

/** A method name that cannot exist, new each time: `kaiactl_` and 16 hex digits. */
export function nonsenseMethod(): ExistenceMethod & ParameterMethod {
  const digits = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex');
  return `kaiactl_${digits}` as ExistenceMethod & ParameterMethod;
}

/** The module a method belongs to. */
export function namespaceOf(method: string): string {
  return method.slice(0, method.indexOf('_'));
}
