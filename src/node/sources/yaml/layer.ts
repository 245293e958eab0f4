/** Reads the YAML file of --conf: flags by name or alias, flat or nested at dots. */
import type { Dialect } from '../../dialect/dialect.js';
import type { SettingValue } from '../../facts/settings.js';
import type { Flag, FlagSet, FlagType, Kind } from '../../kinds/kind.js';
import { layerOfEntries } from '../argv/file-entries.js';
import type { FileLayer } from '../argv/layers.js';
import { flagsOf } from '../argv/node.js';
import { type Context, type Launches, launchWithFile, loneLaunch } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import { readYaml } from './document.js';
import type { YamlNode } from './node.js';

const maxDepth = 6;

/** The node that is started with this file alone, whatever its launcher. */
export function readNodeYaml(file: LineIndex, { kinds }: Context): Launches {
  const own = kinds.find((one) => one.configFile?.format === 'flags' && setsOwnFlag(file, one));
  if (own !== undefined) return launchWithFile(own, file);
  const [kind] = kinds;
  const layer = kind === undefined ? null : layerOf(file, flagsOf(kind, kind.usualLauncher));
  if (kind === undefined || layer === null || (layer.values.size === 0 && layer.problem === null))
    return { launches: [], problems: [], notes: [] };
  const launch = loneLaunch({ kind, at: file.span({ start: 0, end: 0 }), file: layer });
  return { launches: [launch], problems: layer.problem === null ? [] : [layer.problem], notes: [] };
}

/** Whether this is a file with a flag that few other programs have. */
function setsOwnFlag(file: LineIndex, { flags, programOf, usualLauncher, dialect, signs }: Kind): boolean {
  const { values } = layerOfFlags(file, flags.of(programOf(usualLauncher)), dialect);
  return [...values.keys()].some((name) => signs.flag.test(`--${name}`));
}

/** The flags a file sets. Of a flag's names, the last in the node's own order wins. */
export function layerOf(file: LineIndex, flags: FlagSet): FileLayer {
  const { found, problem } = valuesIn(file);
  const values = flags.flags.flatMap((flag) => {
    const written = [flag.name, ...flag.aliases].findLast((name) => found.has(name));
    const node = written === undefined ? undefined : found.get(written);
    return written === undefined || node === undefined
      ? []
      : [[flag.name, { key: written, ...yamlValue(flag, node), at: node.at }] as const];
  });
  return { format: 'yaml', path: file.file, values: new Map(values), problem };
}

/** The flags that a file sets whose values are read as those of the command line. */
export function layerOfFlags(file: LineIndex, flags: FlagSet, dialect: Dialect): FileLayer {
  const { found, problem } = valuesIn(file);
  const entries = [...found].map(([key, node]) => {
    const texts = (node.isList ? node.items : [node]).map((one) => one.text ?? Placed.for('', file, 0, 0));
    const open = texts.find(({ text }) => !isKnown(text));
    const unknown = open === undefined ? null : `${unknownIn(open)} is not known`;
    return { key, at: node.at, texts: texts.map(({ text }) => text), unknown };
  });
  return layerOfEntries({ format: 'yaml', path: file.file, problem }, entries, flags, dialect);
}

/** Every value of the first document under its dotted name, and why it cannot be read as a whole. */
function valuesIn(file: LineIndex) {
  const [document] = readYaml(file);
  const found = new Map<string, YamlNode>();
  if (document?.root != null) flatten(document.root, '', found, 0);
  return { found, problem: document?.problem ?? null };
}

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
