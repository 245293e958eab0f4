/** Routes from outside the cluster to Services: Ingress, Gateway API, Traefik, Istio, Contour and OpenShift. */
import { itemsAt, type Tree, textAt } from '../yaml/tree.js';
import type { Cluster } from './cluster.js';
import type { KubernetesObject } from './objects.js';
import { numberOf } from './ports.js';

interface Backend {
  readonly name: Tree | null;
  /** The port's number or name; null means any. */
  readonly port: Tree | null;
  readonly namespace?: string | undefined;
  /** Traefik's middlewares. */
  readonly middlewares?: readonly Tree[];
}

/** Routes to a port of a Service, and the places where they name the Service. `number` null if it cannot be known. */
export function routesTo(service: KubernetesObject, number: number | null, name: string, cluster: Cluster) {
  return routesIn(cluster).flatMap(({ object, backends }) => {
    const own = backends.filter(({ name: to, port, namespace }) => {
      const wanted = port?.text?.text;
      const isPort = wanted === undefined || wanted === String(number) || wanted === name;
      const short = shortNameOf(to);
      if (!isPort || short !== service.name) return false;
      return cluster.named('Service', short, object, namespace).includes(service);
    });
    return own.flatMap(({ name: to, middlewares = [] }) =>
      to === null ? [] : [{ object, at: to.at, middlewares }],
    );
  });
}

/** Routes to Services that are not among the objects. `number` null if the port is named, or any. */
export function straysIn(cluster: Cluster) {
  return routesIn(cluster).flatMap(({ object, backends }) =>
    backends.flatMap(({ name: to, port, namespace }) => {
      const name = shortNameOf(to);
      const isThere = cluster.named('Service', name, object, namespace).length > 0;
      return name === '' || isThere ? [] : [{ object, name, number: numberOf(port) }];
    }),
  );
}

export const isRoute = ({ kind }: KubernetesObject): boolean => Object.hasOwn(backendsOf, kind);

const routesIn = (cluster: Cluster) =>
  cluster.objects.filter(isRoute).map((object) => ({
    object,
    backends: backendsOf[object.kind]?.(object.root.get('spec')) ?? [],
  }));

/** "en.kaia.svc.cluster.local" is the Service en of the namespace kaia. */
const shortNameOf = (name: Tree | null): string => name?.text?.text.split('.')[0] ?? '';

/** Objects of other controllers that name a Service: they may publish it. */
export function mayPublish(service: KubernetesObject, cluster: Cluster): KubernetesObject[] {
  const isNamed = (tree: Tree, isNear: boolean): boolean => {
    const [name, namespace] = tree.text?.text.split(/[.:/]/) ?? [];
    const isService = name === service.name && (isNear || namespace === service.namespace);
    const parts = [...tree.items, ...tree.entries.flatMap(({ value }) => value ?? [])];
    return isService || parts.some((part) => isNamed(part, isNear));
  };
  return cluster.objects.filter((one) => {
    const spec = one.root.get('spec');
    if (spec === null || !otherRoute.test(one.kind) || isRoute(one)) return false;
    return isNamed(spec, cluster.named('Service', service.name, one).includes(service));
  });
}

const otherRoute = /(?:Ingress|Route|Mapping|Proxy|VirtualServer|VirtualHost|Tunnel)/;

const inList = (tree: Tree | null | undefined, ...keys: readonly string[]): Tree[] =>
  (tree?.get(keys[0] ?? '')?.items ?? []).flatMap((item) =>
    keys.length === 1 ? [item] : inList(item, ...keys.slice(1)),
  );

const byReference = (reference: Tree): Backend => {
  const namespace = textAt(reference, 'namespace');
  return {
    name: reference.get('name'),
    port: reference.get('port'),
    ...(namespace === '' ? {} : { namespace }),
  };
};

const ofGateway = (spec: Tree | null): Backend[] => inList(spec, 'rules', 'backendRefs').map(byReference);
const ofTraefik = (spec: Tree | null): Backend[] =>
  inList(spec, 'routes').flatMap((route) =>
    inList(route, 'services').map((service) => ({
      ...byReference(service),
      middlewares: inList(route, 'middlewares'),
    })),
  );

/** The Services that a route of each kind names. */
const backendsOf: Readonly<Record<string, (spec: Tree | null) => Backend[]>> = {
  Ingress: (spec) => {
    const paths = itemsAt(spec, 'rules').flatMap((rule) => inList(rule.get('http'), 'paths'));
    const own = ['defaultBackend', 'backend'].map((key) => spec?.get(key));
    return [...own, ...paths.map((path) => path.get('backend'))].flatMap((backend) => {
      if (backend == null) return [];
      const name = backend.path('service', 'name') ?? backend.get('serviceName');
      const port =
        backend.path('service', 'port', 'number') ??
        backend.path('service', 'port', 'name') ??
        backend.get('servicePort');
      return [{ name, port }];
    });
  },
  HTTPRoute: ofGateway,
  GRPCRoute: ofGateway,
  TCPRoute: ofGateway,
  TLSRoute: ofGateway,
  IngressRoute: ofTraefik,
  IngressRouteTCP: ofTraefik,
  HTTPProxy: (spec) => inList(spec, 'routes', 'services').map(byReference),
  VirtualService: (spec) =>
    itemsAt(spec, 'gateways').every(({ text }) => text?.text === 'mesh')
      ? []
      : ['http', 'tcp', 'tls'].flatMap((kind) =>
          inList(spec, kind, 'route').map((route) => ({
            name: route.path('destination', 'host'),
            port: route.path('destination', 'port', 'number'),
          })),
        ),
  Route: (spec) => [{ name: spec?.path('to', 'name') ?? null, port: null }],
};

/** The host names of a route. */
export function hostNamesOf({ root }: KubernetesObject): string[] {
  const spec = root.get('spec');
  const rules = itemsAt(spec, 'rules').flatMap((rule) => rule.get('host') ?? []);
  const lists = [spec?.get('hostnames'), spec?.get('hosts')].flatMap((list) => list?.items ?? []);
  const [own, virtual] = [spec?.get('host'), spec?.path('virtualhost', 'fqdn')];
  return [...rules, ...lists, own, virtual].flatMap((one) => one?.text?.text ?? []);
}
