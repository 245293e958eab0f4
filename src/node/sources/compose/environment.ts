/** The environment of a service: `environment` overrides `env_file`, later layers override earlier ones. */
import { environmentLines, variableOf } from '../environment/environment.js';
import type { Scope } from '../launch/files.js';
import type { Launches, LaunchVariable } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import type { YamlNode } from '../yaml/node.js';

/** A service or one that it extends, and the file it is in. */
export interface Layer {
  readonly node: YamlNode;
  readonly file: LineIndex;
}

/** The context in which a compose file is read. */
interface Context {
  readonly files: Scope;
  readonly problems: Launches['problems'][number][];
  fill(text: Placed): Placed;
}

/** The variables by name. */
export function environmentOf(layers: readonly Layer[], context: Context): Map<string, LaunchVariable> {
  const map = new Map<string, LaunchVariable>();
  for (const { node, file } of layers) {
    for (const path of pathsOf(node.get('env_file'))) addFile(map, path, file, context);
    const listed = node.get('environment');
    for (const { key, value } of listed?.entries ?? [])
      add(map, [key.text, value?.text ?? null], key, context);
    for (const { text } of listed?.items ?? []) if (text !== null) add(map, pairOf(text), text, context);
  }
  return map;
}

/** A name without a value takes its value from the environment of `docker compose`. */
function add(
  map: Map<string, LaunchVariable>,
  [name, value]: ReturnType<typeof pairOf>,
  at: Placed,
  { fill }: Context,
): void {
  const known = value === null ? null : fill(value);
  const indeterminate = known === null ? 'it comes from the environment that compose runs in' : null;
  map.set(name, { value: known, at: (known ?? at).span(), indeterminate });
}

function addFile(
  map: Map<string, LaunchVariable>,
  path: Placed,
  beside: LineIndex,
  { files, problems, fill }: Context,
): void {
  const file = files.read(fill(path).text, beside, 'environment');
  if ('problem' in file) {
    problems.push({ message: file.problem, at: path.span() });
    return;
  }
  for (const { name, value } of environmentLines(file))
    map.set(name, { ...variableOf(value), value: fill(value) });
}

function pathsOf(node: YamlNode | null): Placed[] {
  if (node === null) return [];
  const items = node.isList ? node.items : [node];
  return items.flatMap((item) => item.text ?? item.get('path')?.text ?? []);
}
