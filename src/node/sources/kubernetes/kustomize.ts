/** Builds the objects of a kustomization as `kustomize build` does: resources, generators, patches and transformers. */
import { posix } from 'node:path';
import { pairs } from '../../../util/pairs.js';
import type { FileRole, MissingFile } from '../../facts/settings.js';
import type { Files } from '../launch/files.js';
import type { Launches } from '../launch/launch.js';
import { LineIndex } from '../text/line-index.js';
import { type Placed, PlacedIndex } from '../text/placed.js';
import { readYaml } from '../yaml/document.js';
import { itemsAt, mergeTrees, type Tree, textAt } from '../yaml/tree.js';
import { generateObject, generators } from './generated.js';
import { kustomizationNames } from './names.js';
import { type KubernetesObject, namesOf, objectsIn } from './objects.js';
import { jsonPatched, targetOf, withImages, withLabels } from './transform.js';

const maxDepth = 16;
const maxObjects = 2_000;
/** Kustomizations that one build reads, counting a base once each time that it is named. */
const maxBuilds = 500;

/** The files and folders that a kustomization names, whose objects it builds. */
export function builtFrom(file: LineIndex): string[] {
  const root = readYaml(file)[0]?.root ?? null;
  const patches = itemsAt(root, 'patches').flatMap((one) => one.get('path')?.text ?? one.text ?? []);
  const paths = [...listOf(root, ...resourceLists), ...listOf(root, 'patchesStrategicMerge'), ...patches];
  return paths.map(({ text }) => posix.join(posix.dirname(file.file), text));
}

/** `bases` is the former name of `resources`. */
const resourceLists = ['resources', 'bases'];

function listOf(root: Tree | null, ...keys: readonly string[]): Placed[] {
  return keys.flatMap((key) => itemsAt(root, key).flatMap(({ text }) => text ?? []));
}

/** What of a kustomization changes objects in ways that are not followed. */
const unfollowed = 'helmCharts helmChartInflationGenerator generators transformers replacements vars'.split(
  ' ',
);

type Objects = readonly KubernetesObject[];

export interface Input {
  readonly file: LineIndex;
  readonly role: FileRole;
}

export class Kustomizer {
  /** The files that were read. */
  readonly inputs: Input[] = [];
  /** What could not be read or is not followed. */
  readonly gaps: MissingFile[] = [];
  /** Why a kustomization or a resource cannot be read as a whole. */
  readonly problems: Launches['problems'][number][] = [];
  private readonly files: Files;
  private count = 0;
  /** Whether kustomize refuses the build as a whole. */
  private isRefused = false;

  constructor(files: Files) {
    this.files = files;
  }

  /** The objects of a kustomization. `given`: those that a component changes. */
  build(file: LineIndex, above: readonly string[] = [], given: readonly KubernetesObject[] = []) {
    const [document] = readYaml(file);
    const root = document?.root ?? null;
    if (document?.problem) this.problems.push(document.problem);
    const isCircle = above.some((layer) => layer.startsWith(`${file.file} `));
    if (this.isRefused) return [...given];
    this.isRefused = isCircle;
    if (root === null || isCircle || above.length >= maxDepth || this.count >= maxBuilds) {
      const why = isCircle
        ? 'builds itself, which kustomize refuses'
        : this.count >= maxBuilds
          ? `is not built: more than ${maxBuilds} kustomizations`
          : 'cannot be read as a kustomization';
      this.gap(file.file, 'settings', `${file.file} ${why}`);
      return [...given];
    }
    this.count += 1;
    const layers = [...above, `${file.file} ${this.count}`];
    const own = listOf(root, ...resourceLists).flatMap((path) => this.resource(path, file, layers));
    const resources = [...given, ...withoutRepeats(own)].slice(0, maxObjects);
    const base = listOf(root, 'components').reduce<Objects>(
      (objects, path) => this.component(path, file, layers, objects),
      resources,
    );
    for (const key of unfollowed)
      if ((root.get(key)?.items.length ?? 0) > 0)
        this.gap(file.file, 'settings', `${key} of ${file.file} may change any setting, and is not followed`);
    const all = this.generate(root, file, layers, base);
    return this.transform(root, this.patch(root, file, all));
  }

  private gap(name: string, decides: MissingFile['decides'], reason: string): void {
    this.gaps.push({ name, decides, reason });
  }

  private read(path: string, from: LineIndex, role: FileRole): ReturnType<Files['read']> {
    const file = this.files.read(path, from, role);
    if (file instanceof LineIndex) this.inputs.push({ file, role });
    return file;
  }

  /** A file with objects, or the folder of another kustomization. */
  private resource({ text: path }: Placed, from: LineIndex, layers: readonly string[]): KubernetesObject[] {
    const inner = this.kustomizationAt(path, from);
    if (inner !== null) return this.build(inner, layers);
    const file = /\.(?:ya?ml|json)$/.test(path) ? this.read(path, from, 'included') : null;
    if (file instanceof LineIndex) return objectsIn(file).objects.map((object) => ({ ...object, layers }));
    this.gap(path, 'reach', `${path} is a resource of ${from.file} and is not among the files`);
    return [];
  }

  private component({ text: path }: Placed, from: LineIndex, layers: readonly string[], objects: Objects) {
    const file = this.kustomizationAt(path, from);
    if (file !== null) return this.build(file, layers, objects);
    this.gap(path, 'settings', `the component ${path} of ${from.file} is not among the files`);
    return objects;
  }

  private kustomizationAt(folder: string, from: LineIndex): LineIndex | null {
    if (/:\/\/|^git@|[?]|\.(?:ya?ml|json)$/.test(folder)) return null;
    for (const name of kustomizationNames) {
      const file = this.read(posix.join(folder, name), from, 'included');
      if (file instanceof LineIndex) return file;
    }
    return null;
  }

  private generate(root: Tree, file: LineIndex, layers: readonly string[], objects: Objects): Objects {
    let all = objects;
    for (const { list, kind } of generators)
      for (const entry of itemsAt(root, list)) {
        const name = textAt(entry, 'name');
        const data = generateObject(kind, entry, {
          read: (path, role) => this.read(path, file, role),
          lacks: (path, reason) => this.gap(path, 'settings', reason),
        });
        // A generator may change an object of a base.
        const isMerge = /^(?:merge|replace)$/.test(textAt(entry, 'behavior'));
        const isSame = (one: KubernetesObject) => one.kind === kind && namesOf(one).includes(name);
        const same = isMerge ? all.find(isSame) : undefined;
        all =
          same === undefined
            ? [...all, { kind, name, namespace: null, root: data, file, layers }]
            : all.map((one) => (one === same ? { ...one, root: withPatch(one, data) ?? one.root } : one));
      }
    return all;
  }

  private patch(root: Tree, file: LineIndex, objects: readonly KubernetesObject[]) {
    const entries = ['patchesStrategicMerge', 'patchesJson6902', 'patches'].flatMap((key) =>
      itemsAt(root, key),
    );
    let all = objects;
    for (const entry of entries) {
      const target = entry.get('target');
      const source = entry.text ?? entry.get('patch')?.text ?? entry.get('path')?.text ?? null;
      const text = source === null ? null : this.patchText(source, file);
      for (const { root: patch } of text === null ? [] : readYaml(text))
        if (patch !== null) all = this.patched(patch, target, all);
    }
    return all;
  }

  /** An inline patch, or the file of one. */
  private patchText(source: Placed, from: LineIndex): LineIndex | null {
    if (/\n|^\s*[[{]|: /.test(source.text)) return new PlacedIndex(source);
    const file = this.read(source.text, from, 'patched');
    if (file instanceof LineIndex) return file;
    this.gap(source.text, 'settings', file.problem);
    return null;
  }

  private patched(patch: Tree, target: Tree | null, all: readonly KubernetesObject[]) {
    const isTarget = targetOf(target, patch);
    const matching = all.filter((one) => isTarget?.(one) ?? false);
    const { file } = patch.at;
    if (matching.length === 0)
      this.gap(file, 'settings', `a patch in ${file} changes an object that is not among the files`);
    return all.flatMap((one) => {
      if (!matching.includes(one)) return [one];
      const root = withPatch(one, patch);
      if (root !== null) return [{ ...one, root }];
      if (!patch.isList) return [];
      this.gap(file, 'settings', `a JSON patch in ${file} cannot be followed`);
      return [one];
    });
  }

  private transform(root: Tree, objects: readonly KubernetesObject[]): KubernetesObject[] {
    const namespace = textAt(root, 'namespace');
    const [prefix, suffix] = [textAt(root, 'namePrefix'), textAt(root, 'nameSuffix')];
    const images = itemsAt(root, 'images');
    const common = root.get('commonLabels');
    const labels = [
      ...(common === null ? [] : [{ pairs: common, isForSelectors: true, isForTemplates: true }]),
      ...itemsAt(root, 'labels').flatMap((one) => {
        const pairs = one.get('pairs');
        const isForSelectors = one.get('includeSelectors')?.value === true;
        const isForTemplates = isForSelectors || one.get('includeTemplates')?.value === true;
        return pairs === null ? [] : [{ pairs, isForSelectors, isForTemplates }];
      }),
    ];
    return objects.map((object) => {
      const changed = labels.reduce<Tree>((tree, one) => withLabels(object.kind, tree, one), object.root);
      return {
        ...object,
        root: images.length === 0 ? changed : withImages(changed, images),
        namespace: namespace === '' ? object.namespace : namespace,
        name: `${prefix}${object.name}${suffix}`,
        formerNames: [...(object.formerNames ?? []), object.name],
      };
    });
  }
}

/** kustomize refuses an object whose kind, namespace and name another resource has. */
function withoutRepeats(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const byId = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const id = [object.kind, object.namespace ?? '', object.name].join(' ');
    if (!byId.has(id)) byId.set(id, object);
  }
  return [...byId.values()];
}

/** The keys by which items of a list are the same. Lists of kinds that Kubernetes does not have itself are replaced. */
function keysFor({ root }: KubernetesObject): (list: string) => readonly string[] {
  const isBuiltIn = /^(?:v1|(?:apps|batch|policy|autoscaling)\/\w+|[\w.]+\.k8s\.io\/\w+)$/.test(
    textAt(root, 'apiVersion'),
  );
  return (list) => (isBuiltIn ? (listKeys.get(list)?.split(',') ?? []) : []);
}

const listKeys = new Map(
  pairs(
    'containers=name initContainers=name volumes=name env=name volumeMounts=mountPath ports=containerPort,port',
  ),
);

/** The object with a JSON patch, which is a list, or a strategic merge; null if it is removed, or cannot be followed. */
export function withPatch(object: KubernetesObject, patch: Tree): Tree | null {
  return patch.isList
    ? jsonPatched(object.root, patch.items)
    : mergeTrees(object.root, patch, keysFor(object));
}
