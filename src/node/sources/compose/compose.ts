/** Reads compose files: one launch for each service that starts a node. */
import { dirname, isAbsolute, join } from 'node:path';
import { oncePer } from '../../../util/once-per.js';
import { visible } from '../../../util/visible.js';
import { type Recipe, recipeOf, shellForm, startWords } from '../image/recipe.js';
import type { ReadRole, Scope } from '../launch/files.js';
import type { Context, Launch, Launches } from '../launch/launch.js';
import { builtElsewhere } from '../script/built-image.js';
import { launchesOf } from '../script/launches.js';
import { type Mount, mountedAt } from '../script/mounts.js';
import { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { wordsOf } from '../text/words.js';
import type { YamlNode } from '../yaml/node.js';
import { environmentOf } from './environment.js';
import { itemsOf, last, valuesOf } from './layers.js';
import { mountsOf } from './mounts.js';
import { type Layer, type Project, projectsOf } from './project.js';
import { containerOf } from './reach.js';

/** Reads a compose file with the files that its project merges, or the output of `docker compose config`. */
export function readCompose(file: LineIndex, context: Context): Launches {
  const files = context.files.scope();
  const { projects, problems, notes } = projectsOf(file, files);
  const read = new Set<string>();
  const defaults = new Set<string>();
  context.steps.commands = Math.max(1, ...projects.map((project) => project.services().length));
  const launches = projects.flatMap((project) => {
    // Every service depends on the files that the project read until here.
    const ofProject = [...project.files.used];
    return project.all().flatMap((one) =>
      one.services().flatMap((name) => {
        const own = one.files.scope();
        const layers = one.layersOf(name, own);
        // A variant of the project repeats the services that its files do not change.
        const key = JSON.stringify([name, ...layers.map(({ node }) => node.at)]);
        if (read.has(key)) return [];
        read.add(key);
        const label = project.variant === null ? name : `${name} (with ${project.variant})`;
        const started = serviceOf(label, layers, one, { ...context, files: own });
        if (started.length > 0) for (const unset of defaultsOf(layers, file, one)) defaults.add(unset);
        return started.map((launch) => ({
          ...launch,
          files: [...ofProject, ...launch.files],
        }));
      }),
    );
  });
  const judged = `${visible(file.file)}: the defaults of ${[...defaults].join(', ')} are judged; the environment of docker compose may set others`;
  return { launches, problems, notes: [...notes, ...(defaults.size === 0 ? [] : [judged])] };
}

/** The variables with a default that no file sets, in the text of a service in this file. */
function defaultsOf(layers: readonly Layer[], file: LineIndex, project: Project): string[] {
  return layers.flatMap(({ node }) => {
    const { start, end } = node.at.file === file.file ? file.range(node.at) : { start: 0, end: 0 };
    const names = [...file.text.slice(start, end).matchAll(/(?<!\$)\$\{([A-Za-z_]\w*):?-/g)];
    return names.flatMap(([, name = '']) => (project.valueOf(name) === null ? [name] : []));
  });
}

function serviceOf(
  name: string,
  layers: readonly Layer[],
  project: Project,
  { files, steps, kinds }: Context & { readonly files: Scope },
): Launch[] {
  const own = project.textOf(last(layers, 'image')?.node);
  const recipe = builtBy(layers, project, files, steps) ?? builtBeside(own, project, { files, steps });
  const entrypoint = wordsIn(last(layers, 'entrypoint'), project);
  const command = wordsIn(last(layers, 'command'), project);
  const image = recipe?.image ?? own;
  const mounts = mountsOf(layers, project, files);
  return launchesOf({
    name,
    words: startWords(recipe, entrypoint, command),
    environment: new Map([...(recipe?.environment ?? []), ...environmentOf(layers, project, files)]),
    container: containerOf(layers, project, files),
    image,
    before: recipe?.scripts ?? [],
    origins: recipe?.origins ?? [],
    after: itemsOf(layers, 'post_start').map(
      ({ node }) => wordsIn({ node: node.get('command') }, project) ?? [],
    ),
    checks: [checkOf(layers, project) ?? recipe?.check ?? []],
    file: (path, role) => fileOf(path, mounts, recipe, files, role),
    files,
    steps,
    kinds,
  });
}

/** The command of the health check; empty: it is switched off. null: that of the image runs. */
function checkOf(layers: readonly Layer[], project: Project): Placed[] | null {
  const test = last(layers, 'healthcheck', 'test');
  if (last(layers, 'healthcheck', 'disable')?.node.text?.text === 'true') return [];
  const shell = project.textOf(test?.node);
  if (shell !== null) return shellForm(shell);
  const [form, ...words] = wordsIn(test, project) ?? [];
  if (form === undefined) return null;
  if (form.text === 'CMD-SHELL') return words.slice(0, 1).flatMap(shellForm);
  return form.text === 'NONE' ? [] : words;
}

function fileOf(path: string, mounts: readonly Mount[], recipe: Recipe | null, files: Scope, role: ReadRole) {
  return mountedAt(mounts, path, files, role) ?? recipe?.file(path, files, role) ?? null;
}

/** The image that `build` describes; null: the service builds none. */
function builtBy(layers: readonly Layer[], project: Project, files: Scope, steps: Context['steps']) {
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
  const args = valuesOf(layers, 'build', 'args').flatMap(([key, value]) =>
    value === null ? [] : [[key, project.fill(value)] as const],
  );
  return recipeOf(file, {
    context: folder,
    steps,
    arguments: new Map(args),
    target: field('target')?.text?.text,
  });
}

/** The image of this name that another service builds, or a script. */
function builtBeside(
  image: Placed | null,
  project: Project,
  context: Pick<Context, 'steps'> & { readonly files: Scope },
): Recipe | null {
  const builder = image === null ? undefined : buildersIn(project).get(image.text);
  return builder === undefined
    ? builtElsewhere(image, context)
    : builtBy(project.layersOf(builder, context.files.scope()), project, context.files, context.steps);
}

/** The first service that builds each image, by the name of the image. */
const buildersIn = oncePer((project: Project): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const name of project.services()) {
    const layers = project.layersOf(name, project.files.scope());
    const image = last(layers, 'build') === null ? null : project.textOf(last(layers, 'image')?.node);
    if (image !== null && !found.has(image.text)) found.set(image.text, name);
  }
  return found;
});

/** The words of a command as a list or as a text; null: it is not set. */
function wordsIn(layer: { readonly node: YamlNode | null } | null, project: Project): Placed[] | null {
  const node = layer?.node ?? null;
  if (node === null) return null;
  if (node.isList) return node.items.flatMap((item) => project.textOf(item) ?? []);
  const text = project.textOf(node);
  return text && wordsOf(text);
}
