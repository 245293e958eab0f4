/** Reads a file, or stdin, of any kind of source: the nodes it starts. */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';
import type { Conf } from '../facts/facts.js';
import type { Source, SourceKind } from '../facts/settings.js';
import { type FlagSet, flagsOf } from '../kinds/kaia/flags.js';
import type { YamlLayer } from './argv/settings.js';
import { type ConfOptions, commentsOf, readConf } from './conf/conf.js';
import { decode, maxConfBytes } from './conf/decode.js';
import { LineIndex } from './conf/line-index.js';
import { type LoadHost, readFile, readStream } from './file.js';
import type { Launch, Launches } from './launch.js';
import { neighboursOf, type Read } from './neighbours.js';
import { Placed } from './placed.js';
import { unfilled } from './placeholders.js';
import { derive, isExact, readingOf, remember } from './reading.js';
import { likelyStart, recognisable, recognise } from './recognise.js';
import { templateOf } from './rendering.js';
import { secretFilesOf } from './secret-files.js';
import { confOf } from './settings.js';
import type { Range } from './shell/syntax.js';

export interface LoadOptions extends ConfOptions {
  /** The name stdin goes by: for places, and to infer the launcher. Default: `-`. */
  readonly stdinFilename?: string | undefined;
  /** The conf that lines found elsewhere are appended to. Default: the packaged one. */
  readonly base?: string | undefined;
  /** Which of the nodes is meant, where a source starts several. */
  readonly service?: string | undefined;
  /** True when files that the source names may lie outside its folder. */
  readonly followOutside?: boolean | undefined;
}

/** One node of a source. */
export interface LoadedNode {
  /** Service, container or unit; null: the source starts just one. */
  readonly name: string | null;
  readonly conf: Conf;
}

export interface Loaded {
  readonly nodes: readonly LoadedNode[];
  /** Parts of the file that could not be read; the others were. */
  readonly problems: readonly KaiactlError[];
  readonly notes: readonly string[];
}

/** The file holds settings of no node: what a search passes over, and whoever named it has to be told. */
export class NoNode extends KaiactlError {}

/**
 * Reads one source; `-` is stdin.
 * @throws {NoNode} when it is not a node's settings (exit 2)
 * @throws {KaiactlError} when it is missing, not a regular file, unreadable, too large, binary, or changes while it is
 * read (exit 2), or the wait for stdin is interrupted (130)
 */
export async function loadNodes(path: string, options: LoadOptions, host: LoadHost): Promise<Loaded> {
  if (path === '-') {
    const bytes = await readStream(host);
    return await nodesOf(options.stdinFilename ?? '-', bytes, { ...options, file: null }, host, null);
  }
  const { bytes, mode, uid } = readFile(path, host.cwd);
  const absolutePath = resolve(host.cwd, path);
  return await nodesOf(path, bytes, { ...options, file: { mode, uid }, absolutePath }, host, host.cwd);
}

/** A command line as its user wrote it. @throws {NoNode} when it starts no node (exit 2) */
export async function loadCommandLine(text: string, options: LoadOptions, host: LoadHost): Promise<Loaded> {
  const file = new LineIndex('--command-line', text);
  return await launched('command line', file, options, host, neighboursOf('.', host.cwd, false));
}

/**
 * Reads a source that is to be one node: the one named, or the only one.
 * @throws {KaiactlError} as loadNodes does, and when it holds several and none, or none of them, was named (exit 2)
 */
export async function loadNode(path: string, options: LoadOptions, host: LoadHost): Promise<Conf> {
  const { nodes, problems } = await loadNodes(path, options, host);
  const named = options.service === undefined ? nodes : nodes.filter(({ name }) => name === options.service);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return only.conf;
  if (problems[0] !== undefined && nodes.length === 0) throw problems[0];
  const names = nodes.map(({ name }) => visible(name ?? 'without a name', 60)).join(', ');
  throw new KaiactlError(
    only === undefined
      ? `${visible(path)} starts no node ${visible(options.service ?? '', 60)}`
      : `${visible(path)} starts ${nodes.length} nodes`,
    { notes: [`it starts: ${names}`], hint: 'Say which one with --service NAME.' },
  );
}

function withSecretFiles(conf: Conf): Conf {
  const { settings } = conf;
  return { ...conf, settings: { ...settings, secretFiles: secretFilesOf(settings) } };
}

async function nodesOf(
  path: string,
  bytes: Uint8Array,
  options: LoadOptions,
  host: LoadHost,
  cwd: string | null,
): Promise<Loaded> {
  const raw = textOf(bytes);
  const recognised = recognise(options.absolutePath ?? path, raw.replaceAll('\0', ''));
  if (recognised.kind === 'conf' || (recognised.kind === null && bytes.length > maxConfBytes)) {
    const neighbours = neighboursOf(path, cwd, options.followOutside === true);
    const conf = await readWithYaml(path, bytes, options, neighbours);
    const { note } = templateOf(path, raw, false);
    const local = options.absolutePath === undefined ? conf : derive(conf, withSecretFiles);
    return { nodes: [{ name: null, conf: local }], problems: [], notes: note === null ? [] : [note] };
  }
  if (recognised.kind === null) {
    decode(path, bytes); // a binary file is told as such
    throw noNode(path, recognised.why);
  }
  const neighbours = neighboursOf(path, cwd, options.followOutside === true);
  return await launched(recognised.kind, new LineIndex(path, raw), options, host, neighbours);
}

/** A conf, with the file that its --conf names. */
async function readWithYaml(
  path: string,
  bytes: Uint8Array,
  options: LoadOptions,
  neighbours: Read,
): Promise<Conf> {
  const first = readConf(path, bytes, options);
  const layerOf = await layersFor([first]);
  if (layerOf === null) return first;
  const read = (text: Uint8Array) =>
    withYaml(readConf(path, text, options), path, neighbours, layerOf, (yaml) =>
      readConf(path, text, { ...options, yaml }),
    );
  const conf = read(bytes);
  const reading = readingOf(first);
  if (reading !== null)
    remember({ text: reading.text, confs: [conf], read: (text) => [read(Buffer.from(text))] });
  return conf;
}

type LayerOf = (file: LineIndex, flags: FlagSet) => YamlLayer;

/** Loaded when one of the nodes names a YAML file; else null. */
async function layersFor(confs: readonly Conf[]): Promise<LayerOf | null> {
  return confs.some(namesYaml) ? (await import('./yaml/layer.js')).layerOf : null;
}

function namesYaml({ settings }: Conf): boolean {
  return typeof settings.values.conf?.value === 'string';
}

/** The settings once more, with the file that --conf names, where that can be read. */
function withYaml(
  conf: Conf,
  path: string,
  neighbours: Read,
  layerOf: LayerOf | null,
  again: (yaml: YamlLayer) => Conf,
): Conf {
  const named = conf.settings.values.conf?.value;
  if (typeof named !== 'string' || layerOf === null) return conf;
  const file = neighbours.read(named, new LineIndex(path, ''));
  if ('problem' in file) return conf;
  const read = again(layerOf(file, flagsOf(conf.settings.launcher)));
  return { ...read, settings: { ...read.settings, source: withLines(read.settings.source, file) } };
}

function withLines(source: Source, file: LineIndex): Source {
  return { ...source, others: { ...source.others, [file.file]: file.lines() } };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function noNode(path: string, why: string): NoNode {
  const name = path === '-' ? 'stdin' : visible(path);
  return new NoNode(`${name}: not a node's settings: ${why}`, { hint: recognisable });
}

/** Nothing was found: no node is started, or one is by words that were not followed, which must not look like none. */
function startsNone(kind: LaunchedKind, file: LineIndex): KaiactlError {
  const at = likelyStart(file.text);
  if (at === null) return noNode(file.file, `no node is started by this ${called[kind]}`);
  const { line, column } = file.span(at);
  return new KaiactlError(
    `${visible(file.file)}:${line}:${column}: a node is started, or its conf is held, in a way that is not followed`,
    {
      hint: "Give the node's own words with --command-line 'ken …', or its conf alone.",
    },
  );
}

type LaunchedKind = Exclude<SourceKind, 'conf' | 'process'>;

async function launched(
  kind: LaunchedKind,
  file: LineIndex,
  options: LoadOptions,
  host: LoadHost,
  neighbours: Read,
): Promise<Loaded> {
  const read = await readers[kind]?.();
  if (read === undefined) throw noNode(file.file, `it is a ${called[kind]}`);
  const base = options.base === undefined ? undefined : baseFile(options.base, host);
  const load = (text: LineIndex, layerOf: LayerOf | null) =>
    loadedBy(read, kind, text, options, neighbours, base, layerOf);
  const first = load(file, null);
  const layerOf = await layersFor(confsOf(first));
  const loaded = layerOf === null ? first : load(file, layerOf);
  const reread = (text: string) => load(new LineIndex(file.file, text), layerOf);
  if (isExact(file.text)) {
    remember({ text: file.text, confs: confsOf(loaded), read: (text) => confsOf(reread(text)) });
  }
  return loaded;
}

function confsOf({ nodes }: Loaded): Conf[] {
  return nodes.map(({ conf }) => conf);
}

function loadedBy(
  read: Reader,
  kind: LaunchedKind,
  asWritten: LineIndex,
  options: LoadOptions,
  neighbours: Read,
  base: LineIndex | undefined,
  layerOf: LayerOf | null,
): Loaded {
  const template = templateOf(asWritten.file, asWritten.text, inYaml.has(kind));
  const file = new LineIndex(asWritten.file, template.text);
  const { launches, problems, notes } = read(file, neighbours);
  if (launches.length === 0 && problems.length === 0) throw startsNone(kind, file);
  const others = Object.fromEntries(
    [...neighbours.files, ...(base === undefined ? [] : [[base.file, base] as const])].map(([name, one]) => [
      name,
      one.lines(),
    ]),
  );
  const source: Omit<Source, 'multiline'> = {
    kind,
    path: file.file,
    lines: asWritten.lines(),
    comments: commentsOf(asWritten.text, asWritten),
    file: options.file ?? null,
    ...(Object.keys(others).length === 0 ? {} : { others }),
  };
  const { launcher, package: from, env } = options;
  const nodes = launches.map((known): LoadedNode => {
    const launch = withUnknown(known, file, template.inserted);
    const how = { source, launcher, package: from, env, base };
    const again = (yaml: YamlLayer) => confOf(launch, { ...how, yaml });
    const conf = withYaml(confOf(launch, how), file.file, neighbours, layerOf, again);
    return { name: launch.name === null ? null : filledName(launch.name), conf };
  });
  return {
    nodes,
    problems: problems.map(({ message, at }) => {
      return new KaiactlError(`${visible(at.file)}:${at.line}:${at.column}: ${visible(message, 500)}`);
    }),
    notes: template.note === null ? notes : [...notes, template.note],
  };
}

const inYaml: ReadonlySet<SourceKind> = new Set(['compose', 'kubernetes', 'yaml']);

/** A name that a template makes, as people see it. */
function filledName(name: string): string {
  return name.replaceAll(new RegExp(`${unfilled}+`, 'g'), '…');
}

/** Lines that a template inserts may be words of the node: after them nothing that no other word says is sure. */
function withUnknown(launch: Launch, file: LineIndex, inserted: readonly Range[]): Launch {
  const [first] = inserted;
  if (first === undefined || launch.start.kind !== 'binary') return launch;
  const word = Placed.for(unfilled, file, first.start, first.end);
  return { ...launch, start: { ...launch.start, words: [...launch.start.words, word] } };
}

function baseFile(path: string, { cwd }: LoadHost): LineIndex {
  return new LineIndex(path, textOf(readFile(path, cwd).bytes));
}

type Reader = (file: LineIndex, neighbours: Read) => Launches;

/** Each kind's reader, loaded when a file of it is met: the parsers are large. */
const readers: Readonly<Partial<Record<LaunchedKind, () => Promise<Reader>>>> = {
  'command line': async () => (await import('./script/read.js')).readCommandLine,
  script: async () => (await import('./script/read.js')).readScript,
  systemd: async () => (await import('./systemd/read.js')).readSystemd,
  environment: async () => (await import('./environment/read.js')).readEnvironment,
  dockerfile: async () => (await import('./dockerfile/read.js')).readDockerfile,
  yaml: async () => (await import('./yaml/read.js')).readNodeYaml,
  kubernetes: async () => (await import('./kubernetes/read.js')).readKubernetes,
  compose: async () => (await import('./compose/read.js')).readCompose,
};

const called: Readonly<Record<LaunchedKind, string>> = {
  'command line': 'command line',
  script: 'script',
  compose: 'compose file',
  kubernetes: 'manifest',
  dockerfile: 'Dockerfile',
  systemd: 'unit',
  environment: 'environment file',
  yaml: 'YAML file',
};
