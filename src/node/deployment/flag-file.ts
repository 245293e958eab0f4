/** Settings merged with the file of flags that a flag of the node names. */
import { field, jsonOf } from '../../util/json.js';
import { oncePer } from '../../util/once-per.js';
import type { Conf } from '../facts/facts.js';
import type { Source, UsedFile } from '../facts/settings.js';
import { changeSettings } from '../facts/worlds.js';
import type { FlagSet, Kind, KindListeners, ScriptedKind } from '../kinds/kind.js';
import { type FileLayer, type FlagFile, formatOf } from '../sources/argv/layers.js';
import { flagsOf } from '../sources/argv/node.js';
import { readConf } from '../sources/conf/conf.js';
import type { Launch } from '../sources/launch/launch.js';
import type { Editable, ReadAs } from '../sources/text/editable.js';
import { commentsOf, LineIndex } from '../sources/text/line-index.js';
import { isKnown, Placed, PlacedIndex } from '../sources/text/placed.js';
import { maskPlaceholders } from '../sources/text/placeholders.js';
import type { LoadOptions } from './load-options.js';
import type { View } from './view.js';

/** Characters of a file of flags that is read. */
const maxText = 1 << 20;

/** Reads a conf, and the file of flags that it names. */
export async function readWithFlagFile(
  kind: ScriptedKind,
  path: string,
  bytes: Uint8Array,
  given: LoadOptions,
  files: View,
): Promise<{ readonly conf: Conf; readonly file: Editable | null }> {
  const open = (named: string) => {
    const file = files.read(named, new LineIndex(path, ''), 'sourced');
    return file === null || 'problem' in file ? null : Placed.at(file);
  };
  const options = { ...given, open };
  const first = readConf(kind, path, bytes, options);
  const layerOf = await layersFor([[kind, first.conf]]);
  if (layerOf === null) return first;
  const read = (text: Uint8Array, as: ReadAs = {}, scope = files) =>
    withFlagFile(
      kind,
      readConf(kind, path, text, { ...options, ...as }).conf,
      path,
      scope,
      layerOf,
      (flagFile) => readConf(kind, path, text, { ...options, ...as, flagFile }).conf,
    );
  const conf = read(bytes);
  if (first.file === null) return { conf, file: null };
  return {
    conf,
    file: {
      text: first.file.text,
      others: files.editable(path),
      confs: [conf],
      alike: null,
      read: (text, as, others) => [read(Buffer.from(text), as, files.again(others))],
    },
  };
}

/** `named`: the path of the file, as the flag says it. */
export type LayerOf = (file: LineIndex, flags: FlagSet, kind: Kind, named: string) => FileLayer;

/** The reader of such files, loaded only when one of the nodes names one; else null. */
export async function layersFor(confs: readonly (readonly [Kind, Conf])[]): Promise<LayerOf | null> {
  const formats = new Set(
    confs.flatMap(([{ configFile }, conf]) => {
      const path = fileNamedBy(configFile, conf);
      return path === null || configFile === null ? [] : formatOf(configFile, path);
    }),
  );
  if (formats.size === 0) return null;
  const readers = {
    yaml: formats.has('yaml') ? await import('../sources/yaml/layer.js') : null,
    toml: formats.has('toml') ? await import('../sources/toml/layer.js') : null,
  };
  return (file, flags, { configFile, dialect }, named) => {
    switch (configFile?.format) {
      case 'yaml':
        return loaded(readers.yaml).layerOf(file, flags);
      case 'toml':
        return loaded(readers.toml).layerOf(file, flags, configFile);
      case 'flags':
        return loaded(readers[formatOf(configFile, named)]).layerOfFlags(file, flags, dialect);
      default:
        throw new Error('this kind of node has no file of flags');
    }
  };
}

function loaded<T>(reader: T | null): T {
  if (reader === null) throw new Error('the reader of the file of flags is not loaded');
  return reader;
}

/** The path of the node's own file of flags; null if no flag names one. */
function fileNamedBy(configFile: Kind['configFile'], { settings }: Conf): string | null {
  const setting = configFile === null ? undefined : settings.values[configFile.flag];
  // Unknown words may name another file.
  const value = setting?.value ?? setting?.shadowed[0]?.value;
  return typeof value === 'string' ? value : null;
}

/**
 * Derives the settings again, with the file of flags that they name, where that file can be read.
 * @param open - reads a file as the node sees it; absent to read it as the file at `path` names it
 */
export function withFlagFile(
  kind: Kind,
  conf: Conf,
  path: string,
  files: View,
  layerOf: LayerOf | null,
  again: (flagFile: FlagFile) => Conf,
  open?: Launch['open'],
): Conf {
  const named = fileNamedBy(kind.configFile, conf);
  if (named === null || layerOf === null || kind.configFile === null) return conf;
  const text = open?.(named) ?? null;
  const beside = open === undefined ? files.read(named, new LineIndex(path, ''), 'conf') : null;
  const file = text === null ? beside : new PlacedIndex(text);
  if (file === null || 'problem' in file || file.text.length > maxText) return conf;
  const layerAt = oncePer((at: Kind) => layerOf(file, flagsOf(at, conf.settings.launcher), at, named));
  const { problem, unknownKeys = [] } = layerAt(kind);
  // A template that is not rendered may become any file.
  const isTemplate = !isKnown(maskPlaceholders(file.text).text);
  if (isTemplate && (problem !== null || unknownKeys.some(({ key }) => !isKnown(key)))) return conf;
  const read = again(layerAt);
  const { settings } = read;
  const own: readonly UsedFile[] = settings.files ?? [{ path, role: 'conf' }];
  const isListed = own.some((one) => one.path === file.file);
  const used: readonly UsedFile[] = isListed ? own : [...own, { path: file.file, role: 'conf' }];
  const whole = files.files.get(file.file);
  const source = whole === undefined ? settings.source : withLines(settings.source, whole);
  return { ...read, settings: { ...settings, files: used, source } };
}

/** The modules of which the file of methods that a flag names allows a method; where it cannot be read, all that are written. */
export function withMethodFilter(
  kind: KindListeners,
  conf: Conf,
  path: string,
  files: View,
  open: Launch['open'],
): Conf {
  return changeSettings(conf, (settings) => {
    const named = kind.methodFilter === undefined ? undefined : settings.values[kind.methodFilter]?.value;
    if (typeof named !== 'string' || named === '') return settings;
    const text = open === undefined ? files.read(named, new LineIndex(path, ''), 'conf') : open(named);
    const allowed = text === null || 'problem' in text ? null : methodsIn(text.text);
    const allows = (module: string) =>
      module === 'rpc' || allowed?.some((method) => method.startsWith(`${module}_`)) !== false;
    const listeners = settings.listeners.map((one) => ({
      ...one,
      modules: one.modules?.filter(allows) ?? null,
    }));
    return { ...settings, listeners };
  });
}

/** Returns null if it is no list of methods. */
function methodsIn(text: string): readonly string[] | null {
  const allow = field(jsonOf(text), 'allow');
  return Array.isArray(allow) ? allow.map(String) : null;
}

function withLines(source: Source, file: LineIndex): Source {
  const comments = [...source.comments, ...commentsOf(file.text, file)];
  return { ...source, comments, others: { ...source.others, [file.file]: file.lines() } };
}
