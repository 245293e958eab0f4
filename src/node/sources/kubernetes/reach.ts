/** Which ports of a pod are published: by host ports, Services and Ingresses. */
import type { Container, Published } from '../launch/launch.js';
import type { YamlNode } from '../yaml/node.js';
import { type Resources, textsOf, type Workload } from './resources.js';

/** null on the host network. */
export function containerOf(workload: Workload, container: YamlNode, resources: Resources): Container | null {
  if (workload.spec.get('hostNetwork')?.value === true) return null;
  const published = [...hostPorts(container), ...ofServices(workload, container, resources)];
  return { published, network: 'the cluster network' };
}

function hostPorts(container: YamlNode): Published[] {
  return (container.get('ports')?.items ?? []).flatMap((entry) => {
    const hostPort = entry.get('hostPort');
    if (hostPort === null || entry.get('protocol')?.text?.text === 'UDP') return [];
    const host = entry.get('hostIP')?.text?.text ?? '0.0.0.0';
    const because = 'hostPort publishes it';
    const port = numberOf(entry.get('containerPort'));
    return [{ port, host, hostPort: numberOf(hostPort), at: hostPort.at, because, instead: null }];
  });
}

function ofServices(workload: Workload, container: YamlNode, resources: Resources): Published[] {
  return resources.services.flatMap((service) => {
    const selector = textsOf(service.path('spec', 'selector'));
    if (selector.size === 0 || [...selector].some(([key, value]) => workload.labels.get(key) !== value))
      return [];
    const name = service.path('metadata', 'name')?.text?.text ?? '';
    return (service.path('spec', 'ports')?.items ?? []).flatMap((entry) => {
      if (entry.get('protocol')?.text?.text === 'UDP') return [];
      return portOf(service, name, entry, container, resources);
    });
  });
}

/** A Service's port, if the Service's type or an Ingress publishes it. */
function portOf(
  service: YamlNode,
  name: string,
  entry: YamlNode,
  container: YamlNode,
  resources: Resources,
): Published[] {
  const type = service.path('spec', 'type')?.text?.text ?? 'ClusterIP';
  const own = numberOf(entry.get('port'));
  const port = targetOf(entry, container) ?? own;
  const at = (entry.get('targetPort') ?? entry.get('port'))?.at ?? entry.at;
  const base = { port, host: '0.0.0.0', instead: null };
  if (type === 'LoadBalancer' || type === 'NodePort') {
    const hostPort = type === 'NodePort' ? numberOf(entry.get('nodePort')) : own;
    const place = service.path('spec', 'type')?.at ?? at;
    return [{ ...base, hostPort, at: place, because: `Service ${name} (${type}) publishes it` }];
  }
  return resources.ingresses.flatMap((ingress) => {
    const place = backendOf(ingress, name, own, entry.get('name')?.text?.text);
    const called = ingress.path('metadata', 'name')?.text?.text ?? '';
    return place === null
      ? []
      : [{ ...base, hostPort: 443, at: place.at, because: `Ingress ${called} publishes it` }];
  });
}

/** The container's port; a port name is resolved in the container. */
function targetOf(entry: YamlNode, container: YamlNode): number | null {
  const target = entry.get('targetPort');
  if (target === null) return null;
  const name = target.text?.text ?? '';
  if (/^\d+$/.test(name)) return Number(name);
  const port = container.get('ports')?.items.find((one) => one.get('name')?.text?.text === name);
  return numberOf(port?.get('containerPort') ?? null);
}

/** Where an Ingress names a Service's port; null if it does not. */
function backendOf(
  ingress: YamlNode,
  service: string,
  port: number | null,
  portName: string | undefined,
): YamlNode | null {
  const rules = ingress.path('spec', 'rules')?.items ?? [];
  const paths = rules.flatMap((rule) => rule.path('http', 'paths')?.items ?? []);
  const backends = [
    ingress.path('spec', 'defaultBackend'),
    ingress.path('spec', 'backend'),
    ...paths.map((path) => path.get('backend')),
  ];
  for (const backend of backends) {
    const name = backend?.path('service', 'name') ?? backend?.get('serviceName') ?? null;
    const wanted = (
      backend?.path('service', 'port', 'number') ??
      backend?.path('service', 'port', 'name') ??
      backend?.get('servicePort')
    )?.text?.text;
    const same = wanted === undefined || wanted === String(port) || wanted === portName;
    if (name?.text?.text === service && same) return name;
  }
  return null;
}

function numberOf(node: YamlNode | null): number | null {
  const text = node?.text?.text ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
