/** The environment of a service: its files, and over them what it says itself, layer by layer. */
import { environmentLines } from '../environment/environment.js';
import type { Launches, LaunchVariable, Neighbours } from '../launch.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import type { YamlNode } from '../yaml/node.js';

/** One layer of a service: what `extends` brings comes first. */
export interface Layer {
  readonly node: YamlNode;
  readonly file: LineIndex;
}

/** What the compose file is read with. */
interface From {
  readonly neighbours: Neighbours;
  readonly problems: Launches['problems'][number][];
  fill(text: Placed): Placed;
}

/** What later layers and lines say counts. */
export function environmentOf(layers: readonly Layer[], from: From): Map<string, LaunchVariable> {
  const map = new Map<string, LaunchVariable>();
  for (const { node, file } of layers) {
    for (const path of pathsOf(node.get('env_file'))) addFile(map, path, file, from);
    const listed = node.get('environment');
    for (const { key, value } of listed?.entries ?? []) add(map, key.text, value?.text ?? null, key, from);
    for (const { text } of listed?.items ?? []) {
      const at = text?.text.indexOf('=') ?? -1;
      if (text !== null)
        add(map, at < 0 ? text.text : text.text.slice(0, at), at < 0 ? null : text.slice(at + 1), text, from);
    }
  }
  return map;
}

/** A name without a value is taken from whoever runs compose. */
function add(
  map: Map<string, LaunchVariable>,
  name: string,
  value: Placed | null,
  at: Placed,
  { fill }: From,
): void {
  const known = value === null ? null : fill(value);
  const indeterminate = known === null ? 'it is taken from the environment of whoever runs compose' : null;
  map.set(name, { value: known, at: (known ?? at).span(), indeterminate });
}

function addFile(
  map: Map<string, LaunchVariable>,
  path: Placed,
  beside: LineIndex,
  { neighbours, problems, fill }: From,
): void {
  const file = neighbours.read(fill(path).text, beside);
  if ('problem' in file) {
    problems.push({ message: file.problem, at: path.span() });
    return;
  }
  for (const { name, value } of environmentLines(file))
    map.set(name, { value: fill(value), at: value.span(), indeterminate: null });
}

function pathsOf(node: YamlNode | null): Placed[] {
  if (node === null) return [];
  const items = node.isList ? node.items : [node];
  return items.flatMap((item) => item.text ?? item.get('path')?.text ?? []);
}
