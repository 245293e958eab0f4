/** What the lines around the start of a container say of its environment and of its ports, in any format. */

/** Who reaches the ports of a container; `none`: other containers of its network, or it is no container. */
export type PublishedTo = 'any' | 'loopback' | 'none' | 'host';

const host =
  /\bnetwork_mode["']?[ \t]*:[ \t]*["']?host\b|--net(?:work)?[= ]host\b|\bhostNetwork["']?[ \t]*:[ \t]*true\b|^Network[ \t]*=[ \t]*host\b/m;
const port =
  /(?:(?:^[ \t]*-|[[,])[ \t]*["']?|(?:^|\s)(?:-p|--publish|PublishPort)[ =]["']?)(?:([\d.]+|\[[^\]]+\]|\$\{?\w+[^:\s]*\}?):)?[\d$][^:\s"']*:[\d$][^\s"']*/gm;
const other = /\b(?:hostPort|nodePort|published)["']?[ \t]*:|(?:^|\s)(?:-P|--publish-all)(?:\s|$)/m;

/** `isForPeers`: whether a port of the container is one at which only peers connect, as the name of its variable says too. */
export function publishedIn(
  text: string,
  isForPeers: (target: number) => boolean = () => false,
): PublishedTo {
  if (host.test(text)) return 'host';
  const ports = [...text.matchAll(port)]
    .filter(([entry]) => !/p2p|peer|\/udp$/i.test(entry) && !targetsIn(entry).some(isForPeers))
    .map(([, address]) => address ?? '');
  if (other.test(text) || ports.some((address) => !/^(?:127\.|\[::1\])/.test(address))) return 'any';
  return ports.length > 0 ? 'loopback' : 'none';
}

/** The ports of a container that are published by their numbers: 8545 of `${PORT:-80}:8545`. */
export function targetsIn(text: string): number[] {
  return [...text.matchAll(port)].flatMap(([entry]) => {
    const target = /:(\d+)(?:\/tcp)?$/.exec(entry)?.[1];
    return target === undefined ? [] : [Number(target)];
  });
}

/** Variables with their values; null if it cannot be known. A file of variables makes one unknown word. */
export function environmentIn(text: string): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const [, name = '', value = ''] of text.matchAll(
    /(?<![\w$.{-])([A-Z][A-Z0-9_]{2,80})["']?[ \t]*[:=][ \t]*["']?([^\s"']*)/g,
  ))
    found.set(name, value.includes('$') ? null : value);
  for (const [, name = '', value = ''] of text.matchAll(
    /name["']?:[ \t]*["']?([A-Z][A-Z0-9_]{2,80})["']?[ \t]*\r?\n[ \t]*value:[ \t]*["']?([^\s"']*)/g,
  ))
    found.set(name, value);
  return found;
}

/** Whether a file of variables or of settings, or the template of a chart's values, decides more than the lines say. */
export function hasMore(text: string): boolean {
  return /\b(?:env_file|envFrom|EnvironmentFile|--env-file|configMapRef|secretRef)\b|^[ \t]*repository:/m.test(
    text,
  );
}
