/** Reads files that start nodes: scripts, units, compose files and others. */
import { basename, resolve } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import { finish, inTurns } from '../../util/turns.js';
import { visible } from '../../util/visible.js';
import type { Conf } from '../facts/facts.js';
import { portHop } from '../facts/reach.js';
import type { SecretFile, Source, SourceKind } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';
import type { FlagFile } from '../sources/argv/layers.js';
import { isTracked } from '../sources/checkout.js';
import { decodeBytes, type LoadHost, readFile } from '../sources/file.js';
import { called, type LaunchedKind, type Reader, readers } from '../sources/formats.js';
import type { Launch } from '../sources/launch/launch.js';
import { confOfLaunch } from '../sources/launch/settings.js';
import { namedSecrets } from '../sources/named-secrets.js';
import { templateOf } from '../sources/rendering.js';
import { secretFiles, withMore } from '../sources/secret-files.js';
import { type Editable, editablesOf, type ReadAs } from '../sources/text/editable.js';
import type { Range } from '../sources/text/line-index.js';
import { commentsOf, LineIndex } from '../sources/text/line-index.js';
import { Placed } from '../sources/text/placed.js';
import { unfilled } from '../sources/text/placeholders.js';
import { maxSteps, Steps, tooManySteps } from '../sources/text/steps.js';
import { type LayerOf, layersFor, withFlagFile, withMethodFilter } from './flag-file.js';
import type { Loaded, LoadedNode, LoadOptions } from './load-options.js';
import { noNode, unfollowedStart } from './not-settings.js';
import type { View } from './view.js';
import { launchesOfWritten } from './written.js';

/**
 * The nodes that a file of this kind starts.
 * @param isExact - whether the text is all that the file holds, so that edits can be tried
 * @throws {KaiactlError} when it starts none (exit 2); NoNode where nothing in it looks like a start
 */
export async function launchesIn(
  kind: LaunchedKind,
  file: LineIndex,
  options: LoadOptions,
  host: LoadHost,
  files: View,
  isExact = true,
): Promise<Loaded> {
  const loadedReaders = new Map([[kind, await readers[kind]()]]);
  const wanted = new Set<LaunchedKind>();
  const base =
    options.base === undefined
      ? null
      : new LineIndex(options.base, decodeBytes(readFile(options.base, host.cwd).bytes));
  const load = (text: LineIndex, layerOf: LayerOf | null, as: ReadAs = {}, scope = files) =>
    loadStarts(
      {
        cwd: host.cwd,
        readers: loadedReaders,
        wanted,
        kind,
        options: { ...options, ...as },
        files: scope,
        base,
      },
      text,
      layerOf,
    );
  const loadNow = async (layerOf: LayerOf | null, scope?: View): Promise<LoadedStarts> => {
    const loaded = await inTurns(load(file, layerOf, {}, scope), host.signal);
    if (loaded !== null) return loaded;
    throw new KaiactlError(`interrupted while reading ${visible(file.file)}`, { exitCode: exit.interrupted });
  };
  let first = await loadNow(null);
  while (wanted.size > 0) {
    for (const one of wanted) loadedReaders.set(one, await readers[one]());
    wanted.clear();
    first = await loadNow(null, files.again());
  }
  const layerOf = await layersFor(first.started);
  const loaded = layerOf === null ? first : await loadNow(layerOf);
  const { nodes, unfollowed, problems, notes } = loaded;
  const editable: Editable = {
    text: file.text,
    others: files.editable(file.file),
    confs: confsOf(loaded),
    alike: null,
    read: (text, as, others) =>
      confsOf(finish(load(new LineIndex(file.file, text), layerOf, as, files.again(others)))),
  };
  const editables = editablesOf(isExact ? editable : null);
  return { nodes, unfollowed, problems, notes, asked: files.asked, editables };
}

/** The loaded nodes, and the kind of each. */
type LoadedStarts = Loaded & { readonly started: readonly (readonly [Kind, Conf])[] };

function confsOf({ nodes }: Loaded): Conf[] {
  return nodes.map(({ conf }) => conf);
}

const unreadStarts = 'what else it starts is not known';

const tooManyFiles = 'the folder takes too many steps to follow';

const unfinished = { name: null, decides: 'settings', reason: tooManySteps } as const;

interface Readable {
  /** The folder that paths start at. */
  readonly cwd: string;
  readonly readers: ReadonlyMap<LaunchedKind, Reader>;
  /** Kinds of written files whose readers are not loaded. */
  readonly wanted: Set<LaunchedKind>;
  readonly kind: LaunchedKind;
  readonly options: LoadOptions;
  readonly files: View;
  readonly base: LineIndex | null;
}

/** Pauses before each node. */
function* loadStarts(
  how: Readable,
  asWritten: LineIndex,
  layerOf: LayerOf | null,
): Generator<void, LoadedStarts> {
  const starts = readStarts(how, asWritten);
  const { file, launches, problems, notes } = starts;
  const { files, wanted, kind, options } = how;
  const { unfollowedStarts } = files;
  if (launches.length === 0 && problems.length === 0 && unfollowedStarts.length === 0 && wanted.size === 0)
    throw noNode(options.kinds, asWritten, `no node is started by this ${called[kind]}`);
  const readNode = nodeReader(how, asWritten, starts, layerOf);
  const nodes: StartedNode[] = [];
  for (const [launch, as] of launches) {
    yield;
    nodes.push(readNode(launch, as));
  }
  return {
    nodes: nodes.map(({ name, conf }) => ({ name, conf })),
    unfollowed: unfollowedStarts.map((one) => ({
      name: one.name,
      sign: unfollowedStart(
        one,
        one.at.file === file.file ? asWritten : (files.files.get(one.at.file) ?? file),
      ),
    })),
    started: nodes.map(({ kind, conf }) => [kind, conf]),
    problems: problems.map(
      ({ message, at }) =>
        new KaiactlError(`${visible(at.file)}:${at.line}:${at.column}: ${visible(message, 500)}`),
    ),
    notes,
  };
}

type StartedNode = LoadedNode & Pick<Launch, 'kind'>;

/** What a file starts itself, and in the files that it writes. */
function readStarts({ readers, wanted, kind, options, files }: Readable, asWritten: LineIndex) {
  const { kinds } = options;
  const masked = templateOf(asWritten.file, asWritten.text, inYaml.has(kind));
  const file = new LineIndex(asWritten.file, masked.text, asWritten.text);
  const steps = new Steps(files.limitOf(file.file));
  const reader = readers.get(kind) as Reader;
  const written = masked.note === null ? {} : { written: asWritten };
  const own = reader(file, { files, steps, kinds, ...written });
  const ofWritten = launchesOfWritten(file, { files, steps, kinds, readers, wanted });
  const isStarted = ({ by, launcher }: Launch) =>
    by === 'name' &&
    ofWritten.launches.some(([one]) => one.launcher === launcher || one.start.kind === 'binary');
  const launches = [
    ...own.launches.flatMap((one) => (isStarted(one) ? [] : [[one, kind] as const])),
    ...ofWritten.launches,
  ];
  tellGenerators(file, kinds, files, launches.length === 0);
  const template = own.rendered === undefined ? masked : { inserted: [], note: null };
  const isUnfinished = steps.left <= 0;
  const message = `${steps.limit < maxSteps ? tooManyFiles : tooManySteps}: ${unreadStarts}`;
  const unread = isUnfinished ? [{ message, at: file.span({ start: 0, end: 0 }) }] : [];
  files.spend(steps.taken);
  const problems = [...own.problems, ...ofWritten.problems];
  const unreadParts = problems.map((one) => ({
    name: null,
    decides: 'settings' as const,
    reason: `the file is not read to its end: ${one.message}`,
  }));
  return {
    file,
    steps,
    launches,
    inserted: template.inserted,
    isTemplate: masked.note !== null,
    problems: [...problems, ...unread],
    missing: [...(isUnfinished ? [unfinished] : []), ...unreadParts],
    notes: [...own.notes, ...ofWritten.notes, ...(template.note === null ? [] : [template.note])],
  };
}

/** Reads the settings of one start, with the files of flags, methods and secrets that it names. */
function nodeReader(
  how: Readable,
  asWritten: LineIndex,
  starts: ReturnType<typeof readStarts>,
  layerOf: LayerOf | null,
): (launch: Launch, as: SourceKind) => StartedNode {
  const { cwd, files, base, options } = how;
  const { launcher, package: packaging, nodeVersion, iniVersion, env } = options;
  const { file, steps } = starts;
  const source = sourceOf(how, asWritten, starts.isTemplate);
  const first = { launcher, package: packaging, nodeVersion, iniVersion, env, base, steps };
  const known = new Map<string, readonly SecretFile[]>();
  const secretsNamedIn = (used: readonly LineIndex[], as: SourceKind): readonly SecretFile[] => {
    const key = JSON.stringify([as, ...used.map((one) => one.file)]);
    const found = known.get(key) ?? namedSecrets(used, cwd, as === 'ansible' ? ofTasks : undefined);
    known.set(key, found);
    return found;
  };
  return (found, as) => {
    const from = { ...first, source: { ...source, kind: as, ...othersOf(found, how) } };
    // Placeholders of a template are shown as an ellipsis.
    const name = found.name === null ? null : found.name.replaceAll(new RegExp(`${unfilled}+`, 'g'), '…');
    const missing = [...withBase(found, base), ...starts.missing];
    const unread = inYaml.has(as) ? starts.problems.slice(0, 1).map(({ at }) => unreadPort(at)) : [];
    const { container: own } = found;
    const container = own && { ...own, published: [...own.published, ...unread] };
    const launch = { ...withUnknown(found, file, starts.inserted), missing, name, container };
    const { kind, open, secretAt, secrets = [], names } = launch;
    const again = (flagFile: FlagFile) => confOfLaunch(launch, { ...from, flagFile });
    const whole = withFlagFile(kind, confOfLaunch(launch, from), file.file, files, layerOf, again, open);
    const conf = withMethodFilter(kind, whole, file.file, files, open);
    // A cluster, and the machines of a playbook, have copies of the files.
    const isLocal = secretAt !== undefined && as !== 'kubernetes' && as !== 'ansible';
    const local = isLocal ? secretFiles(kind, cwd, secretAt)(conf) : conf;
    const tracked = secrets.filter(({ path }) => isTracked(resolve(cwd, path.replace(/:.*/, ''))));
    const isOwn = ({ at }: SecretFile) =>
      at === undefined || names?.(at) !== false || !starts.launches.some(([one]) => one.names?.(at));
    const more = [...tracked, ...secretsNamedIn(filesOf(conf, file, files), as).filter(isOwn)];
    return { name, conf: withMore(local, more, cwd), kind };
  };
}

/** The part of a file that is not read may publish every port of its containers. */
function unreadPort(at: Launch['at']) {
  const because = `${at.file}:${at.line} is not read, and may publish it`;
  const remedy = 'Correct the file, so that what it publishes is known.';
  return portHop({ host: null, port: null, to: null, at, instead: null, because, remedy });
}

/** Where Ansible looks for the file that a task copies: in the folder of the playbook or of the role. */
const ofTasks = ['.', 'files', '../files'];

/** The file that starts a node, and those that are read with it. */
function filesOf({ settings }: Conf, start: LineIndex, { files }: View): LineIndex[] {
  const others = (settings.files ?? []).flatMap(({ path }) => files.get(path) ?? []);
  return [start, ...others.filter((one) => one.file !== start.file)];
}

/** Names the programs that write a deployment whose files are not known. */
function tellGenerators(file: LineIndex, kinds: readonly Kind[], files: View, isAlone: boolean): void {
  for (const { signs } of kinds) {
    const { 0: command, index } = signs.generator?.command.exec(file.text) ?? {};
    const isRead = files.writes.some((one) =>
      [...one.files.keys()].some((path) => basename(path) === signs.generator?.file),
    );
    if (command === undefined || index === undefined || isRead) continue;
    const at = file.span({ start: index, end: index + command.length });
    const reason = `${command} writes the deployment when it runs: run it, and pass the folder that it writes`;
    files.unfollowed({ name: isAlone ? null : command, at, reason });
  }
}

/** The file, and the files it names. */
function sourceOf({ kind, options, files, base }: Readable, file: LineIndex, isTemplate: boolean) {
  const named = [...files.files.values(), ...(base === null ? [] : [base])];
  return {
    kind,
    path: file.file,
    lines: file.lines(),
    comments: [...new Set([file, ...named])].flatMap((one) => commentsOf(one.text, one)),
    file: isTemplate ? null : (options.file ?? null),
  };
}

/** The lines of the other files that a node uses. */
function othersOf({ files: used }: Launch, { files, base }: Readable): Pick<Source, 'others'> {
  const named = used.flatMap(({ path }) => files.files.get(path) ?? []);
  const all = base === null ? named : [...named, base];
  return all.length === 0 ? {} : { others: Object.fromEntries(all.map((one) => [one.file, one.lines()])) };
}

const inYaml: ReadonlySet<SourceKind> = new Set(['compose', 'kubernetes', 'yaml', 'cloud-init']);

/** The missing files, without a conf that --base replaces. */
function withBase({ missing, start }: Launch, base: LineIndex | null): Launch['missing'] {
  const given = base !== null && start.kind === 'launcher' && start.base === 'unknown';
  return given ? missing.filter(({ name }) => name?.endsWith('.conf') !== true) : missing;
}

/** Lines that a template inserts may be words of the node: one unknown word is added for all of them. */
function withUnknown(launch: Launch, file: LineIndex, inserted: readonly Range[]): Launch {
  const [first] = inserted;
  if (first === undefined || launch.start.kind !== 'binary') return launch;
  const word = Placed.for(unfilled, file, first.start, first.end);
  return { ...launch, start: { ...launch.start, words: [...launch.start.words, word] } };
}
