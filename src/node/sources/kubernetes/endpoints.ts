/** Endpoints that manifests write themselves: a Service without a selector leads to them. */
import { oncePer } from '../../../util/once-per.js';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { itemsAt, type Tree, textAt } from '../yaml/tree.js';
import { Cluster } from './cluster.js';
import { type KubernetesObject, objectsIn } from './objects.js';
import { numberOf } from './ports.js';
import { isInternal } from './reach.js';
import { mayPublish, routesTo } from './routes.js';

/** An address of Endpoints with one of its ports; null if it names none. */
export interface Endpoint {
  readonly at: Span;
  readonly to: { readonly host: string; readonly port: number | null };
  /** Who reaches it through its Service; null if that is not known, or routes decide it. */
  readonly reach: 'any' | 'private' | null;
}

/** Of the same list of files, read once. */
export const endpointsIn = oncePer((files: readonly LineIndex[]): readonly Endpoint[] => {
  const cluster = new Cluster(files.flatMap((file) => objectsIn(file).objects));
  return ['Endpoints', 'EndpointSlice'].flatMap((kind) =>
    cluster.ofKind(kind).flatMap((one) => {
      const labels = one.root.path('metadata', 'labels');
      const name = kind === 'Endpoints' ? one.name : textAt(labels, 'kubernetes.io/service-name');
      const [service, ...others] = cluster.named('Service', name, one);
      const isOne = service !== undefined && others.length === 0;
      const reach = isOne ? reachOf(service, cluster) : null;
      const subsets = kind === 'Endpoints' ? itemsAt(one.root, 'subsets') : [one.root];
      return subsets.flatMap((subset) => {
        const given = itemsAt(subset, 'ports').map((port) => numberOf(port.get('port')));
        const ports = given.length === 0 ? [null] : given;
        return addressesOf(subset).flatMap(({ at, text }) =>
          ports.map((port) => ({ at, to: { host: text?.text ?? '', port }, reach })),
        );
      });
    }),
  );
});

/** The addresses of a subset, or of a slice. */
function addressesOf(subset: Tree): readonly Tree[] {
  const inSubset = itemsAt(subset, 'addresses').flatMap((address) => address.get('ip') ?? []);
  const inSlice = itemsAt(subset, 'endpoints').flatMap((one) => itemsAt(one, 'addresses'));
  return [...inSubset, ...inSlice];
}

function reachOf(service: KubernetesObject, cluster: Cluster): Endpoint['reach'] {
  const spec = service.root.get('spec');
  const type = textAt(spec, 'type') || 'ClusterIP';
  if (spec?.get('selector') != null || !isKnown(type)) return null;
  if ((spec?.get('externalIPs')?.items.length ?? 0) > 0 || type === 'NodePort') return 'any';
  if (type === 'LoadBalancer') return isInternal(service.root) ? null : 'any';
  const ports = itemsAt(spec, 'ports');
  const isRouted = ports.some(
    (port) => routesTo(service, numberOf(port.get('port')), textAt(port, 'name'), cluster).length > 0,
  );
  return type !== 'ClusterIP' || isRouted || mayPublish(service, cluster).length > 0 ? null : 'private';
}
