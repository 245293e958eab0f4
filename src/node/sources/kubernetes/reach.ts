/** Who can reach the ports of a pod: by host ports, Services, routes and network policies. */
import { openTo } from '../../facts/hops.js';
import { portHop, reachOfClients } from '../../facts/reach.js';
import { accessThrough, clientsIn, onMachine } from '../../reach/gate.js';
import type { Scope } from '../launch/files.js';
import type { Container } from '../launch/launch.js';
import { isKnown } from '../text/placed.js';
import { type Tree, textAt } from '../yaml/tree.js';
import { byLabels, type Cluster, isSameNamespace } from './cluster.js';
import { release } from './names.js';
import { policyOf } from './network-policy.js';
import type { KubernetesObject, Pod } from './objects.js';
import { numberOf, portNamed } from './ports.js';
import { gateOfRoute, isInternalBalancer, unreadLimits } from './route-limits.js';
import { hostNamesOf, mayPublish, routesTo, straysIn } from './routes.js';

const everywhere = '0.0.0.0';

/** null on the host network. */
export function containerOf(pod: Pod, node: Tree, cluster: Cluster, files: Scope): Container | null {
  if (pod.spec.get('hostNetwork')?.value === true) return null;
  const hostNames = new Set<string>();
  const routes: KubernetesObject[] = [];
  const policy = policyOf(pod, cluster, node);
  for (const one of policy?.policies ?? []) use(one);
  const isKnative = textAt(pod.of.root, 'apiVersion').startsWith('serving.knative.dev/');
  const published = [...hostPorts(), ...services(), ...(isKnative ? knative() : [])];
  for (const { object, name } of straysIn(cluster).filter(mayBeOwn)) {
    const isNear = isSameNamespace(object.namespace, pod.of.namespace);
    const service = `Service ${name}${isNear ? '' : ` of the namespace ${object.namespace}`}`;
    miss(
      `${object.kind} ${object.name} leads to ${service}, which is not among the files and may be its own`,
    );
  }
  if (published.length > 0)
    for (const limit of unreadLimits(pod, routes, cluster))
      miss(`${limit} may limit who reaches its ports, and is not read`);
  return {
    published: published.flatMap(({ route, ...one }) =>
      (policy?.admits(one.to, route) ?? true) ? [portHop(one)] : [],
    ),
    network: policy?.network ?? 'pods of the cluster',
    hostNames: knownHostNames(),
  };

  /** null where a template or the release decides a name. */
  function knownHostNames(): string[] | null {
    // The domain of Knative is configured in the cluster.
    if (isKnative) return null;
    const names = [...hostNames].filter((name) => name !== '' && !name.includes('*'));
    return names.every((name) => isKnown(name) && !name.includes(release.Name)) ? names : null;
  }

  function use({ file }: KubernetesObject): void {
    if (file.file !== pod.of.file.file) files.use(file, 'selected');
  }

  /** Who reaches a port depends on a value that a template or another program sets. */
  function unknown(what: string, port: number | null): void {
    miss(`${what} is set later, so who reaches port ${port ?? 'of the container'} cannot be known`);
  }

  function miss(reason: string): void {
    files.miss({ name: null, decides: 'reach', reason });
  }

  /** A chart names its Service by the release; elsewhere the port of the container is a sign. */
  function mayBeOwn({ object, name, number }: ReturnType<typeof straysIn>[number]): boolean {
    const { namespace } = pod.of;
    const own = cluster.ofKind('Service').filter((one) => selectsPod(one));
    // Under the same name in another namespace, which whoever applies it may replace.
    if (namespace !== release.Namespace && !isSameNamespace(object.namespace, namespace))
      return own.some((one) => one.name === name);
    const ports = own.flatMap((one) =>
      (one.root.path('spec', 'ports')?.items ?? []).map(
        (entry) => targetOf(entry) ?? numberOf(entry.get('port')),
      ),
    );
    const declared = (node.get('ports')?.items ?? []).map((entry) => numberOf(entry.get('containerPort')));
    return (
      (number !== null && [...ports, ...declared].includes(number)) ||
      own.some((one) => one.name === name || isOfRelease(one.name, name))
    );
  }

  function selectsPod(service: KubernetesObject): boolean {
    const selector = service.root.path('spec', 'selector');
    return (selector?.entries.length ?? 0) > 0 && cluster.selects(byLabels(selector), service, pod);
  }

  function hostPorts(): Routed[] {
    return (node.get('ports')?.items ?? []).flatMap((entry) => {
      const hostPort = entry.get('hostPort');
      const host = entry.get('hostIP')?.text?.text ?? everywhere;
      if (hostPort === null || textAt(entry, 'protocol') === 'UDP') return [];
      const to = numberOf(entry.get('containerPort'));
      if (!isKnown(hostPort.text?.text ?? '') || !isKnown(host)) {
        unknown('hostPort', to);
        return [];
      }
      const because = 'hostPort publishes it';
      const remedy = 'Remove hostPort, or set hostIP to 127.0.0.1.';
      const at = hostPort.at;
      return [{ to, host, port: numberOf(hostPort), at, because, remedy, instead: null, route: false }];
    });
  }

  /** A Service of Knative has a public route of its own to one port of its pods. */
  function knative(): Routed[] {
    const { root } = pod.of;
    const label = 'networking.knative.dev/visibility';
    if (textAt(root, 'metadata', 'labels', label) === 'cluster-local') return [];
    const to = numberOf(node.get('ports')?.items[0]?.get('containerPort') ?? null) ?? 8080;
    const at = (root.get('kind') ?? root).at;
    const because = `${pod.of.kind} ${pod.of.name} of Knative publishes it`;
    const remedy = `Add the label ${label}: cluster-local to ${pod.of.name}.`;
    return [{ to, host: everywhere, port: 443, at, because, remedy, instead: null, route: true }];
  }

  function services(): Routed[] {
    return cluster.ofKind('Service').flatMap((service) => {
      const spec = service.root.get('spec');
      const selector = spec?.get('selector') ?? null;
      if (selector?.text != null && !isKnown(selector.text.text)) return maySelect(service);
      if (!selectsPod(service)) return [];
      use(service);
      for (const name of namesInCluster(service)) hostNames.add(name);
      return (spec?.get('ports')?.items ?? []).flatMap((entry) =>
        textAt(entry, 'protocol') === 'UDP' ? [] : ofPort(service, entry),
      );
    });
  }

  /** A Service whose labels are not known matters where it, or a route to it, publishes a port. */
  function maySelect(service: KubernetesObject): Routed[] {
    const ports = service.root.path('spec', 'ports')?.items ?? [];
    if (ports.some((entry) => ofPort(service, entry).length > 0))
      miss(`the labels that Service ${service.name} selects are not known, and it publishes its ports`);
    return [];
  }

  /** A Service's port, if the Service or a route publishes it. */
  function ofPort(service: KubernetesObject, entry: Tree): Routed[] {
    const { root, name } = service;
    const own = numberOf(entry.get('port'));
    const to = targetOf(entry) ?? own;
    const base = { to, host: everywhere, instead: null };
    const type = root.path('spec', 'type');
    const kind = type?.text?.text ?? 'ClusterIP';
    if (!isKnown(kind)) unknown(`the type of Service ${name}`, to);
    const addresses = root.path('spec', 'externalIPs');
    if ((addresses?.items.length ?? 0) > 0) {
      const because = `Service ${name} (externalIPs) publishes it`;
      const remedy = `Remove externalIPs from Service ${name}.`;
      return [{ ...base, port: own, at: (addresses as Tree).at, because, remedy, route: false }];
    }
    if ((kind === 'LoadBalancer' && !isInternal(root)) || kind === 'NodePort') {
      const port = kind === 'NodePort' ? numberOf(entry.get('nodePort')) : own;
      const because = `Service ${name} (${kind}) publishes it`;
      const remedy = `Set the type of Service ${name} to ClusterIP; clients outside the cluster lose their access.`;
      // A port of the machine is allowed for the other types only.
      const instead = entry.get('nodePort') === null ? 'ClusterIP' : null;
      return [{ ...base, port, at: (type as Tree).at, because, remedy, instead, route: false }];
    }
    for (const { kind, name: other } of mayPublish(service, cluster))
      miss(`${kind} ${other} may publish Service ${name}, and is not read`);
    return routesTo(service, own, textAt(entry, 'name'), cluster).map(({ object, at, middlewares }) => {
      use(object);
      routes.push(object);
      for (const name of hostNamesOf(object)) hostNames.add(name);
      const remedy = `Remove the route to it from ${object.kind} ${object.name}, or let a proxy ask for a login.`;
      const { gate, by, changes } = gateOfRoute(object, middlewares, cluster);
      for (const one of by) use(one);
      const through = accessThrough({ gate, listens: null }, onMachine);
      if ('unread' in through) miss(`of ${object.kind} ${object.name}, ${through.unread}`);
      const because = `${object.kind} ${object.name} publishes it${clientsIn(gate)}`;
      const access = 'unread' in through ? openTo('any') : through;
      const changed = changes === undefined ? {} : { changes };
      return { ...base, ...changed, port: 443, at, because, remedy, access, route: true };
    });
  }

  /** The container's port; a port name is resolved in the container. */
  function targetOf(entry: Tree): number | null {
    const target = entry.get('targetPort');
    const name = target?.text?.text ?? '';
    if (/^\d+$/.test(name)) return Number(name);
    return name === '' ? null : portNamed(node, name);
  }
}

/** True where a release of another name may give a Service this name. */
function isOfRelease(service: string, name: string): boolean {
  const [before = '', ...after] = service.split(release.Name);
  return (
    after.length === 1 && name.startsWith(before) && name.endsWith(after[0] ?? '') && service !== release.Name
  );
}

/** The names by which the cluster's DNS resolves a Service. */
function namesInCluster({ name, namespace }: KubernetesObject): string[] {
  const inNamespace = namespace === null ? [] : [`${name}.${namespace}`, `${name}.${namespace}.svc`];
  return [name, ...inNamespace, ...inNamespace.slice(1).map((one) => `${one}.cluster.local`)];
}

/** `route`: a proxy inside the cluster forwards to it. */
type Routed = Parameters<typeof portHop>[0] & { readonly route: boolean };

/** A load balancer that only the private network reaches: by the provider's annotation, or by its source ranges. */
export function isInternal(root: Tree): boolean {
  const ranges = root.path('spec', 'loadBalancerSourceRanges')?.items ?? [];
  return (
    isInternalBalancer(root.path('metadata', 'annotations')) ||
    reachOfClients(ranges.map(({ text }) => text?.text ?? '')) !== 'any'
  );
}
