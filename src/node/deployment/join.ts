/** A folder as a whole: which of its files start nodes, and which are parts of those starts. */
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KaiactlError } from '../../errors.js';
import { groupBy } from '../../util/group-by.js';
import { once } from '../../util/once.js';
import { oncePerKey } from '../../util/once-per.js';
import { Turns } from '../../util/turns.js';
import type { Assigned, Conf } from '../facts/facts.js';
import type { FileRole, Settings, SourceKind } from '../facts/settings.js';
import type { Caller } from '../facts/sign.js';
import { isInventory } from '../sources/ansible/expression.js';
import { containersOf } from '../sources/compose/compose.js';
import { type LoadHost, realPath } from '../sources/file.js';
import { mountedTexts } from '../sources/kubernetes/config-maps.js';
import { namesFromOutside } from '../sources/script/exported.js';
import { confsOf, releasesOfScript } from '../sources/script/launcher-script.js';
import { joinEditables } from '../sources/text/editable.js';
import { LineIndex } from '../sources/text/line-index.js';
import { isKnown } from '../sources/text/placed.js';
import { Assignments, assignedTo, isRead, pathsOf, withHosts, withUnread } from './assigned.js';
import { Changes } from './changes.js';
import { isConfName } from './classify.js';
import { DeploymentFiles } from './files.js';
import { portsGiven } from './forwards/variables.js';
import type { Found } from './found.js';
import { callersIn } from './ledger/callers.js';
import { familyOf } from './ledger/family.js';
import { type Relayed, type Relays, relaysIn, relaysOf } from './ledger/relays.js';
import { writesScript } from './ledger/scripts.js';
import { loadNodes } from './load.js';
import type { Asked, Loaded, LoadOptions } from './load-options.js';
import { includedPaths } from './machine-folder.js';
import { NoNode } from './not-settings.js';

import { View } from './view.js';

/** The ending of a template. */
const template = /\.(?:j2|tpl|tmpl|erb|template|in|ejs|gotmpl)$/;

/** Objects that a start refers to stay targets if they start nodes themselves. */
const references: ReadonlySet<FileRole> = new Set(['starts', 'selected']);

/** Kinds of files that a script hands to another program, which starts the nodes. */
const deployed: ReadonlySet<SourceKind> = new Set(['compose', 'kubernetes']);

/** Files that are searched for the values of variables. */
const maxSearched = 2_000;

/** By absolute path: the path as found, and the absolute paths of the files that it uses. */
type Uses = ReadonlyMap<string, { readonly path: string; readonly uses: readonly string[] }>;

/** A file that starts no node, or that cannot be read. @throws {Error} a defect */
function unreadAs(error: unknown): Loaded {
  if (!(error instanceof KaiactlError)) throw error;
  return { nodes: [], unfollowed: [], problems: error instanceof NoNode ? [] : [error], notes: [] };
}

const nothingAsked: Asked = { names: new Map(), heard: new Set(), sought: new Set() };

/** Whether a file was read, and starts nodes. */
function isNodes(read: Loaded | Error | undefined): read is Loaded {
  return read !== undefined && !(read instanceof Error) && read.nodes.length > 0;
}

export class Deployment {
  readonly #options: LoadOptions;
  readonly #host: LoadHost;
  readonly #files: DeploymentFiles;
  /** What each file starts, or why that is not known. */
  readonly #read = new Map<string, Loaded | Error>();
  /** What `startsWith` loaded, which its caller loads next. */
  readonly #started = new Map<string, Loaded>();
  readonly #partOf = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  /** The absolute paths of the files that nodes use or refer to. */
  readonly #used = new Set<string>();

  /** What the search of the folder found. */
  readonly found: Found;
  readonly #assignments: Assignments;
  /** The names that starts read from outside. */
  readonly #asked = once(() => {
    const all = [...this.#read.values()].map((read) => (read instanceof Error ? undefined : read.asked));
    return new Set(all.flatMap((asked) => [...(asked?.names.keys() ?? [])]));
  });
  readonly #changes: Changes;
  readonly #relays: () => Relays;
  readonly #reachFiles: () => ReadonlySet<string>;
  readonly #callers: () => readonly Caller[];
  readonly #byFolder: () => ReadonlyMap<string, readonly string[]>;

  private constructor(
    root: string,
    files: DeploymentFiles,
    found: Found,
    options: LoadOptions,
    host: LoadHost,
  ) {
    this.#files = files;
    this.found = found;
    this.#byFolder = once(() => groupBy([...found.paths, ...found.ignored], dirname));
    const settings = once(() =>
      [...found.paths, ...found.ignored]
        .filter((path) => familyOf(path) === 'settings')
        .slice(0, maxSearched)
        .flatMap((path) => this.textOf(path)?.text ?? []),
    );
    this.#relays = once(() =>
      relaysIn(
        found.forwarding.flatMap((path) => this.textOf(path) ?? []),
        {
          textOf: (path, { file }) => this.#beside(path, file)?.text ?? null,
          included: (path, { file }) => this.#included(path, file, root),
          keyOf: ({ file }) => this.keyOf(file),
          closed: [],
          texts: once(() => mountedTexts(files.all('kubernetes'), new View(files))),
          containers: once(() => files.all('compose').flatMap((one) => containersOf(one, new View(files)))),
          leadsTo: (path, from, file) => this.#leadsTo(path, from, file),
          portsOf: oncePerKey((variable: string) => portsGiven(variable, settings())),
          ofKind: (kind) => files.all(kind),
          routesLoopback: null,
        },
      ),
    );
    this.#reachFiles = once(() => new Set(this.#relays().files.map(({ file }) => this.keyOf(file))));
    this.#callers = once(() => found.calling.flatMap((path) => this.#inFile(path, callersIn)));
    this.#assignments = new Assignments(
      {
        paths: [...found.paths, ...found.ignored],
        textOf: (path) => this.textOf(path),
        keyOf: (path) => this.keyOf(path),
      },
      this.#asked,
    );
    this.#changes = new Changes(
      {
        changing: found.changing,
        files: new View(files).plain,
        textOf: (path) => this.textOf(path),
        isStart: (path) => isNodes(this.#read.get(path)),
      },
      () => [...this.#read].flatMap(([path, read]) => (isNodes(read) ? [path, ...pathsOf(read)] : [])),
    );
    this.#options = { ...options, files };
    this.#host = host;
  }

  /** Reads the files of a folder that start nodes; confs are read by `load`. An error of a file is kept for `load`. */
  static async of(folder: string, found: Found, given: LoadOptions, host: LoadHost): Promise<Deployment> {
    const { byKind } = found;
    const paths = [...found.paths, ...found.ignored];
    const outside = given.followOutside === true;
    const files = new DeploymentFiles({
      cwd: host.cwd,
      root: folder,
      outside,
      byKind,
      paths,
      open: host.open,
    });
    const deployment = new Deployment(folder, files, found, given, host);
    const confs = new Set(byKind.get('conf'));
    const isConf = (path: string) => confs.has(path) || isConfName(given.kinds, path);
    const sources = new Set(found.paths);
    const turns = new Turns();
    for (const path of found.paths) {
      await turns.take();
      if (host.signal.aborted) break;
      if (isConf(path)) continue;
      if (!deployment.#isLauncher(path, sources)) await deployment.#start(path);
    }
    deployment.#join();
    for (const path of found.paths) {
      await turns.take();
      if (!isConf(path) || deployment.partOf(path) !== null) continue;
      const [fromOutside] = namesFromOutside(deployment.textOf(path)?.text ?? '');
      if (fromOutside !== undefined) await deployment.#start(path);
    }
    return deployment;
  }

  /** The file whose start uses this file; null if no other file does, so it is judged itself. */
  partOf(path: string): string | null {
    return this.#partOf.get(this.keyOf(path)) ?? null;
  }

  /** What forwards to the interfaces of a node in files of the folder. */
  relaysOf(settings: Settings): Relayed {
    return relaysOf(settings, this.#relays().relays);
  }

  /** Whether it is the file of a proxy that says who reaches a node. */
  saysReach(path: string): boolean {
    return this.#reachFiles().has(this.keyOf(path));
  }

  /** The calls of methods in files of the folder. */
  get callers(): readonly Caller[] {
    return this.#callers();
  }

  /** A file of this name in the folder of another one, else the only one of the folder with this end of its path. */
  #beside(path: string, file: string): LineIndex | null {
    const own = this.textOf(join(dirname(file), basename(path)));
    if (own !== null || !path.startsWith('/')) return own;
    const { paths, ignored } = this.found;
    const [only, ...others] = [...paths, ...ignored].filter((one) => `/${one}`.endsWith(path));
    return only === undefined || others.length > 0 ? null : this.textOf(only);
  }

  #included(path: string, from: string, root: string): readonly LineIndex[] | null {
    const paths = includedPaths(path, from, root, (folder) => this.#byFolder().get(folder) ?? []);
    const files = paths?.flatMap((one) => this.textOf(one) ?? []);
    return files?.length === paths?.length ? (files ?? null) : null;
  }

  #inFile<T>(path: string, read: (file: LineIndex) => T[]): T[] {
    const file = this.textOf(path);
    return file === null ? [] : read(file);
  }

  isAsked(name: string): boolean {
    return this.#asked().has(name);
  }

  /** A file of the folder with the text that its targets were read from. */
  textOf(path: string): LineIndex | null {
    const file = new View(this.#files).peek(basename(path), new LineIndex(path, ''));
    return 'problem' in file ? null : file;
  }

  /** Whether a file of the folder is the script with this end of its path, or writes it. */
  holds(tail: string, from: LineIndex): boolean {
    const { paths, ignored, signed } = this.found;
    const [base, folder] = [basename(tail), dirname(from.file)];
    const plain = (path: string) => path.replace(template, '');
    // A script of a usual name may lie elsewhere on the machine.
    return (
      paths.some((path) => basename(plain(path)) === base) ||
      ignored.some((path) => `/${plain(path)}`.endsWith(`/${tail}`)) ||
      ignored.some((path) => basename(plain(path)) === base && !relative(folder, path).startsWith('..')) ||
      writesScript(from.text, tail) ||
      signed.some((path) => writesScript(this.textOf(path)?.text ?? '', tail))
    );
  }

  /** Whether a node of this folder uses the file, or refers to it. */
  isUsed(path: string): boolean {
    return this.#used.has(this.keyOf(path)) || (isInventory(path) && this.#assignments.isFound(path));
  }

  /** @throws {Error} as loadNodes does */
  async load(path: string): Promise<Loaded> {
    const started = this.#started.get(path);
    if (started !== undefined) return started;
    const read = this.#read.get(path);
    if (read instanceof Error) throw read;
    const loaded = read ?? (await loadNodes(path, this.#options, this.#host));
    return await this.#withChanged(path, loaded, await this.#withAssigned(path, loaded));
  }

  /** The nodes, each also as it is with the texts that other files make of those it is read from. */
  async #withChanged(path: string, { nodes }: Loaded, loaded: Loaded): Promise<Loaded> {
    if (nodes.length === 0) return loaded;
    const used = [...new Set([path, ...pathsOf(loaded)])];
    const { asked = nothingAsked } = loaded;
    const changes = this.#changes.of(used, asked, (file) => this.#assignments.isPart(file, path));
    const readings = await Promise.all(
      changes.map(async ({ path: changed, text, sign }) => {
        const read = (texts: ReadonlyMap<string, string>) =>
          loadNodes(path, { ...this.#options, texts }, this.#host).catch(() => null);
        const others = text === null ? null : await read(new Map([[changed, text]]));
        return { sign, isKnown: text !== null && isKnown(text), nodes: others?.nodes ?? [] };
      }),
    );
    const changed = (name: string | null, isFirst: boolean): Assigned[] =>
      readings.flatMap(({ sign, isKnown, nodes: others }) => {
        const conf = others.find((one) => one.name === name)?.conf ?? null;
        const isRead = conf !== null && nodes.some((one) => hasSameValues(one.conf, conf));
        return isRead || (conf === null && (isKnown || !isFirst)) ? [] : [{ conf, sign, isKnown }];
      });
    return {
      ...loaded,
      nodes: loaded.nodes.map((node, at) => ({
        ...node,
        assigned: [...(node.assigned ?? []), ...changed(node.name, at === 0)],
      })),
    };
  }

  /** The nodes, each also as the values that other files assign make it. */
  async #withAssigned(path: string, loaded: Loaded): Promise<Loaded> {
    const { asked, nodes } = loaded;
    if (asked === undefined || asked.names.size === 0 || nodes.length === 0) return loaded;
    const values = this.#assignments.valuesFor(path, asked, loaded);
    const readings = await Promise.all(
      values.map(async (one) => {
        const others = await loadNodes(path, { ...this.#options, given: one.given }, this.#host).catch(
          () => null,
        );
        return { one, nodes: others?.nodes ?? [], editables: others?.editables };
      }),
    );
    return {
      ...loaded,
      editables: joinEditables([loaded, ...readings].map(({ editables }) => editables)),
      nodes: nodes.map(({ name, conf }) => {
        const same = readings.flatMap(({ one, nodes }) => {
          const found = nodes.find((node) => node.name === name);
          return found === undefined ? [] : [{ one, conf: found.conf }];
        });
        const [read, unread] = [true, false].map((is) => same.filter((one) => isRead(one) === is));
        const own = withUnread(withHosts(conf, read ?? []), unread ?? []);
        return { name, conf: own, assigned: (unread ?? []).map((one) => assignedTo(one, asked)) };
      }),
    };
  }

  /** The files that start nodes which depend on this file: itself, or those that use it or a value of it. */
  async startsWith(path: string): Promise<readonly string[]> {
    const key = this.keyOf(path);
    const found: string[] = [];
    for (const start of this.found.paths) {
      const isOwn = this.keyOf(start) === key;
      const mayUse = isOwn || this.#read.has(start) || this.textOf(start)?.text.includes(basename(path));
      if (mayUse !== true || this.partOf(start) !== null) continue;
      const loaded = await this.load(start).catch(unreadAs);
      // What is wrong with the file that was named is an error of its own.
      if (isOwn && loaded.problems.length > 0) return [];
      if (loaded.nodes.length + loaded.unfollowed.length === 0) continue;
      if (!isOwn && !this.#dependsOn(loaded, key)) continue;
      found.push(start);
      this.#started.set(start, loaded);
    }
    return found;
  }

  #dependsOn({ nodes, asked }: Loaded, key: string): boolean {
    const paths = nodes.flatMap(({ conf, assigned = [] }) => [
      ...[conf, ...(conf.alternatives ?? []).map((one) => one.conf)].flatMap(
        ({ settings }) => settings.files?.map((file) => file.path) ?? [],
      ),
      ...[...assigned.map(({ sign }) => sign), ...this.#leadingTo(conf)].map(({ at }) => at?.file ?? ''),
    ]);
    return [...paths, ...(asked?.heard ?? [])].some((path) => this.keyOf(path) === key);
  }

  #leadingTo({ settings }: Conf) {
    const { signs, hops } = this.relaysOf(settings);
    return [...signs, ...hops];
  }

  /** From now on a file has this text: the nodes that use it are read again. */
  replace(path: string, text: string): void {
    this.#files.replace(path, text);
    this.#started.clear();
    const key = this.keyOf(path);
    for (const [start, read] of this.#read)
      if (this.keyOf(start) === key || this.#usedBy(start, read, true).includes(key))
        this.#read.delete(start);
  }

  async #start(path: string): Promise<void> {
    try {
      this.#read.set(path, await loadNodes(path, this.#options, this.#host));
    } catch (error) {
      this.#read.set(path, error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Parts are found from the files that no other file uses; of files that use each other the first is the start. */
  #join(): void {
    const uses: Uses = new Map(
      [...this.#read].map(([path, read]) => [this.keyOf(path), { path, uses: this.#usedBy(path, read) }]),
    );
    for (const [path, read] of this.#read)
      for (const key of this.#usedBy(path, read, true)) this.#used.add(key);
    const used = new Set([...uses.values()].flatMap((one) => one.uses));
    const starts = [...uses.keys()].filter((key) => !used.has(key));
    for (const key of new Set([...starts, ...uses.keys()]))
      if (!this.#partOf.has(key)) this.#take(key, key, uses);
  }

  /** Whether the file is an unchanged launcher. It is part of its conf, which is the target: the settings there can be fixed. */
  #isLauncher(path: string, paths: ReadonlySet<string>): boolean {
    const conf = confsOf(path).find((one) => paths.has(one));
    if (conf === undefined) return false;
    const script = new View(this.#files).read(basename(path), new LineIndex(path, ''), 'run');
    if ('problem' in script || releasesOfScript(this.#options.kinds, script) === null) return false;
    this.#partOf.set(this.keyOf(path), conf);
    return true;
  }

  /** Makes what a file uses, directly or not, a part of the start. */
  #take(file: string, start: string, uses: Uses): void {
    for (const key of uses.get(file)?.uses ?? []) {
      if (this.#partOf.has(key) || key === start) continue;
      this.#partOf.set(key, uses.get(start)?.path ?? start);
      this.#take(key, start, uses);
    }
  }

  /** The files that a start uses. `all`: also those that it only refers to. */
  #usedBy(path: string, read: Loaded | Error, all = false): string[] {
    if (read instanceof Error) return [];
    const settings = read.nodes.map(({ conf }) => conf.settings);
    const keys = settings
      .flatMap(({ files = [] }) => files)
      .filter(
        ({ role, path: file }) => all || !(references.has(role) || this.#isOnlyEdited(role, file, settings)),
      )
      .map((file) => this.keyOf(file.path));
    return [...new Set(keys)].filter((key) => key !== this.keyOf(path));
  }

  /** Whether a script reads the file without starting its nodes, such as with `sed -i`. */
  #isOnlyEdited(role: FileRole, path: string, settings: readonly Settings[]): boolean {
    const read = role === 'copied' ? this.#read.get(path) : undefined;
    if (read === undefined || read instanceof Error) return false;
    if (!read.nodes.some(({ conf }) => deployed.has(conf.settings.source.kind))) return false;
    return !settings.some(({ start }) => start?.some(({ at }) => at?.file === path));
  }

  #leadsTo(path: string, from: LineIndex, { file }: LineIndex): boolean {
    const found = this.#files.read(path, from);
    const place = 'problem' in found ? found.path : found.file;
    return place !== undefined && `${this.keyOf(file)}/`.startsWith(`${this.keyOf(place)}/`);
  }

  /** The same for all paths of a file: links lead to it. */
  keyOf(path: string): string {
    const absolute = resolve(this.#host.cwd, path);
    const known = this.#keys.get(absolute) ?? realPath(absolute);
    this.#keys.set(absolute, known);
    return known;
  }
}

/** Whether two readings of a node set the same, wherever it is written. */
function hasSameValues({ settings: one }: Conf, { settings: other }: Conf): boolean {
  const valuesOf = ({ values }: Settings) => Object.entries(values).map(([flag, { value }]) => [flag, value]);
  return isDeepStrictEqual(valuesOf(one), valuesOf(other));
}
