/** Which methods one interface offers: the registered services, filtered as the node filters them. */
import { type Service, services } from '../kinds/kaia/methods.js';
import { formerName } from '../kinds/kaia/modules.js';

/** How many parameters a method takes. */
export interface Arity {
  readonly required: number;
  readonly most: number;
}

/** What an interface offers, by the name a request carries. */
export interface Registry {
  /** What rpc_modules answers: every namespace, always "1.0". */
  readonly modules: Readonly<Record<string, string>>;
  /** Names with their namespace. */
  readonly methods: ReadonlyMap<string, Arity>;
  /** The registered name a request's method leads to; it may not be offered. */
  resolve(method: string): string;
  /** null when the namespace has no such subscription here. */
  subscription(namespace: string, name: string): Arity | null;
}

/** What decides the registry of one interface. */
export interface Offer {
  /** Namespaces, `kaia` for klay. */
  readonly modules: readonly string[];
  /** True for http and ws when rpc.unsafe-debug.disable is set. */
  readonly unsafeDebugGone: boolean;
  /** rpc.eth.noncompatible: eth_ methods are looked up among kaia's. */
  readonly ethIsKaia: boolean;
  /** Only what the node package itself registers, and the bootnode's own. */
  readonly bootNode: boolean;
  /** --gasless.disable: its two debug methods are not registered at all. */
  readonly noGasless: boolean;
  /** As a node before the renaming: the namespace is `klay`, and kaia_ is unknown. */
  readonly klay: boolean;
}

const built = new Map<string, Registry>();
const keep = 64;

/** The registry of an offer; `rpc` is always part of it. Equal offers share one. */
export function registryOf(offer: Offer): Registry {
  const key = JSON.stringify(offer);
  const known = built.get(key);
  if (known !== undefined) return known;
  if (built.size >= keep) built.clear();
  const registry = build(offer);
  built.set(key, registry);
  return registry;
}

function build(offer: Offer): Registry {
  const offered = new Set(['rpc', ...offer.modules]);
  const own = offer.klay ? formerName : 'kaia';
  const named = (namespace: string): string => (namespace === 'kaia' ? own : namespace);
  const methods = new Map<string, Arity>();
  const subscriptions = new Map<string, Arity>();
  const namespaces = new Set<string>();
  for (const service of services) {
    if (!offered.has(service.namespace) || isGone(service, offer)) continue;
    const namespace = named(service.namespace);
    namespaces.add(namespace);
    for (const [name, arity] of entries(service.methods)) methods.set(`${namespace}_${name}`, arity);
    for (const [name, arity] of entries(service.subscriptions ?? '')) {
      subscriptions.set(`${namespace}_${name}`, arity);
    }
  }
  const lead = (namespace: string): string => (namespace === formerName ? own : namespace);
  return {
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

function isGone(service: Service, offer: Offer): boolean {
  if (offer.bootNode && !ofBootNode.test(service.name)) return true;
  if (service.name.endsWith(' GaslessAPI')) return offer.noGasless;
  return service.unsafeDebugOnly === true && offer.unsafeDebugGone;
}

const parsed = new Map<string, readonly (readonly [string, Arity])[]>();

/** Reads `name`, `name(2)`, `name(1,3)`; shared by all registries, which then hold no copies. */
function entries(list: string): readonly (readonly [string, Arity])[] {
  let found = parsed.get(list);
  if (found === undefined) {
    found = [...list.matchAll(/(\w+)(?:\((\d+)(?:,(\d+))?\))?/g)].map(([, name = '', one = '0', two]) => [
      name,
      { required: Number(one), most: Number(two ?? one) },
    ]);
    parsed.set(list, found);
  }
  return found;
}
