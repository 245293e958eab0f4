/** The objects of the manifests in a folder that no kustomization builds. */
import type { Context } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { builtFrom } from './kustomize.js';
import { isKustomization } from './names.js';
import { type KubernetesObject, objectsOf } from './objects.js';

/** Each file is parsed once for all that are read after it. */
const objectsByFile = new WeakMap<LineIndex, readonly KubernetesObject[]>();
const partsByFile = new WeakMap<LineIndex, readonly string[]>();

/** The objects of the other manifests in the folder. */
export function objectsBeside(file: LineIndex, { files, kinds }: Context): KubernetesObject[] {
  const all = files.all('kubernetes');
  const parts = new Set(
    all.filter((one) => isKustomization(one.file)).flatMap((one) => once(partsByFile, one, builtFrom)),
  );
  return all
    .filter((one) => one.file !== file.file && !parts.has(one.file) && !isKustomization(one.file))
    .flatMap((one) => once(objectsByFile, one, () => objectsOf(one, kinds).objects));
}

function once<T>(
  known: WeakMap<LineIndex, readonly T[]>,
  file: LineIndex,
  read: (file: LineIndex) => readonly T[],
): readonly T[] {
  const value = known.get(file) ?? read(file);
  known.set(file, value);
  return value;
}
