/** The methods that an interface offers, and the check of their parameters. */
import type { Answers, Service } from '../kinds/answers.js';

/** The number of parameters of a method. */
export interface Arity {
  readonly required: number;
  readonly most: number;
}

/** The methods and subscriptions of an interface. */
export interface Registry {
  /** The answer of rpc_modules: every namespace with "1.0". */
  readonly modules: Readonly<Record<string, string>>;
  /** By name with namespace. */
  readonly methods: ReadonlyMap<string, Arity>;
  /** The registered name of a method as a request names it; it may not be offered. */
  resolve(method: string): string;
  /** Returns null if the namespace has no such subscription. */
  subscription(namespace: string, name: string): Arity | null;
}

export function registryOf(
  services: readonly Service[],
  { methods: forMethods, subscriptions: forSubscriptions }: Answers['aliases'],
): Registry {
  const named = (namespace: string, of: Service['methods']) =>
    Object.entries(of).map(([name, arity]) => [`${namespace}_${name}`, arityOf(arity)] as const);
  const methods = new Map(services.flatMap(({ namespace, methods }) => named(namespace, methods)));
  const subscriptions = new Map(
    services.flatMap(({ namespace, subscriptions = {} }) => named(namespace, subscriptions)),
  );
  const namespaces = new Set(services.map(({ namespace }) => namespace));
  return {
    modules: Object.fromEntries([...namespaces].sort().map((name) => [name, '1.0'])),
    methods,
    resolve(method) {
      const cut = method.indexOf('_');
      return cut < 0 ? method : `${alias(forMethods, method.slice(0, cut))}${method.slice(cut)}`;
    },
    subscription: (namespace, name) =>
      subscriptions.get(`${alias(forSubscriptions, namespace)}_${name}`) ?? null,
  };
}

function alias(aliases: Readonly<Record<string, string>>, namespace: string): string {
  return Object.hasOwn(aliases, namespace) ? (aliases[namespace] ?? namespace) : namespace;
}

function arityOf(arity: Service['methods'][string]): Arity {
  const [required, most] = typeof arity === 'number' ? [arity, arity] : arity;
  return { required, most };
}

/** An error that the node answers with. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Checks `params` as the node does before the method runs. Missing params, null and [] are the same; any other value that is not an array is refused. null is accepted for every
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
