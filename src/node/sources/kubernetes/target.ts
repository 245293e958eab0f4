/** The objects that a patch of a kustomization changes. */
import { type Tree, textAt } from '../yaml/tree.js';
import type { KubernetesObject } from './objects.js';

/** By the target, else by the kind and name in the patch; null: the target is not followed. */
export function targetOf(target: Tree | null, patch: Tree): ((object: KubernetesObject) => boolean) | null {
  if (target === null) {
    const [kind, name] = [textAt(patch, 'kind'), textAt(patch, 'metadata', 'name')];
    return (object) => object.kind === kind && namesOf(object).includes(name);
  }
  const [kind, name] = [textAt(target, 'kind'), textAt(target, 'name')].map(matcherOf);
  const labels = textAt(target, 'labelSelector')
    .split(',')
    .filter((one) => one !== '');
  if (kind == null || name == null || target.get('annotationSelector') !== null) return null;
  if (!labels.every((one) => /^[\w./-]+==?[\w.-]*$/.test(one))) return null;
  return (object) =>
    kind(object.kind) &&
    namesOf(object).some(name) &&
    labels.every((one) => {
      const [key = '', value = ''] = one.split(/==?/);
      return object.root.path('metadata', 'labels', key)?.text?.text === value;
    });
}

function namesOf({ name, formerNames = [] }: KubernetesObject): string[] {
  return [name, ...formerNames];
}

/** A pattern of names: alternatives, with `.*` for any text. Other regular expressions are not followed (null). */
function matcherOf(pattern: string): ((text: string) => boolean) | null {
  if (pattern === '') return () => true;
  const alternatives = pattern.replace(/^\^?\(?|\)?\$?$/g, '').split('|');
  if (!alternatives.every((one) => /^(?:[\w-]|\.\*)*$/.test(one))) return null;
  return (text) =>
    alternatives.some((one) => {
      const [start = '', ...parts] = one.split('.*');
      const end = parts.pop();
      if (end === undefined) return text === start;
      if (!text.startsWith(start) || !text.endsWith(end) || text.length < start.length + end.length)
        return false;
      const inside = text.slice(start.length, text.length - end.length);
      return parts.reduce((at, part) => (at < 0 ? at : inside.indexOf(part, at)), 0) >= 0;
    });
}
