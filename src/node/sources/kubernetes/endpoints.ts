/** Endpoints that manifests write themselves: a Service without a selector leads to them. */
import { oncePer } from '../../../util/once-per.js';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { textAt } from '../yaml/tree.js';
import { Cluster } from './cluster.js';
import { type KubernetesObject, objectsIn } from './objects.js';
import { numberOf } from './ports.js';
import { isInternal } from './reach.js';
import { mayPublish, routesTo } from './routes.js';

export interface Endpoints {
  readonly at: Span;
  /** Who reaches them through their Service; null if that is not known, or routes decide it. */
  readonly reach: 'any' | 'private' | null;
}

/** Of the same list of files, read once. */
export const endpointsIn = oncePer((files: readonly LineIndex[]): readonly Endpoints[] => {
  const cluster = new Cluster(files.flatMap((file) => objectsIn(file).objects));
  return ['Endpoints', 'EndpointSlice'].flatMap((kind) =>
    cluster.ofKind(kind).map((one) => {
      const labels = one.root.path('metadata', 'labels');
      const name = kind === 'Endpoints' ? one.name : textAt(labels, 'kubernetes.io/service-name');
      const [service, ...others] = cluster.named('Service', name, one);
      const isOne = service !== undefined && others.length === 0;
      return { at: one.root.at, reach: isOne ? reachOf(service, cluster) : null };
    }),
  );
});

function reachOf(service: KubernetesObject, cluster: Cluster): Endpoints['reach'] {
  const spec = service.root.get('spec');
  const type = textAt(spec, 'type') || 'ClusterIP';
  if (spec?.get('selector') != null || !isKnown(type)) return null;
  if ((spec?.get('externalIPs')?.items.length ?? 0) > 0 || type === 'NodePort') return 'any';
  if (type === 'LoadBalancer') return isInternal(service.root) ? null : 'any';
  const ports = spec?.get('ports')?.items ?? [];
  const isRouted = ports.some(
    (port) => routesTo(service, numberOf(port.get('port')), textAt(port, 'name'), cluster).length > 0,
  );
  return type !== 'ClusterIP' || isRouted || mayPublish(service, cluster).length > 0 ? null : 'private';
}
