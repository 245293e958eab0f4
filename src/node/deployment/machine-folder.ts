/** The files of one machine among those of a folder. */
import { basename, dirname, join, relative } from 'node:path';
import { endsWithGlob } from '../../util/wildcard.js';

/** Folders that sort the files of a machine by program. */
const sorting =
  /^(?:conf(?:ig)?|systemd|system|default|firewall|firewalld|zones|nftables|iptables|ufw|nginx|caddy|haproxy|apache2?|httpd|conf\.d|sites-\w+|snippets|k[a-z]nd?)$/;

/**
 * The folder of the machine that a file belongs to, below the root: above `etc`, or the folder of the file, without those
 * that sort files by program.
 */
function machineFolder(root: string, path: string): string {
  const folder = dirname(relative(root, path));
  const parts = folder.split(/[\\/]/).filter((part) => part !== '.');
  const system = parts.findIndex((part) => /^(?:etc|usr|opt|var)$/.test(part));
  if (system >= 0) return parts.slice(0, system).join('/');
  while (sorting.test(parts.at(-1) ?? '')) parts.pop();
  return parts.join('/');
}

/** The folders of proxies on machines, which often stand alone among the files of a deployment. */
const ofProxy =
  /^(?:\/usr\/local|\/opt\/homebrew)?\/etc\/(?:nginx|caddy)\/|^\/usr\/local\/(?:openresty\/)?nginx\/conf\//;
const ofParts = /^(?:conf\.d|http\.d|sites-\w+|snippets)$/;

/**
 * The files that a path names, or a pattern for names in one folder, where one file of a machine includes others. Returns null if there is none
 * of the files of the folder, or it is not known which.
 * @param pathsIn - the paths of the files in a folder
 */
export function includedPaths(
  words: string,
  from: string,
  root: string,
  pathsIn: (folder: string) => readonly string[],
): readonly string[] | null {
  const name = basename(words);
  if (/[*?[{$]/.test(dirname(words)) || /[[{$]/.test(name)) return null;
  const own = dirname(from);
  const tail = words.replace(ofProxy, '');
  const isOfProxy = words.startsWith('/') && tail !== words;
  const places = [
    ...(words.startsWith('/') ? [words, join(root, machineFolder(root, from), words)] : [join(own, words)]),
    ...(isOfProxy ? [join(own, tail)] : []),
    ...(isOfProxy && ofParts.test(basename(own)) ? [join(own, '..', tail)] : []),
  ];
  const isIt = (path: string) => !basename(path).startsWith('.') && endsWithGlob(path, name);
  const found = [...new Set(places.map((place) => dirname(place)))]
    .map((folder) => pathsIn(folder).filter(isIt))
    .filter((paths) => paths.length > 0);
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : [...only].sort();
}
