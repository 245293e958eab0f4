/** The objects of the other files in a folder. */
import { oncePer } from '../../../util/once-per.js';
import type { MissingFile } from '../../facts/settings.js';
import type { Context } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, type PlacedIndex } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import type { Tree } from '../yaml/tree.js';
import type { Chart } from './helm/chart.js';
import { Unrendered } from './helm/tokens.js';
import { builtFrom } from './kustomize.js';
import { isKustomization, templatesFolder } from './names.js';
import { type KubernetesObject, objectsIn, objectsOf, podsOf } from './objects.js';
import { configuredNames, namesNode } from './references.js';

/** Each file is parsed, and each folder searched, once for all files that are read after it. */
const objectsByFile = new WeakMap<LineIndex, readonly KubernetesObject[]>();
const partsOf = oncePer(builtFrom);
const renderedBefore = new WeakMap<
  LineIndex,
  { readonly rendered: PlacedIndex; readonly objects: readonly KubernetesObject[] }
>();
const configuredByFolder = new WeakMap<readonly LineIndex[], ReadonlySet<string>>();

/** The names of ConfigMaps and Secrets that name a node, in this file and in the others of the folder. */
export function configuredNear(file: LineIndex, { files, kinds }: Context): ReadonlySet<string> {
  const namesOf = ({ text }: LineIndex) =>
    text.split(/^---/m).flatMap((one) => (namesNode(kinds, one) ? configuredNames(one) : []));
  const all = files.all('kubernetes');
  const known = configuredByFolder.get(all) ?? new Set(all.flatMap(namesOf));
  configuredByFolder.set(all, known);
  return new Set([...known, ...namesOf(file)]);
}

/** The objects of the other manifests in the folder, without those of charts. */
export function objectsBeside(file: LineIndex, configured: ReadonlySet<string>, { files, kinds }: Context) {
  const all = files.all('kubernetes');
  const parts = new Set(all.filter((one) => isKustomization(one.file)).flatMap(partsOf));
  const isSingle = (path: string): boolean =>
    path !== file.file && !parts.has(path) && !isKustomization(path) && isOutside(path, file.file);
  return all.flatMap((one) => {
    if (!isSingle(one.file)) return [];
    const objects = objectsByFile.get(one) ?? objectsOf(one, kinds, configured).objects;
    objectsByFile.set(one, objects);
    return objects;
  });
}

/** False for a template of another chart. */
function isOutside(path: string, file: string): boolean {
  const folder = templatesFolder(path);
  return folder === null || folder === templatesFolder(file);
}

export interface Templates {
  readonly objects: readonly KubernetesObject[];
  /** Why templates are not followed, by their path. */
  readonly gaps: readonly MissingFile[];
}

/** The objects of the other templates of a chart. */
export function templatesBeside(file: LineIndex, chart: Chart, { files }: Context): Templates {
  const folder = templatesFolder(file.file);
  const gaps: MissingFile[] = [];
  const objects = files.all('kubernetes').flatMap((one) => {
    if (one.file === file.file || templatesFolder(one.file) !== folder) return [];
    try {
      return objectsOfTemplate(files.written(one), chart);
    } catch (error) {
      if (!(error instanceof Unrendered)) throw error;
      gaps.push(notFollowed(one, error, 'reach'));
      return [];
    }
  });
  return { objects, gaps };
}

/** @throws {Unrendered} when the template is not followed */
export function objectsOfTemplate(template: LineIndex, chart: Chart): KubernetesObject[] {
  const objects = knownObjects(template, chart.render(template));
  if (!objects.some((one) => podsOf(one).length > 0)) chart.inputs.push(template);
  return objects.map((object) => ({ ...object, file: template }));
}

/** A template that is rendered to the same text from the same places is parsed once. */
function knownObjects(template: LineIndex, rendered: PlacedIndex): readonly KubernetesObject[] {
  const before = renderedBefore.get(template);
  if (before?.rendered.isSame(rendered) === true) return before.objects;
  const { objects, problems } = objectsIn(rendered);
  const [problem] = problems;
  if (problem !== undefined) throw new Unrendered(problem.message);
  for (const { root } of objects) requireKnown(root, '');
  renderedBefore.set(template, { rendered, objects });
  return objects;
}

/** Keys with lists and maps of a pod, which a text that is not known may be. */
const structures =
  /^(?:spec|template|containers|initContainers|env|envFrom|volumes|volumeMounts|ports|lifecycle|data|stringData|items)$/;

/** @throws {Unrendered} when a part of a pod is not known, other than a text */
function requireKnown(tree: Tree | null, key: string): void {
  if (tree === null) return;
  if (tree.text !== null && structures.test(key) && !isKnown(tree.text.text))
    throw new Unrendered(`${unknownIn(tree.text)} may be anything below ${key}`);
  for (const item of tree.items) requireKnown(item, key);
  for (const entry of tree.entries) requireKnown(entry.value, entry.key.text);
}

export function notFollowed({ file }: LineIndex, { message }: Unrendered, decides: MissingFile['decides']) {
  return { name: file, decides, reason: `the template ${file} is not followed: ${message}` };
}
