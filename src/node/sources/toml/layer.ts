/** Reads the TOML file of --config, whose keys are names of the program's own fields. */
import type { Dialect } from '../../dialect/dialect.js';
import type { SettingValue } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Flag, FlagSet, KindModules, TomlFile } from '../../kinds/kind.js';
import { layerOfEntries } from '../argv/file-entries.js';
import type { FileLayer } from '../argv/layers.js';
import { type Context, type Launches, launchWithFile } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { isKnown, Placed } from '../text/placed.js';
import { unknownIn } from '../text/unknown.js';
import { readToml, type TomlEntry } from './document.js';

type Values = FileLayer['values'] extends ReadonlyMap<string, infer One> ? Map<string, One> : never;
type Read = { readonly value: SettingValue } | { readonly refused: string } | { readonly unknown: string };

/** The node that is started with this file alone. Of several kinds, the first that has the listed modules. */
export function readNodeToml(file: LineIndex, { kinds }: Context): Launches {
  const listed = readToml(file).entries.flatMap(({ key, value }) =>
    key.endsWith('Modules') && Array.isArray(value) ? value.map(String) : [],
  );
  const hasAll = ({ modules: { catalogue, inert } }: KindModules) =>
    listed.every((name) => Object.hasOwn(catalogue, name) || Object.hasOwn(inert, name));
  const kind = kinds.find(hasAll) ?? kinds[0];
  return kind === undefined ? { launches: [], problems: [], notes: [] } : launchWithFile(kind, file);
}

/** The flags a file sets. A key that the program does not have is the file's problem. */
export function layerOf(file: LineIndex, flags: FlagSet, { keys, isRefused, switches }: TomlFile): FileLayer {
  const { entries, sections, problem } = readToml(file);
  const values: Values = new Map();
  for (const entry of entries) {
    const flag = flags.byName.get(keys.get(entry.key) ?? '');
    if (flag === undefined) continue;
    const turnedOn = switches.get(flag.name);
    // An empty address is none.
    if ((turnedOn !== undefined || /int/.test(flag.type)) && entry.value === '') continue;
    const read = valueFor(flag, entry, file);
    values.set(flag.name, { ...one(entry), ...read });
    if (turnedOn !== undefined)
      values.set(turnedOn, { ...one(entry), ...('value' in read ? { value: true } : read) });
  }
  const unknown = [...sections, ...entries].find(({ key }) => isRefused(key));
  return {
    format: 'toml',
    path: file.file,
    values,
    problem:
      problem ??
      (unknown === undefined
        ? null
        : { message: noSuchKey(unknown.key, keys), at: unknown.at, key: unknown.key }),
  };
}

/** The flags that a file sets whose values are read as those of the command line. */
export function layerOfFlags(file: LineIndex, flags: FlagSet, dialect: Dialect): FileLayer {
  const { entries: all, problem } = readToml(file, true);
  const entries = all.map(({ key, value, at }) => {
    const texts = (Array.isArray(value) ? value : [value ?? '']).map(String);
    const unknown = texts.every(isKnown) ? null : unknownAt(file, at);
    return { key, at, texts, unknown };
  });
  return layerOfEntries({ format: 'toml', path: file.file, problem }, entries, flags, dialect);
}

function unknownAt(file: LineIndex, at: Span): string {
  const { start, end } = file.range(at);
  return `${unknownIn(Placed.at(file, start, end))} is not known`;
}

function one({ key, at }: TomlEntry) {
  return { key, at, value: null, refused: null, unknown: null };
}

function noSuchKey(key: string, keys: ReadonlyMap<string, string>): string {
  const meant = [...keys.keys()].find((one) => one.toLowerCase() === key.toLowerCase());
  return `the node has no setting ${key}${meant === undefined ? '' : `, only ${meant}`}`;
}

function valueFor({ type, name }: Flag, { value, at }: TomlEntry, file: LineIndex): Read {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.some((text) => typeof text === 'string' && !isKnown(text)))
    return { unknown: unknownAt(file, at) };
  if (Array.isArray(value)) return isTextual(type) ? listed(value) : { refused: `it is not ${called(type)}` };
  if (type === 'bool') return typeof value === 'boolean' ? { value } : { refused: 'it is not true or false' };
  if (type === 'float' && (typeof value === 'number' || typeof value === 'bigint'))
    return { value: Number(value) };
  if (typeof value === 'bigint') return wholeNumber(type, name, value);
  if (typeof value === 'string' && isTextual(type)) return { value };
  // An address, of which the flag has the port.
  const port = typeof value === 'string' && /int/.test(type) ? /:(\d{1,5})$/.exec(value)?.[1] : undefined;
  return port === undefined ? { refused: `it is not ${called(type)}` } : { value: Number(port) };
}

/** A list as its flag is written. An item that the flag cannot say would become several, or none. */
function listed(items: readonly unknown[]): Read {
  if (!items.every((item) => typeof item === 'string')) return { refused: 'it is not a list of texts' };
  const odd = items.find((item) => item.trim() !== item || item === '' || item.includes(','));
  if (odd !== undefined)
    return { unknown: `the item “${odd}” is read as one name, with its commas and spaces` };
  return { value: items.join(',') };
}

/** Durations are in nanoseconds. */
function wholeNumber(type: Flag['type'], name: string, value: bigint): Read {
  if (type === 'duration')
    return { value: value % 1_000_000_000n === 0n ? `${value / 1_000_000_000n}s` : `${value}ns` };
  if (!/int/.test(type)) return { refused: `it is not ${called(type)}` };
  if (type.startsWith('u') && value < 0n) return { refused: 'it is out of range' };
  const bytes = name === 'rpc.http-body-limit' ? value >> 20n : value;
  const number = Number(bytes);
  return { value: Number.isSafeInteger(number) ? number : bytes.toString() };
}

function isTextual(type: Flag['type']): boolean {
  return ['string', 'path', 'text', 'list'].includes(type);
}

function called(type: Flag['type']): string {
  if (type === 'bool') return 'true or false';
  return /int|float|duration/.test(type) ? 'a number' : 'a text';
}
