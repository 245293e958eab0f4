/** The environment of a container, from its own list, ConfigMaps and Secrets. */
import type { Scope } from '../launch/files.js';
import type { LaunchVariable } from '../launch/launch.js';
import type { Placed } from '../text/placed.js';
import { oneWord, unfilled } from '../text/placeholders.js';
import { itemsAt, type Tree, textAt } from '../yaml/tree.js';
import type { Cluster } from './cluster.js';
import { dataOf, sourcesNamed } from './data.js';
import type { Pod } from './objects.js';

export type Environment = Map<string, LaunchVariable>;

/** Fields of a pod whose values hold no blanks. */
const nameFields =
  /^(?:status\.(?:podIP|hostIP)|spec\.(?:nodeName|serviceAccountName)|metadata\.(?:name|namespace|uid))$/;

/** Later lists override earlier ones, and `env` overrides `envFrom`. */
export function environmentOf(container: Tree, pod: Pod, cluster: Cluster, files: Scope): Environment {
  const map: Environment = new Map();
  for (const source of itemsAt(container, 'envFrom'))
    for (const { kind, object: name } of sourcesNamed(source, 'configMapRef', 'secretRef')) {
      const data = dataOf(kind, name, pod, cluster, files, 'environment');
      const reason = `${kind} ${name} may set any variable, and it is not among the files`;
      // An optional object may exist in the cluster all the same.
      if (data === null) files.miss({ name, decides: 'settings', reason });
      for (const [key, { text }] of data ?? [])
        set(map, `${textAt(source, 'prefix')}${key}`, files.outside(key, text) ?? text, text, '');
    }
  for (const entry of itemsAt(container, 'env')) {
    const name = entry.get('name')?.text ?? null;
    if (name === null) continue;
    const from = entry.get('valueFrom');
    if (from === null)
      set(map, name.text, expandReferences(entry.get('value')?.text ?? name.as(''), map, files), name, '');
    else {
      const { value, reason } = ofReference(from, pod, cluster, files);
      set(map, name.text, value, name, reason);
    }
  }
  return map;
}

/**
 * Expands $(NAME) as Kubernetes does: an unset name stays as it is written, $$ becomes $. It knows no `${NAME}`: envsubst or
 * Flux fills that in before.
 * @param files - null if a shell expands `${NAME}`
 */
export function expandReferences(text: Placed, environment: Environment, files: Scope | null): Placed {
  return text.replace(/\$\$|\$\(([\w.-]+)\)|\$\{([A-Za-z_]\w*)(?::?[-=]([^{}]*))?\}/g, (match, at) => {
    const [all, name, filled, otherwise] = match;
    const end = all.length - 1;
    const own = otherwise === undefined ? at.as(unfilled) : at.slice(end - otherwise.length, end);
    if (filled !== undefined) return files && (files.outside(filled, at) ?? own);
    if (name === undefined) return at.as('$');
    const variable = environment.get(name);
    return variable === undefined ? null : (variable.value ?? at.as(unfilled));
  });
}

function set(map: Environment, name: string, value: Placed | null, at: Placed, reason: string): void {
  map.set(name, { value, at: (value ?? at).span(), indeterminate: value === null ? reason : null });
}

function ofReference(from: Tree, pod: Pod, cluster: Cluster, files: Scope) {
  for (const { kind, object: name, at } of sourcesNamed(from, 'configMapKeyRef', 'secretKeyRef')) {
    const named = at.get('key')?.text ?? null;
    const key = named?.text ?? '';
    const data = dataOf(kind, name, pod, cluster, files, 'environment');
    const reason =
      data === null ? `${kind} ${name} is not among the files` : `${kind} ${name} has no key ${key}`;
    const own = data?.get(key)?.text ?? null;
    return { value: (named && files.outside(key, named)) ?? own, reason };
  }
  const field = from.path('fieldRef', 'fieldPath')?.text ?? null;
  const isName = field !== null && nameFields.test(field.text);
  return { value: isName ? field.as(oneWord) : null, reason: 'it is set when the pod starts (valueFrom)' };
}
