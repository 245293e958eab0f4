/** How the node reads a request's `params`, before the method runs. */
import type { Arity } from './registry.js';

/**
 * Why the params cannot be taken (-32602), or null: the method would run. Missing, null and [] are the same;
 * anything else that is not an array is refused; null stands for any value; a method without parameters ignores
 * what it is given. What type each element has is not checked: the simulator does not know the types.
 */
export function paramsProblem(params: unknown, arity: Arity): string | null {
  if (params !== undefined && params !== null && !Array.isArray(params)) return 'non-array args';
  const given = Array.isArray(params) ? params.length : 0;
  if (given < arity.required) return `missing value for required argument ${given}`;
  if (arity.most > 0 && given > arity.most) return `too many arguments, want at most ${arity.most}`;
  return null;
}

/** The first element of a subscribe call, or why there is none. */
export function subscriptionName(params: unknown): { readonly name: string } | { readonly problem: string } {
  if (!Array.isArray(params)) return { problem: 'non-array args' };
  const [name] = params as unknown[];
  return typeof name === 'string' ? { name } : { problem: 'expected subscription name as first argument' };
}
