/** Reads compose files: one launch for each service that starts a node. */

import { environmentLines } from '../environment/environment.js';
import type { Scope } from '../launch/files.js';
import type { Container, Context, Launch, Launches, Published } from '../launch/launch.js';
import { launchesOf } from '../script/container.js';
import { interpolate } from '../text/interpolate.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { wordsOf } from '../text/words.js';
import { readYaml } from '../yaml/document.js';
import type { YamlNode } from '../yaml/node.js';
import { environmentOf, type Layer } from './environment.js';
import { publishedBy } from './ports.js';

const maxServices = 500;
const maxExtends = 8;

/** Reads a compose file, or the output of `docker compose config`. */
export function readCompose(file: LineIndex, context: Context): Launches {
  return new Compose(file, context).read();
}

class Compose {
  private readonly file: LineIndex;
  /** Of the service that is read; before the first, of the whole file. */
  files: Scope;
  private readonly context: Context;
  readonly problems: Launches['problems'][number][] = [];
  private readonly notes = new Set<string>();
  private readonly variables = new Map<string, Placed>();
  readonly fill = (text: Placed): Placed => interpolate(text, this.variables);

  constructor(file: LineIndex, context: Context) {
    this.file = file;
    this.files = context.files.scope();
    this.context = context;
  }

  read(): Launches {
    const documents = readYaml(this.file);
    this.problems.push(...documents.flatMap(({ problem }) => problem ?? []));
    const launches: Launch[] = [];
    const dotenv = this.file.text.includes('$') ? this.files.read('.env', this.file, 'environment') : null;
    if (dotenv !== null && !('problem' in dotenv))
      for (const { name, value } of environmentLines(dotenv)) this.variables.set(name, value);
    for (const { root } of documents) {
      const services = root?.get('services')?.entries ?? [];
      if (services.length > maxServices) this.notes.add(`only the first ${maxServices} services are read`);
      for (const { key, value } of services.slice(0, maxServices))
        if (value !== null) launches.push(...this.service(key.text, value, root as YamlNode));
    }
    return { launches, problems: this.problems, notes: [...this.notes] };
  }

  private service(name: string, node: YamlNode, root: YamlNode): Launch[] {
    const layers = this.layers({ node, file: this.file }, root, 0);
    const words = [...this.words(layers, 'entrypoint'), ...this.words(layers, 'command')];
    const image = last(layers, 'image')?.node.text ?? null;
    const { steps, kinds } = this.context;
    return launchesOf({
      name,
      words,
      environment: environmentOf(layers, this),
      container: this.container(layers, root),
      image: image === null ? null : this.fill(image),
      file: (path) => this.mounted(layers, path),
      files: this.files,
      steps,
      kinds,
    });
  }

  /** The service, preceded by the services it extends, in this file or in another file of the folder. */
  private layers(layer: Layer, root: YamlNode, depth: number): Layer[] {
    const extended = layer.node.get('extends');
    if (extended === null || depth >= maxExtends) return [layer];
    const name = (extended.text ?? extended.get('service')?.text)?.text ?? '';
    const path = extended.get('file')?.text ?? null;
    const other = path === null ? { file: layer.file, root } : this.other(path, layer.file);
    const base = other?.root?.path('services', name) ?? null;
    return other === null || base === null || base === layer.node
      ? [layer]
      : [...this.layers({ node: base, file: other.file }, other.root as YamlNode, depth + 1), layer];
  }

  private other(path: Placed, from: LineIndex): { file: LineIndex; root: YamlNode | null } | null {
    const file = this.files.read(this.fill(path).text, from, 'extended');
    if ('problem' in file) {
      this.problems.push({ message: file.problem, at: path.span() });
      return null;
    }
    const [document] = readYaml(file);
    if (document?.problem) this.problems.push(document.problem);
    return { file, root: document?.root ?? null };
  }

  /** A command as a list or as a text; later layers override earlier ones. */
  private words(layers: readonly Layer[], key: string): Placed[] {
    const node = last(layers, key)?.node ?? null;
    if (node === null) return [];
    if (node.isList) return node.items.flatMap(({ text }) => (text === null ? [] : [this.fill(text)]));
    return node.text === null ? [] : wordsOf(this.fill(node.text));
  }

  /** The container's published ports; null on the host network. */
  private container(layers: readonly Layer[], root: YamlNode): Container | null {
    const mode = last(layers, 'network_mode')?.node.text?.text ?? '';
    if (mode === 'host') return null;
    const shared = /^service:(.+)$/.exec(mode)?.[1];
    const other = shared === undefined ? null : (root.path('services', shared) ?? null);
    const published: Published[] = [];
    for (const { node } of other === null ? layers : [{ node: other }])
      for (const entry of node.get('ports')?.items ?? []) published.push(...publishedBy(entry, this.fill));
    return { published, network: 'this machine and other containers of its network' };
  }

  /** The text of a file that `volumes` mounts at a path of the container. */
  private mounted(layers: readonly Layer[], path: string): Placed | null {
    for (const { node, file } of layers.toReversed()) {
      for (const entry of node.get('volumes')?.items ?? []) {
        const source = sourceOf(entry, path);
        const found = source === null ? null : this.files.read(this.fill(source).text, file, 'mounted');
        if (found !== null && !('problem' in found)) return Placed.at(found);
        if (found !== null) this.notes.add(found.problem);
      }
    }
    return null;
  }
}

/** A key's value in the last layer that sets it. */
function last(layers: readonly Layer[], key: string): Layer | null {
  for (const { node, file } of layers.toReversed()) {
    const found = node.get(key);
    if (found !== null) return { node: found, file };
  }
  return null;
}

/** The source of a volume that mounts `path`, if it is relative to the compose file. */
function sourceOf(entry: YamlNode, path: string): Placed | null {
  const { text } = entry;
  const target = text === null ? entry.get('target')?.text?.text : text.text.split(':')[1];
  const source = text === null ? (entry.get('source')?.text ?? null) : text.slice(0, text.text.indexOf(':'));
  if (target === undefined || source === null || !isKnown(source.text)) return null;
  if (!/^\.{0,2}\//.test(source.text)) return null;
  if (target === path) return source;
  const folder = target.endsWith('/') ? target : `${target}/`;
  return path.startsWith(folder)
    ? source.as(`${source.text.replace(/\/$/, '')}/${path.slice(folder.length)}`)
    : null;
}
