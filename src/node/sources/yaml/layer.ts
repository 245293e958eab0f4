/** The YAML file that --conf names: flags by their names and aliases, flat or nested at dots. */
import type { SettingValue } from '../../facts/settings.js';
import type { Flag, FlagSet, FlagType } from '../../kinds/kind.js';
import type { YamlLayer } from '../argv/layers.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown } from '../text/placed.js';
import { readYaml } from './document.js';
import type { YamlNode } from './node.js';

const maxDepth = 6;

/** What a file sets. The last of a flag's names wins, in the order the node knows them. */
export function layerOf(file: LineIndex, flags: FlagSet): YamlLayer {
  const [document] = readYaml(file);
  const found = new Map<string, YamlNode>();
  if (document?.root != null) flatten(document.root, '', found, 0);
  const values = flags.flags.flatMap((flag) => {
    const written = [flag.name, ...flag.aliases].findLast((name) => found.has(name));
    const node = written === undefined ? undefined : found.get(written);
    return node === undefined ? [] : [[flag.name, { ...yamlValue(flag, node), at: node.at }] as const];
  });
  const problem = document?.problem ?? null;
  return { path: file.file, values: new Map(values), problem };
}

/** Every value under its dotted name; a map is followed only where no flag has its own name. */
function flatten(node: YamlNode, prefix: string, found: Map<string, YamlNode>, depth: number): void {
  for (const { key, value } of node.entries) {
    const name = `${prefix}${key.text}`;
    if (value === null) continue;
    if (value.isMap && depth < maxDepth) flatten(value, `${name}.`, found, depth + 1);
    else found.set(name, value);
  }
}

type Valued = { readonly value: SettingValue | null; readonly refused: string | null };

function yamlValue({ type }: Flag, node: YamlNode): Valued {
  const { value, text } = node;
  if (text !== null && !isKnown(text.text)) return { value: null, refused: null };
  if (fits(type, value)) return { value: value as SettingValue, refused: null };
  if (type === 'list' && node.isList)
    return { value: node.items.map((one) => one.text?.text ?? '').join(','), refused: null };
  return { value: null, refused: `it is not ${called(type)}` };
}

/** The types are YAML's own: a number in quotes is a text, and the node refuses it for a port. */
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
