/**
 * Which clients a proxy lets through a route, and what it changes: by annotations of an Ingress and middlewares of Traefik. Plugins
 * of Kong and policies are named.
 * Source of CORS: kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations (enable-cors, cors-allow-origin,
 * cors-allow-headers, upstream-vhost) and haproxy-ingress.github.io/docs/configuration/keys (cors).
 */
import { destinationOf } from '../../reach/address.js';
import { changesOf, type Header } from '../../reach/changes.js';
import { allOf, listOf, login, privateNetworks } from '../../reach/gate.js';
import type { Gate } from '../../reach/hop.js';
import { flattenTree } from '../proxies/keys.js';
import { throughRouter } from '../proxies/traefik.js';
import { itemsAt, type Tree, textAt, textsOf } from '../yaml/tree.js';
import { bySelector, type Cluster, isSameNamespace } from './cluster.js';
import type { KubernetesObject, Pod } from './objects.js';

/**
 * The gate of a route, as far as its parts are among the files, and the objects that define it.
 * @param middlewares - the references in the route
 */
export function gateOfRoute(route: KubernetesObject, middlewares: readonly Tree[], cluster: Cluster) {
  const annotations = new Map(
    [...textsOf(route.root.path('metadata', 'annotations'))].map(
      ([name, text]) => [name.slice(name.lastIndexOf('/') + 1), text.trim()] as const,
    ),
  );
  const named = [
    ...(annotations.get('router.middlewares') ?? '').split(',').map((name) => name.trim()),
    ...middlewares.map((one) => fullName(textAt(one, 'namespace') || route.namespace, textAt(one, 'name'))),
  ];
  const by = cluster
    .ofKind('Middleware', 'MiddlewareTCP')
    .filter((one) => named.includes(fullName(one.namespace ?? route.namespace, one.name)));
  const routed = throughMiddlewares(by);
  // The gateways that a route of the Gateway API is attached to, of those among the files.
  const gateways = itemsAt(route.root, 'spec', 'parentRefs').flatMap((one) =>
    cluster.named('Gateway', textAt(one, 'name'), route, textAt(one, 'namespace') || route.namespace),
  );
  const gate = allOf([
    ...[...annotations].map(([name, text]) => gateOfAnnotation(name, text, annotations)),
    routed.gate,
    gateways.length > 0 && gateways.every(isInternalGateway) ? privateNetwork : [],
    annotations.get('satisfy') === 'any'
      ? { unread: 'the annotation satisfy decides which requests get through' }
      : [],
  ]);
  return {
    gate,
    by: [...by, ...gateways],
    ...(routed.changes === undefined ? changesBy(annotations) : { changes: routed.changes }),
  };
}

const privateNetwork: Gate = [listOf(privateNetworks)];

/** Whether it is of a class of GKE for internal gateways, or its annotations make its load balancer internal. */
function isInternalGateway({ root }: KubernetesObject): boolean {
  const annotations = [
    ['metadata', 'annotations'],
    ['spec', 'infrastructure', 'annotations'],
  ];
  return (
    /^gke-l7-(?:rilb|cross-regional-internal-managed)(?:-mc)?$/.test(
      textAt(root, 'spec', 'gatewayClassName'),
    ) || annotations.some((path) => isInternalBalancer(root.path(...path)))
  );
}

/** Whether it is a provider's annotation of a load balancer that only the private network reaches. */
export function isInternalBalancer(annotations: Tree | null): boolean {
  return [...textsOf(annotations)].some(
    ([name, text]) =>
      /load-balancer-(?:internal|scheme|type)$/.test(name) && /^(?:true|internal|0\.0\.0\.0\/0)$/i.test(text),
  );
}

/** As Traefik's annotation names a middleware. */
function fullName(namespace: string | null, name: string): string {
  return `${namespace ?? 'default'}-${name}@kubernetescrd`;
}

/** Annotations of the controllers of nginx, HAProxy, Traefik 1 and AWS, without the prefix of the controller. */
function gateOfAnnotation(name: string, text: string, all: ReadonlyMap<string, string>): Gate {
  if (/^(?:(?:white|allow)list-source-range|whitelist|allow-list|inbound-cidrs)$/.test(name))
    return [listOf(text.split(','))];
  if (name === 'scheme' && text === 'internal') return privateNetwork;
  if (name === 'auth-url' && text !== '') return [[{ ...login, asks: [destinationOf(text)] }]];
  const asks =
    (name === 'auth-type' && /^(?:basic(?:-auth)?|digest|forward|oidc|cognito)$/.test(text)) ||
    (name === 'auth-tls-secret' && !/^(?:off|optional)/.test(all.get('auth-tls-verify-client') ?? 'on'));
  return asks ? [[login]] : [];
}

/** What annotations do to the node's own checks. Without names of its own, CORS is for every origin and content type. */
function changesBy(annotations: ReadonlyMap<string, string>) {
  const host = annotations.get('upstream-vhost');
  const isCors = ['enable-cors', 'cors-enable'].some((name) => annotations.get(name) === 'true');
  const given = (name: string, usual: string) => annotations.get(`cors-allow-${name}`) || usual;
  const origin = given('origin', '*');
  const answers: readonly Header[] = isCors
    ? [
        ['access-control-allow-origin', /(?:^|,)\s*\*\s*(?:,|$)/.test(origin) ? '*' : origin],
        ['access-control-allow-headers', given('headers', 'content-type')],
      ]
    : [];
  return changesOf({ answers, preflights: [], requests: [], ...(host ? { host } : {}) });
}

/** A route with these middlewares, as a file of Traefik has them. */
function throughMiddlewares(all: readonly KubernetesObject[]) {
  const specs = all.flatMap(({ root }) => root.get('spec') ?? []);
  const keys = specs.map((spec, at) => flattenTree(spec, `http.middlewares.${at}`, () => nowhere));
  const own = keys.flatMap(({ length }, at) =>
    length === 0 ? [] : [{ key: `middlewares.${at}`, value: `${at}`, at: nowhere }],
  );
  return throughRouter(keys.flat(), own, 'http');
}

const nowhere = { start: 0, end: 0 };

/** Objects that may limit the clients of a pod or of its routes, and that are not read. */
export function unreadLimits(pod: Pod, routes: readonly KubernetesObject[], cluster: Cluster): string[] {
  const ofPod = cluster
    .ofKind('AuthorizationPolicy', 'PeerAuthentication')
    .filter(({ root }) => root.path('spec', 'targetRefs') === null)
    .filter((one) => cluster.selects(bySelector(one.root.path('spec', 'selector')), one, pod));
  // Policies of the Gateway API.
  const ofRoutes = cluster.objects.filter(
    ({ kind, root, namespace }) =>
      mayLimit.test(kind) &&
      ['targetRef', 'targetRefs'].some((name) => root.path('spec', name) !== null) &&
      routes.some((route) => isSameNamespace(namespace, route.namespace)),
  );
  const plugins = routes.flatMap(({ root }) =>
    (textAt(root, 'metadata', 'annotations', 'konghq.com/plugins').match(/[^\s,]+/g) ?? []).map(
      (name) => `KongPlugin ${name}`,
    ),
  );
  return [...new Set([...[...ofPod, ...ofRoutes].map(({ kind, name }) => `${kind} ${name}`), ...plugins])];
}

const mayLimit = /(?:Security|Auth|Access|Firewall|GCPBackend)\w*Policy$/;
