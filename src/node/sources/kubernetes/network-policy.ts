/** What network policies admit to a pod. */
import { reachOfClients } from '../../facts/reach.js';
import { itemsAt, type Tree, textAt } from '../yaml/tree.js';
import { bySelector, type Cluster } from './cluster.js';
import type { KubernetesObject, Pod } from './objects.js';
import { numberOf, portNamed } from './ports.js';

/** Returns null if no policy limits the pod, so every client reaches it. */
export function policyOf(pod: Pod, cluster: Cluster, container: Tree) {
  const policies = cluster.ofKind('NetworkPolicy').filter(
    (policy) =>
      isForIngress(policy) &&
      // A policy whose namespace may be another one limits nothing for certain.
      policy.namespace === pod.of.namespace &&
      cluster.selects(bySelector(policy.root.path('spec', 'podSelector')), policy, pod),
  );
  if (policies.length === 0) return null;
  const rules = policies.flatMap(({ root }) => itemsAt(root, 'spec', 'ingress'));
  return {
    policies,
    /** Who can reach a port that nothing publishes. */
    network: `pods that NetworkPolicy ${policies.map(({ name }) => name).join(' and ')} admits`,
    /** False where no rule admits clients outside the cluster, or for a route, any client. port null: any port. */
    admits: (port: number | null, route: boolean) =>
      rules.some((rule) => isOfPort(rule, port, container) && (route || isFromOutside(rule))),
  };
}

function isForIngress({ root }: KubernetesObject): boolean {
  const types = root.path('spec', 'policyTypes');
  return types === null || types.items.some(({ text }) => text?.text === 'Ingress');
}

function isOfPort(rule: Tree, port: number | null, container: Tree): boolean {
  const ports = itemsAt(rule, 'ports');
  if (ports.length === 0 || port === null) return true;
  return ports.some((one) => {
    if (one.get('port') === null) return true;
    const from = numberOf(one.get('port')) ?? portNamed(container, textAt(one, 'port'));
    const to = numberOf(one.get('endPort')) ?? from;
    return from !== null && to !== null && port >= from && port <= to;
  });
}

/** Without `from` every client; public ranges that together are no larger than a /8 admit only chosen clients. */
function isFromOutside(rule: Tree): boolean {
  const from = itemsAt(rule, 'from');
  const shares = from.map((one) => {
    const except = itemsAt(one, 'ipBlock', 'except');
    return except.reduce(
      (share, { text }) => share - publicShare(text?.text ?? ''),
      publicShare(textAt(one, 'ipBlock', 'cidr')),
    );
  });
  return from.length === 0 || shares.reduce((sum, share) => sum + share, 0) > 2 ** -8;
}

/** The part of all addresses of its family that a range holds; 0 for a private range, and without a range. */
function publicShare(range: string): number {
  const bits = Number(/\/(\d{1,3})$/.exec(range)?.[1] ?? Number.POSITIVE_INFINITY);
  return range === '' || reachOfClients([range]) !== 'any' ? 0 : 2 ** -bits;
}
