/** Reads the YAML file of --conf: flags by name or alias, flat or nested at dots. */
import type { SettingValue } from '../../facts/settings.js';
import type { Flag, FlagSet, FlagType } from '../../kinds/kind.js';
import type { FileLayer } from '../argv/layers.js';
import { flagsOf } from '../argv/node.js';
import { type Context, type Launches, loneLaunch } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import { readYaml } from './document.js';
import type { YamlNode } from './node.js';

const maxDepth = 6;

/** The node that is started with this file alone, whatever its launcher. */
export function readNodeYaml(file: LineIndex, { kinds: [kind] }: Context): Launches {
  const layer = kind === undefined ? null : layerOf(file, flagsOf(kind, kind.usualLauncher));
  if (kind === undefined || layer === null || (layer.values.size === 0 && layer.problem === null))
    return { launches: [], problems: [], notes: [] };
  const launch = loneLaunch({ kind, at: file.span({ start: 0, end: 0 }), file: layer });
  return { launches: [launch], problems: layer.problem === null ? [] : [layer.problem], notes: [] };
}

/** The flags a file sets. Of a flag's names, the last in the node's own order wins. */
export function layerOf(file: LineIndex, flags: FlagSet): FileLayer {
  const [document] = readYaml(file);
  const found = new Map<string, YamlNode>();
  if (document?.root != null) flatten(document.root, '', found, 0);
  const values = flags.flags.flatMap((flag) => {
    const written = [flag.name, ...flag.aliases].findLast((name) => found.has(name));
    const node = written === undefined ? undefined : found.get(written);
    return node === undefined
      ? []
      : [[flag.name, { key: flag.name, ...yamlValue(flag, node), at: node.at }] as const];
  });
  const problem = document?.problem ?? null;
  return { format: 'yaml', path: file.file, values: new Map(values), problem };
}

/** Collects every value under its dotted name. */
function flatten(node: YamlNode, prefix: string, found: Map<string, YamlNode>, depth: number): void {
  for (const { key, value } of node.entries) {
    const name = `${prefix}${key.text}`;
    if (value === null) continue;
    if (value.isMap && depth < maxDepth) flatten(value, `${name}.`, found, depth + 1);
    else found.set(name, value);
  }
}

function yamlValue({ type }: Flag, node: YamlNode) {
  const known = { refused: null, unknown: null };
  const { value, text } = node;
  if (text !== null && !isKnown(text.text))
    return { value: null, refused: null, unknown: `${unknownIn(text)} is not known` };
  if (fits(type, value)) return { value: value as SettingValue, ...known };
  if (type === 'list' && node.isList)
    return { value: node.items.map((one) => one.text?.text ?? '').join(','), ...known };
  return { value: null, refused: `it is not ${called(type)}`, unknown: null };
}

/** By YAML's own types: the node rejects a quoted number for a port. */
function fits(type: FlagType, value: unknown): boolean {
  if (type === 'bool') return typeof value === 'boolean';
  if (/int/.test(type)) return Number.isSafeInteger(value);
  if (type === 'float') return typeof value === 'number';
  return typeof value === 'string';
}

function called(type: FlagType): string {
  if (type === 'bool') return 'true or false';
  return /int|float/.test(type) ? 'a number' : 'a text';
}
