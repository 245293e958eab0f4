/** The methods that an interface offers: the node's services, filtered as the node filters them. */
import { type Service, services } from '../kinds/kaia/methods.js';
import { formerName } from '../kinds/kaia/modules.js';

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
  /** True where params that are an object do not keep a method without parameters from running. */
  readonly takesObjects: boolean;
  /** null: the namespace has no such subscription. */
  subscription(namespace: string, name: string): Arity | null;
}

/** The settings that decide the registry of an interface. */
export interface Offer {
  /** Namespaces, `kaia` for klay. */
  readonly modules: readonly string[];
  /** True for http and ws if rpc.unsafe-debug.disable is set; up to klaytn v1.12.0 for ipc too. */
  readonly unsafeDebugGone: boolean;
  /** rpc.eth.noncompatible: eth_ methods are looked up among kaia's. */
  readonly ethIsKaia: boolean;
  /** Only the services of the node package and of the bootnode. */
  readonly bootNode: boolean;
  /** --gasless.disable: its two debug methods are not registered. */
  readonly noGasless: boolean;
  /** A node before the renaming: the namespace is `klay`, and kaia_ is unknown. */
  readonly klay: boolean;
  /** As a node up to klaytn v1.9.1: a method without parameters runs whatever object it is given. */
  readonly takesObjects: boolean;
}

/** The services with their methods parsed. */
const parsedServices = services.map((service) => ({
  ...service,
  methods: entries(service.methods),
  subscriptions: entries(service.subscriptions ?? ''),
}));

/** The registry of an offer; `rpc` is always part of it. */
export function registryOf(offer: Offer): Registry {
  const offered = new Set(['rpc', ...offer.modules]);
  const own = offer.klay ? formerName : 'kaia';
  const named = (namespace: string): string => (namespace === 'kaia' ? own : namespace);
  const methods = new Map<string, Arity>();
  const subscriptions = new Map<string, Arity>();
  const namespaces = new Set<string>();
  for (const service of parsedServices) {
    if (!offered.has(service.namespace) || isGone(service, offer)) continue;
    const namespace = named(service.namespace);
    namespaces.add(namespace);
    for (const [name, arity] of service.methods) methods.set(`${namespace}_${name}`, arity);
    for (const [name, arity] of service.subscriptions) {
      subscriptions.set(`${namespace}_${name}`, arity);
    }
  }
  const lead = (namespace: string): string => (namespace === formerName ? own : namespace);
  return {
    takesObjects: offer.takesObjects,
    modules: Object.fromEntries([...namespaces].sort().map((name) => [name, '1.0'])),
    methods,
    resolve(method) {
      const cut = method.indexOf('_');
      if (cut < 0) return method;
      const namespace = method.slice(0, cut);
      return `${offer.ethIsKaia && namespace === 'eth' ? own : lead(namespace)}${method.slice(cut)}`;
    },
    subscription: (namespace, name) => subscriptions.get(`${lead(namespace)}_${name}`) ?? null,
  };
}

const ofBootNode = /^(node\.|debug\.|kbn |rpc\.)/;

function isGone(service: Pick<Service, 'name' | 'unsafeDebugOnly'>, offer: Offer): boolean {
  if (offer.bootNode && !ofBootNode.test(service.name)) return true;
  if (service.name.endsWith(' GaslessAPI')) return offer.noGasless;
  return service.unsafeDebugOnly === true && offer.unsafeDebugGone;
}

/** Parses `name`, `name(2)` and `name(1,3)`. */
function entries(list: string): readonly (readonly [string, Arity])[] {
  const found = list.matchAll(/(\w+)(?:\((\d+)(?:,(\d+))?\))?/g);
  return [...found].map(([, name = '', one = '0', two]) => [
    name,
    { required: Number(one), most: Number(two ?? one) },
  ]);
}
