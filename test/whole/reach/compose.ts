/** Generated compose files: the node as a container with published ports, and a proxy beside it. */
import { type Draft, folders, indented, type ProxyName, type Published } from './draft.js';

const images: Readonly<Record<ProxyName, string>> = {
  nginx: 'nginx:1.27',
  caddy: 'caddy:2.8',
  haproxy: 'haproxy:3.0',
};

/** Publishes interfaces of the node, before a proxy may lead to the ports of its machine. */
export function publishNode(draft: Draft, mayBeHidden: boolean): void {
  const { random, ofNode, published } = draft;
  const [{ port: first } = { port: 0 }, { port: second } = { port: 0 }] = ofNode;
  if (second === first + 1 && random.chance(0.4))
    published.push(...draft.publish(ofNode, `${first}-${second}:${first}-${second}`));
  else
    for (const one of ofNode)
      if (!random.chance(mayBeHidden ? 0.5 : 0.15)) published.push(...draft.publish([one]));
}

/** Writes the compose file, once the files of the proxies and their ports are known. */
export function addCompose(draft: Draft, node: readonly string[]): void {
  const { random, placing, proxies } = draft;
  const isShared = placing === 'host' || draft.isProxyOutside;
  const own = isShared ? [] : draft.ports.filter(() => random.chance(0.9)).map((one) => [one]);
  const forProxy = own.flatMap((one) => draft.publish(one));
  const network = placing === 'host' ? ['network_mode: host'] : [];
  const services = [
    'kaia:',
    ...indented([...node, ...network, ...portsOf(draft.published), ...exposed(draft)], '  '),
    ...(placing === 'host' ? [] : ['web:', '  image: example/web:1.0']),
    ...(draft.isProxyOutside ? [] : proxies).flatMap((name) => [
      `${name}:`,
      ...indented(
        [`image: ${images[name]}`, ...network, ...mountsOf(draft, name), ...portsOf(forProxy)],
        '  ',
      ),
    ]),
  ];
  draft.published.push(...forProxy);
  if (draft.variables.length > 0) draft.write('/srv/kaia/.env', '.env', `${draft.variables.join('\n')}\n`);
  const name = random.pick(['docker-compose.yml', 'compose.yaml']);
  draft.write(`/srv/kaia/${name}`, name, `${['services:', ...indented(services, '  ')].join('\n')}\n`);
}

function mountsOf({ files }: Draft, name: ProxyName): string[] {
  const own = files.filter(({ path, read }) => path.startsWith(`/etc/${folders[name]}/`) && read !== null);
  return ['volumes:', ...own.map(({ path, read }) => `  - ./${read}:${path}:ro`)];
}

const portsOf = (published: readonly Published[]) => {
  const entries = [...new Set(published.map(({ entry }) => entry.join('\n')))];
  return entries.length === 0 ? [] : ['ports:', ...indented(entries.join('\n').split('\n'), '  ')];
};

function exposed({ random, ofNode, placing }: Draft): string[] {
  return placing === 'bridge' && random.chance(0.3)
    ? ['expose:', ...ofNode.map(({ port }) => `  - "${port}"`)]
    : [];
}
