/** Who can reach the ports of a pod: by host ports, Services, routes and network policies. */
import { openTo, type PortHop } from '../../facts/hops.js';
import { portHop, reachOfClients } from '../../facts/reach.js';
import { leadsToAny } from '../../reach/address.js';
import { accessThrough, clientsIn, onMachine, withoutOwnLogins } from '../../reach/gate.js';
import type { Scope } from '../launch/files.js';
import type { Container } from '../launch/launch.js';
import { isKnown } from '../text/placed.js';
import { itemsAt, type Tree, textAt } from '../yaml/tree.js';
import { byLabels, type Cluster, isSameNamespace } from './cluster.js';
import { release } from './names.js';
import { policyOf } from './network-policy.js';
import type { KubernetesObject, Pod } from './objects.js';
import { numberOf, portNamed } from './ports.js';
import { gateOfRoute, isInternalBalancer, unreadLimits } from './route-limits.js';
import { hostNamesOf, mayPublish, routesTo, straysIn } from './routes.js';

const everywhere = '0.0.0.0';

/** Returns null on the host network. */
export function containerOf(pod: Pod, node: Tree, cluster: Cluster, files: Scope): Container | null {
  if (pod.spec.get('hostNetwork')?.value === true) return null;
  return new PodPorts(pod, node, cluster, files).read();
}

/** The ports of a container of a pod, and the objects of the cluster that publish or limit them. */
class PodPorts {
  readonly #pod: Pod;
  readonly #node: Tree;
  readonly #cluster: Cluster;
  readonly #files: Scope;
  readonly #isKnative: boolean;
  /** The names that clients use. */
  readonly #hostNames = new Set<string>();
  /** The routes that publish a port. */
  readonly #routes: KubernetesObject[] = [];

  constructor(pod: Pod, node: Tree, cluster: Cluster, files: Scope) {
    this.#pod = pod;
    this.#node = node;
    this.#cluster = cluster;
    this.#files = files;
    this.#isKnative = textAt(pod.of.root, 'apiVersion').startsWith('serving.knative.dev/');
  }

  read(): Container {
    const policy = policyOf(this.#pod, this.#cluster, this.#node);
    for (const one of policy?.policies ?? []) this.#use(one);
    const knative = this.#isKnative ? this.#knative() : [];
    const published = [...this.#hostPorts(), ...this.#services(), ...knative];
    for (const { object, name } of straysIn(this.#cluster).filter((one) => this.#mayBeOwn(one))) {
      const isNear = isSameNamespace(object.namespace, this.#pod.of.namespace);
      const service = `Service ${name}${isNear ? '' : ` of the namespace ${object.namespace}`}`;
      this.#miss(
        `${object.kind} ${object.name} leads to ${service}, which is not among the files and may be its own`,
      );
    }
    if (published.length > 0)
      for (const limit of unreadLimits(this.#pod, this.#routes, this.#cluster))
        this.#miss(`${limit} may limit who reaches its ports, and is not read`);
    return {
      published: published.flatMap(({ route = false, ...one }) =>
        (policy?.admits(one.to, route) ?? true) ? [portHop({ host: everywhere, instead: null, ...one })] : [],
      ),
      network: policy?.network ?? 'pods of the cluster',
      hostNames: this.#knownHostNames(),
    };
  }

  /** Returns null if a template or the release decides a name. */
  #knownHostNames(): string[] | null {
    // The domain of Knative is configured in the cluster.
    if (this.#isKnative) return null;
    const names = [...this.#hostNames].filter((name) => name !== '' && !name.includes('*'));
    return names.every((name) => isKnown(name) && !name.includes(release.Name)) ? names : null;
  }

  #use({ file }: KubernetesObject): void {
    if (file.file !== this.#pod.of.file.file) this.#files.use(file, 'selected');
  }

  /** Who reaches a port depends on a value that a template or another program sets. */
  #unknown(what: string, port: number | null): void {
    this.#miss(`${what} is set later, so who reaches port ${port ?? 'of the container'} cannot be known`);
  }

  #miss(reason: string): void {
    this.#files.miss({ name: null, decides: 'reach', reason });
  }

  /** Whether a route without a pod may lead to this one: by the same port, or by a Service named after the release. */
  #mayBeOwn({ object, name, number }: ReturnType<typeof straysIn>[number]): boolean {
    const { namespace } = this.#pod.of;
    const own = this.#cluster.ofKind('Service').filter((one) => this.#selectsPod(one));
    // Under the same name in another namespace, which whoever applies it may replace.
    if (namespace !== release.Namespace && !isSameNamespace(object.namespace, namespace))
      return own.some((one) => one.name === name);
    const ports = own.flatMap((one) =>
      itemsAt(one.root, 'spec', 'ports').map((entry) => this.#targetOf(entry) ?? numberOf(entry.get('port'))),
    );
    const declared = itemsAt(this.#node, 'ports').map((entry) => numberOf(entry.get('containerPort')));
    return (
      (number !== null && [...ports, ...declared].includes(number)) ||
      own.some((one) => one.name === name || isOfRelease(one.name, name))
    );
  }

  #selectsPod(service: KubernetesObject): boolean {
    const selector = service.root.path('spec', 'selector');
    return (
      (selector?.entries.length ?? 0) > 0 && this.#cluster.selects(byLabels(selector), service, this.#pod)
    );
  }

  #hostPorts(): Routed[] {
    return itemsAt(this.#node, 'ports').flatMap((entry) => {
      const hostPort = entry.get('hostPort');
      const host = entry.get('hostIP')?.text?.text ?? everywhere;
      if (hostPort === null || textAt(entry, 'protocol') === 'UDP') return [];
      const to = numberOf(entry.get('containerPort'));
      if (!isKnown(hostPort.text?.text ?? '') || !isKnown(host)) {
        this.#unknown('hostPort', to);
        return [];
      }
      const remedy = 'Remove hostPort, or set hostIP to 127.0.0.1.';
      return [
        { to, host, port: numberOf(hostPort), at: hostPort.at, because: 'hostPort publishes it', remedy },
      ];
    });
  }

  /** A Service of Knative has a public route of its own to one port of its pods. */
  #knative(): Routed[] {
    const { root } = this.#pod.of;
    const label = 'networking.knative.dev/visibility';
    if (textAt(root, 'metadata', 'labels', label) === 'cluster-local') return [];
    const to = numberOf(this.#node.get('ports')?.items[0]?.get('containerPort') ?? null) ?? 8080;
    const at = (root.get('kind') ?? root).at;
    const because = `${this.#pod.of.kind} ${this.#pod.of.name} of Knative publishes it`;
    const remedy = `Add the label ${label}: cluster-local to ${this.#pod.of.name}.`;
    return [{ to, port: 443, at, because, remedy, route: true }];
  }

  #services(): Routed[] {
    return this.#cluster.ofKind('Service').flatMap((service) => {
      const spec = service.root.get('spec');
      const selector = spec?.get('selector') ?? null;
      if (selector?.text != null && !isKnown(selector.text.text)) return this.#maySelect(service);
      if (!this.#selectsPod(service)) return [];
      this.#use(service);
      for (const name of namesInCluster(service)) this.#hostNames.add(name);
      return itemsAt(spec, 'ports').flatMap((entry) =>
        textAt(entry, 'protocol') === 'UDP' ? [] : this.#ofPort(service, entry),
      );
    });
  }

  /** A Service whose labels are not known matters where it, or a route to it, publishes a port. */
  #maySelect(service: KubernetesObject): Routed[] {
    const ports = itemsAt(service.root, 'spec', 'ports');
    if (ports.some((entry) => this.#ofPort(service, entry).length > 0))
      this.#miss(`the labels that Service ${service.name} selects are not known, and it publishes its ports`);
    return [];
  }

  /** A Service's port, if the Service or a route publishes it. */
  #ofPort(service: KubernetesObject, entry: Tree): Routed[] {
    const { root, name } = service;
    const own = numberOf(entry.get('port'));
    const to = this.#targetOf(entry) ?? own;
    const type = root.path('spec', 'type');
    const kind = type?.text?.text ?? 'ClusterIP';
    if (!isKnown(kind)) this.#unknown(`the type of Service ${name}`, to);
    const addresses = root.path('spec', 'externalIPs');
    if ((addresses?.items.length ?? 0) > 0) {
      const because = `Service ${name} (externalIPs) publishes it`;
      const remedy = `Remove externalIPs from Service ${name}.`;
      return [{ to, port: own, at: (addresses as Tree).at, because, remedy }];
    }
    if ((kind === 'LoadBalancer' && !isInternal(root)) || kind === 'NodePort') {
      const port = kind === 'NodePort' ? numberOf(entry.get('nodePort')) : own;
      const because = `Service ${name} (${kind}) publishes it`;
      const remedy = `Set the type of Service ${name} to ClusterIP; clients outside the cluster lose their access.`;
      // A port of the machine is allowed for the other types only.
      const instead = entry.get('nodePort') === null ? 'ClusterIP' : null;
      return [{ to, port, at: (type as Tree).at, because, remedy, instead }];
    }
    for (const { kind, name: other } of mayPublish(service, this.#cluster))
      this.#miss(`${kind} ${other} may publish Service ${name}, and is not read`);
    return this.#routed(service, own, textAt(entry, 'name')).map((one) => ({ to, ...one }));
  }

  /** The routes that publish a port of a Service. */
  #routed(service: KubernetesObject, port: number | null, name: string) {
    return routesTo(service, port, name, this.#cluster).map(({ object, at, middlewares }) => {
      this.#use(object);
      this.#routes.push(object);
      for (const host of hostNamesOf(object)) this.#hostNames.add(host);
      const remedy = `Remove the route to it from ${object.kind} ${object.name}, or let a proxy ask for a login.`;
      const { gate, by, ...changes } = gateOfRoute(object, middlewares, this.#cluster);
      for (const one of by) this.#use(one);
      const own = namesInCluster({ ...service, namespace: service.namespace ?? 'default' });
      const asking = withoutOwnLogins(gate, leadsToAny(own));
      const through = accessThrough({ gate: asking, listens: null }, onMachine);
      if ('unread' in through) this.#miss(`of ${object.kind} ${object.name}, ${through.unread}`);
      const because = `${object.kind} ${object.name} publishes it${clientsIn(gate)}`;
      const access = 'unread' in through ? openTo('any') : through;
      return { ...changes, port: 443, at, because, remedy, access, route: true };
    });
  }

  /** The container's port; a port name is resolved in the container. */
  #targetOf(entry: Tree): number | null {
    const target = entry.get('targetPort');
    const name = target?.text?.text ?? '';
    if (/^\d+$/.test(name)) return Number(name);
    return name === '' ? null : portNamed(this.#node, name);
  }
}

/** Whether a release of another name may give a Service this name. */
function isOfRelease(service: string, name: string): boolean {
  const [before = '', ...after] = service.split(release.Name);
  return (
    after.length === 1 && name.startsWith(before) && name.endsWith(after[0] ?? '') && service !== release.Name
  );
}

/** The names by which the cluster's DNS resolves a Service. */
function namesInCluster({ name, namespace }: Pick<KubernetesObject, 'name' | 'namespace'>): string[] {
  const inNamespace = namespace === null ? [] : [`${name}.${namespace}`, `${name}.${namespace}.svc`];
  return [name, ...inNamespace, ...inNamespace.slice(1).map((one) => `${one}.cluster.local`)];
}

/** A port that every address reaches unless it names a host; `route`: by a proxy inside the cluster. */
type Routed = Omit<Parameters<typeof portHop>[0], 'host' | 'instead'> &
  Partial<Pick<PortHop, 'host' | 'instead'>> & { readonly route?: boolean };

/** A load balancer that only the private network reaches: by the provider's annotation, or by its source ranges. */
export function isInternal(root: Tree): boolean {
  const ranges = itemsAt(root, 'spec', 'loadBalancerSourceRanges');
  return (
    isInternalBalancer(root.path('metadata', 'annotations')) ||
    reachOfClients(ranges.map(({ text }) => text?.text ?? '')) !== 'any'
  );
}
