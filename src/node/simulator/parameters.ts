/** Checks a request's `params` as the node does before the method runs. */
import type { Arity } from './registry.js';

/** An error that the node answers with. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Missing params, null and [] are the same; any other value that is not an array is refused. null is accepted for every
 * parameter; some kinds ignore the params of a method without parameters. The types of the elements are not checked.
 * @throws {RpcError} -32602 if the node would refuse the params
 */
export function checkParameters(params: unknown, arity: Arity, ignoresParams = false): void {
  if (params !== undefined && params !== null && !Array.isArray(params))
    throw new RpcError(-32602, 'non-array args');
  const given = Array.isArray(params) ? params.length : 0;
  if (given < arity.required) throw new RpcError(-32602, `missing value for required argument ${given}`);
  if ((arity.most > 0 || !ignoresParams) && given > arity.most)
    throw new RpcError(-32602, `too many arguments, want at most ${arity.most}`);
}
