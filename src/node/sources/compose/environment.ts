/** The environment of a service: `environment` overrides `env_file`. */
import { environmentLines, variableOf } from '../environment/environment.js';
import type { Scope } from '../launch/files.js';
import type { LaunchVariable } from '../launch/launch.js';
import { itemsOf, valuesOf } from './layers.js';
import type { Layer, Project } from './project.js';

/** The variables by name. A name without a value takes its value from the environment of `docker compose`. */
export function environmentOf(layers: readonly Layer[], project: Project, files: Scope) {
  const map = new Map<string, LaunchVariable>();
  missVariables(layers, project, files);
  for (const layer of itemsOf(layers, 'env_file')) addFile(map, layer, project, files);
  for (const [name, value, at] of valuesOf(layers, 'environment')) {
    const known = value === null ? project.valueOf(name) : project.fill(value);
    const indeterminate = known === null ? 'it comes from the environment that compose runs in' : null;
    map.set(name, { value: known, at: (known ?? at).span(), indeterminate });
  }
  return map;
}

/** Variables that only seem unset: `env_file` or a template shows that the project needs a `.env`. */
function missVariables(layers: readonly Layer[], project: Project, files: Scope): void {
  const paths = itemsOf(layers, 'env_file').map(({ node }) => node.text ?? node.get('path')?.text ?? null);
  const isNamed = paths.some((path) => /^(?:\.\/)?\.env$/.test(path?.text ?? ''));
  for (const { name, by } of project.unset())
    if (by !== null || isNamed)
      files.miss({
        name,
        decides: 'variable',
        reason: `.env is not among the files, and ${by ?? 'env_file'} shows that it may set ${name}`,
      });
}

function addFile(
  map: Map<string, LaunchVariable>,
  { node, file: beside }: Layer,
  project: Project,
  files: Scope,
): void {
  const path = node.text ?? node.get('path')?.text ?? null;
  if (path === null) return;
  const file = files.read(project.fill(path).text, beside, 'environment');
  if ('problem' in file) {
    if (node.get('required')?.value === false) return;
    files.miss({ name: path.text, decides: 'settings', reason: `env_file: ${file.problem}` });
    return;
  }
  const isRaw = node.get('format')?.text?.text === 'raw';
  // Another file may take the place of this one.
  for (const { name, value: written } of environmentLines(file)) {
    const value = files.outside(name, written) ?? written;
    map.set(name, isRaw ? variableOf(value) : { ...variableOf(value), value: project.fill(value) });
  }
}
