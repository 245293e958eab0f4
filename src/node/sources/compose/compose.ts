/** Reads compose files: one launch for each service that starts a node, with its `volumes`, `configs` and `secrets`. */

import { basename, dirname, isAbsolute, join } from 'node:path';
import { once } from '../../../util/once.js';
import { oncePer } from '../../../util/once-per.js';
import { environmentLines, variableOf } from '../environment/environment.js';
import { type Recipe, recipeOf, shellForm, startWords } from '../image/recipe.js';
import type { Scope, UnfollowedStart } from '../launch/files.js';
import type { Container, Context, Launch, Launches, LaunchVariable } from '../launch/launch.js';
import { builtElsewhere } from '../script/built-image.js';
import { launchesOf } from '../script/launches.js';
import { type Mount, type MountSource, mountBetween, mountedAt, mountOf } from '../script/mounts.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { Steps } from '../text/steps.js';
import { pairOf, splitWords } from '../text/words.js';
import type { YamlNode } from '../yaml/node.js';
import { itemsOf, last, mergePairs } from './layers.js';
import { type Layer, type Project, projectsOf, type Service } from './project.js';
import { containerOf } from './reach.js';

/** Reads a compose file with the files that its project merges, or the output of `docker compose config`. */
export function readCompose(file: LineIndex, context: Context): Launches {
  const files = context.files.scope();
  const { projects, problems, notes } = projectsOf(file, files);
  const read = new Set<string>();
  const unread: UnfollowedStart[] = [];
  context.steps.commands = Math.max(1, ...projects.map((project) => project.services().length));
  const launches = projects.flatMap((project) => {
    // Every service depends on the files that the project read until here.
    const ofProject = [...project.files.used];
    return project.all().flatMap((one) =>
      one.services().flatMap((name) => {
        const own = one.files.scope();
        const service = one.service(name, own);
        const { layers } = service;
        const given = one.givenTo(name);
        // A variant of the project repeats the services that its files do not change.
        const passed = mergePairs(layers, 'environment').filter(([, value]) => value === null);
        const texts = [
          ...layers.flatMap(({ node }) => textsIn(node).map((text) => one.fill(text).text)),
          ...given.map(({ text }) => text),
          ...passed.map(([variable]) => one.valueOf(variable)?.text ?? null),
        ];
        const key = JSON.stringify([name, ...layers.map(({ node }) => node.at), texts]);
        const names = project.written.map((path) => basename(path));
        if (read.has(key) && !names.some((one) => texts.some((text) => text?.includes(one)))) return [];
        read.add(key);
        const label = project.variant === null ? name : `${name} (with ${project.variant})`;
        const started = launchesOfService(service, label, context);
        const at = baseOf(layers)?.span();
        const reason = own.missing.find((miss) => miss.reason.startsWith('extends: '))?.reason;
        if (started.length === 0 && at !== undefined && reason !== undefined)
          unread.push({ name: label, at, reason });
        return started.map((launch) => {
          return { ...launch, names: namesOf(service), files: [...ofProject, ...launch.files] };
        });
      }),
    );
  });
  // Beside a node, a service that says too little may be another one.
  for (const one of launches.length > 0 ? unread : []) files.unfollowed(one);
  return { launches, problems, notes: [...notes] };
}

/** The name of the service that a service without an image extends, and that is not read; null if there is none. */
function baseOf(layers: readonly Layer[]): Placed | null {
  const base = layers[0]?.node.get('extends') ?? null;
  if (last(layers, 'image') !== null || last(layers, 'build') !== null) return null;
  return base?.text ?? base?.get('service')?.text ?? null;
}

/** The texts of a service, as they are written. */
function textsIn(node: YamlNode): Placed[] {
  const inner = [...node.items, ...node.entries.map(({ value }) => value)];
  return [
    ...(node.text === null ? [] : [node.text]),
    ...inner.flatMap((one) => (one === null ? [] : textsIn(one))),
  ];
}

/** Whether a service, or a volume, config or secret that it has, is written at a place. */
function namesOf({ layers, project }: Service): NonNullable<Launch['names']> {
  const places = once(() => {
    const parts = (['volumes', 'configs', 'secrets'] as const).flatMap((part) =>
      itemsOf(layers, part).flatMap(({ node }) => {
        const name = (node.text ?? node.get('source')?.text)?.text.replace(/:.*/, '') ?? '';
        return project.defined(part, name)?.node ?? [];
      }),
    );
    return [...layers.map(({ node }) => node), ...parts].flatMap(textsIn).map((text) => text.span());
  });
  return (at) =>
    places().some((one) => one.file === at.file && one.line <= at.line && at.line <= one.endLine);
}

/** @param name - the service as reports call it */
function launchesOfService(service: Service, name: string, { steps, kinds }: Context): Launch[] {
  const { layers, project, files } = service;
  const own = project.textOf(last(layers, 'image')?.node);
  const recipe = builtBy(service, steps) ?? builtBeside(own, service, steps);
  const entrypoint = wordsIn(last(layers, 'entrypoint')?.node, project);
  const command = wordsIn(last(layers, 'command')?.node, project);
  const image = recipe?.image ?? own ?? baseOf(layers)?.as(unfilled) ?? null;
  const mounts = mountsOf(service);
  return launchesOf({
    name,
    words: startWords(recipe, entrypoint, command),
    environment: new Map([...(recipe?.environment ?? []), ...environmentOf(service)]),
    container: containerOf(service, name),
    image,
    before: recipe?.scripts ?? [],
    origins: recipe?.origins ?? [],
    after: itemsOf(layers, 'post_start').map(({ node }) => wordsIn(node.get('command'), project) ?? []),
    checks: [checkOf(service) ?? recipe?.check ?? []],
    file: (path, role) => mountedAt(mounts, path, files, role) ?? recipe?.file(path, files, role) ?? null,
    files,
    steps,
    kinds,
  });
}

/** The command of the health check; empty if it is switched off. Returns null if that of the image runs. */
function checkOf({ layers, project }: Service): Placed[] | null {
  const test = last(layers, 'healthcheck', 'test')?.node;
  if (last(layers, 'healthcheck', 'disable')?.node.text?.text === 'true') return [];
  const shell = project.textOf(test);
  if (shell !== null) return shellForm(shell);
  const [form, ...words] = wordsIn(test, project) ?? [];
  if (form === undefined) return null;
  if (form.text === 'CMD-SHELL') return words.slice(0, 1).flatMap(shellForm);
  return form.text === 'NONE' ? [] : words;
}

/** The image that `build` describes; null if the service builds none. */
function builtBy({ layers, project, files }: Service, steps: Steps) {
  const field = (name: string) => last(layers, 'build', name)?.node;
  const build = last(layers, 'build');
  if (build === null) return null;
  const context = (project.textOf(build.node) ?? project.textOf(field('context')))?.text ?? '.';
  const inline = field('dockerfile_inline')?.text ?? null;
  const base = isAbsolute(context) ? '' : dirname(build.file.file);
  const folder = new LineIndex(join(base, context, 'Dockerfile'), '');
  const file =
    inline === null
      ? files.read(project.textOf(field('dockerfile'))?.text ?? 'Dockerfile', folder, 'built')
      : new LineIndex(build.file.file, inline.text);
  if ('problem' in file) {
    files.miss({ name: context, decides: 'settings', reason: `build: ${file.problem}` });
    return null;
  }
  const args = mergePairs(layers, 'build', 'args').flatMap(([key, value]) =>
    value === null ? [] : [[key, project.fill(value)] as const],
  );
  const target = field('target')?.text?.text;
  return recipeOf(file, { context: folder, steps, arguments: new Map(args), target });
}

/** The image of this name that another service builds, or a script. */
function builtBeside(image: Placed | null, { project, files }: Service, steps: Steps): Recipe | null {
  const builder = image === null ? undefined : buildersIn(project).get(image.text);
  if (builder === undefined) return builtElsewhere(image, { files, steps });
  return builtBy({ ...project.service(builder, files.scope()), files }, steps);
}

/** The first service that builds each image, by the name of the image. */
const buildersIn = oncePer((project: Project): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const name of project.services()) {
    const { layers } = project.service(name, project.files.scope());
    const image = last(layers, 'build') === null ? null : project.textOf(last(layers, 'image')?.node);
    if (image !== null && !found.has(image.text)) found.set(image.text, name);
  }
  return found;
});

/** The words of a command as a list or as a text; null if it is not set. */
function wordsIn(node: YamlNode | null | undefined, project: Project): Placed[] | null {
  if (node == null) return null;
  if (node.isList) return node.items.flatMap((item) => project.textOf(item) ?? []);
  const text = project.textOf(node);
  return text && splitWords(text);
}

/** Of services that mount the volumes of another one. */
const maxDepth = 4;

/** The mounts of a service, later ones over earlier ones. */
function mountsOf({ layers, project, files }: Service, depth = 0): Mount[] {
  return [
    ...itemsOf(layers, 'volumes_from').flatMap(({ node }) => {
      const [name = ''] = (project.textOf(node)?.text ?? '').split(':');
      return depth < maxDepth ? mountsOf(project.service(name, files), depth + 1) : [];
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

/** The variables by name. A name without a value takes its value from the environment of `docker compose`. */
function environmentOf(service: Service) {
  const { name: own, layers, project } = service;
  const map = new Map<string, LaunchVariable>();
  missVariables(service);
  for (const layer of itemsOf(layers, 'env_file')) addFile(map, layer, service);
  for (const [name, value, at] of mergePairs(layers, 'environment')) {
    const known = value === null ? project.valueOf(name) : project.fill(value);
    const indeterminate = known === null ? 'it comes from the environment that compose runs in' : null;
    map.set(name, { value: known, at: (known ?? at).span(), indeterminate });
  }
  for (const [name, value] of project.givenTo(own).map(pairOf))
    if (value !== null) map.set(name, variableOf(value));
  return map;
}

/** Variables that only seem unset: `env_file` or a template shows that the project needs a `.env`. */
function missVariables({ layers, project, files }: Service): void {
  const paths = itemsOf(layers, 'env_file').map(({ node }) => node.text ?? node.get('path')?.text ?? null);
  const isNamed = paths.some((path) => /^(?:\.\/)?\.env$/.test(path?.text ?? ''));
  for (const { name, by } of project.unset())
    if (by !== null || isNamed) {
      const reason = `.env is not among the files, and ${by ?? 'env_file'} shows that it may set ${name}`;
      files.miss({ name, decides: 'variable', reason });
    }
}

function addFile(map: Map<string, LaunchVariable>, layer: Layer, { project, files }: Service): void {
  const { node, file: beside } = layer;
  const path = node.text ?? node.get('path')?.text ?? null;
  if (path === null) return;
  const file = files.read(project.fill(path).text, beside, 'environment');
  if ('problem' in file) {
    files.miss({ name: path.text, decides: 'settings', reason: `env_file: ${file.problem}` });
    return;
  }
  const isRaw = node.get('format')?.text?.text === 'raw';
  const own = (name: string) => map.get(name)?.value ?? undefined;
  // Another file may take the place of this one.
  for (const { name, value: written, isLiteral } of environmentLines(file)) {
    const value = files.outside(name, written) ?? written;
    const filled = isRaw || isLiteral ? value : project.fill(value, own);
    map.set(name, { ...variableOf(value), value: filled });
  }
}

export interface MountingContainer {
  /** '' for one that is built. */
  readonly image: string;
  readonly mounts: readonly Mount[];
  /** Null if it is on the network of the host. */
  readonly container: Container | null;
}

export function containersOf(file: LineIndex, files: Scope): MountingContainer[] {
  const { projects } = projectsOf(file, files);
  return projects.flatMap((project) =>
    project.all().flatMap((one) =>
      one.services().map((name) => {
        const service = one.service(name, one.files.scope());
        const image = one.textOf(last(service.layers, 'image')?.node)?.text ?? '';
        return { image, mounts: mountsOf(service), container: containerOf(service) };
      }),
    ),
  );
}
