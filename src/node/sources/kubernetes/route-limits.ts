/** Which clients a proxy lets through a route: by the annotations of an Ingress and the middlewares of Traefik. */
import { narrowest, reachOfClients, widest } from '../../facts/reach.js';
import type { Limit } from '../../facts/settings.js';
import { type Tree, textAt, textsOf } from '../yaml/tree.js';
import type { Cluster } from './cluster.js';
import type { KubernetesObject } from './objects.js';

/**
 * The limit of a route, and the objects that define it; null: it has none, or its definition is not among the files.
 * `middlewares`: the references in the route.
 */
export function limitOfRoute(
  route: KubernetesObject,
  middlewares: readonly Tree[],
  cluster: Cluster,
): (Limit & { readonly by: readonly KubernetesObject[] }) | null {
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
  const limits = [
    ...[...annotations].flatMap(([name, text]) => limitOfAnnotation(name, text, annotations) ?? []),
    ...by.flatMap((one) => limitOfMiddleware(one) ?? []),
  ];
  if (limits.length === 0) return null;
  // nginx: one of the conditions is enough.
  const { reach } = annotations.get('satisfy') === 'any' ? widest(limits) : narrowest(limits);
  return { reach, because: limits.map(({ because }) => because).join(' '), by };
}

/** As Traefik's annotation names a middleware. */
function fullName(namespace: string | null, name: string): string {
  return `${namespace ?? 'default'}-${name}@kubernetescrd`;
}

/** Annotations of the controllers of nginx, HAProxy, Traefik 1 and AWS, without the prefix of the controller. */
function limitOfAnnotation(name: string, text: string, all: ReadonlyMap<string, string>): Limit | null {
  if (/^(?:(?:white|allow)list-source-range|whitelist|allow-list|inbound-cidrs)$/.test(name))
    return { reach: reachOfClients(text.split(',')), because: `to ${text}` };
  if (name === 'scheme' && text === 'internal')
    return { reach: 'private', because: 'to the private network' };
  const asks =
    (name === 'auth-type' && /^(?:basic(?:-auth)?|digest|forward|oidc|cognito)$/.test(text)) ||
    (name === 'auth-url' && text !== '') ||
    (name === 'auth-tls-secret' && !/^(?:off|optional)/.test(all.get('auth-tls-verify-client') ?? 'on'));
  return asks ? { reach: 'private', because: `to clients that ${name} accepts` } : null;
}

function limitOfMiddleware({ root }: KubernetesObject): Limit | null {
  const spec = root.get('spec');
  const ranges = (spec?.path('ipAllowList', 'sourceRange') ?? spec?.path('ipWhiteList', 'sourceRange'))
    ?.items;
  if (ranges !== undefined) {
    const clients = ranges.map(({ text }) => text?.text ?? '');
    return { reach: reachOfClients(clients), because: `to ${clients.join(',')}` };
  }
  const login = ['basicAuth', 'digestAuth', 'forwardAuth'].find((name) => spec?.get(name) != null);
  return login === undefined ? null : { reach: 'private', because: `to clients that ${login} accepts` };
}
