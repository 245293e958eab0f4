/** What a service mounts: `volumes`, `volumes_from`, `configs` and `secrets`. */
import type { Scope } from '../launch/files.js';
import { type Mount, type MountSource, mountBetween, mountOf } from '../script/mounts.js';
import { Placed } from '../text/placed.js';
import { itemsOf } from './layers.js';
import type { Layer, Project } from './project.js';

/** Of services that mount the volumes of another one. */
const maxDepth = 4;

/** The mounts of a service, later ones over earlier ones. */
export function mountsOf(layers: readonly Layer[], project: Project, files: Scope, depth = 0): Mount[] {
  return [
    ...itemsOf(layers, 'volumes_from').flatMap(({ node }) => {
      const [name = ''] = (project.textOf(node)?.text ?? '').split(':');
      return depth < maxDepth ? mountsOf(project.layersOf(name, files), project, files, depth + 1) : [];
    }),
    ...itemsOf(layers, 'volumes').flatMap((layer) => volumeOf(layer, project) ?? []),
    ...itemsOf(layers, 'configs').flatMap((layer) => objectOf('configs', layer, project) ?? []),
    ...itemsOf(layers, 'secrets').flatMap((layer) => objectOf('secrets', layer, project) ?? []),
  ];
}

function volumeOf({ node, file }: Layer, project: Project): Mount | null {
  const field = (...names: readonly string[]) => project.textOf(node.path(...names))?.text ?? '';
  const short = project.textOf(node)?.text ?? null;
  if (short === null && field('type') === 'tmpfs') return null;
  const mount =
    (short === null ? null : mountOf(short, file)) ?? mountBetween(field('source'), field('target'), file);
  if (mount === null || mount.source instanceof Placed || !('problem' in mount.source)) return mount;
  const name = short === null ? field('source') : (short.split(':')[0] ?? '');
  return boundVolume(name, mount.target, field('volume', 'subpath'), project) ?? mount;
}

/** A named volume that is a folder of the machine: `driver_opts: { o: bind, device: ./conf }`. */
function boundVolume(name: string, target: string, subpath: string, project: Project): Mount | null {
  const defined = project.defined('volumes', name);
  const device = project.textOf(defined?.node.path('driver_opts', 'device'));
  if (defined === null || device === null) return null;
  return mountBetween([device.text, subpath].filter(Boolean).join('/'), target, defined.file);
}

/** A config or a secret: the text is in the file, in another file, or elsewhere. */
function objectOf(part: 'configs' | 'secrets', { node }: Layer, project: Project): Mount | null {
  const name = (node.text ?? node.get('source')?.text)?.text;
  if (name === undefined) return null;
  const folder = part === 'configs' ? '/' : '/run/secrets/';
  const target = node.get('target')?.text?.text ?? `${folder}${name}`;
  const at = target.startsWith('/') ? target : `${folder}${target}`;
  return { target: at, source: sourceOf(part, name, at, project) };
}

function sourceOf(part: 'configs' | 'secrets', name: string, at: string, project: Project): MountSource {
  const defined = project.defined(part, name);
  const content = project.textOf(defined?.node.get('content'));
  if (content !== null) return content;
  const path = project.textOf(defined?.node.get('file'));
  if (defined !== null && path !== null) return { path: path.text, from: defined.file };
  return {
    problem: `${part.slice(0, -1)} ${name} is mounted at ${at}, and its content is not among the files`,
  };
}
