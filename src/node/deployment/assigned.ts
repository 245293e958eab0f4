/**
 * What the other files of a folder assign to the names that a target depends on, where no reader used it: the target is
 * read with these values too, and asks a question where it is worse with them.
 */
import { basename, posix } from 'node:path';
import { escapeForRegExp } from '../../util/escape-for-reg-exp.js';
import { groupBy } from '../../util/group-by.js';
import { once } from '../../util/once.js';
import { oncePer, oncePerKey } from '../../util/once-per.js';
import { visible } from '../../util/visible.js';
import type { Assigned, Conf } from '../facts/facts.js';
import type { SourceKind } from '../facts/settings.js';
import type { Span } from '../facts/span.js';
import { both, changeSettings } from '../facts/worlds.js';
import { isInventory } from '../sources/ansible/expression.js';
import { templatesFolder } from '../sources/kubernetes/names.js';
import { mayRunTool } from '../sources/script/tools.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { isKnown, type Placed } from '../sources/text/placed.js';
import { writing } from './changes.js';
import { type Assignment, argumentsIn, assignmentsIn, parametersIn } from './ledger/assignments.js';
import { familyOf } from './ledger/family.js';
import { questionAt } from './ledger/question.js';
import type { Asked, Loaded } from './load-options.js';

/** Files that are searched, and readings of one target with other values. */
const [maxSearched, maxReadings] = [20_000, 12];

/** Files that are the start of a project: what lies below another one belongs to that. */
const startsProject = /(?:^|\/)(?:(?:docker-)?compose[\w.-]*\.ya?ml|Chart\.yaml|kustomization\.ya?ml)$/;
/** Files whose assignments are their own: those of services, and those of confs. */
const ownValues = /(?:^|\/)[\w.-]*(?:compose[\w.-]*\.ya?ml|\bk\w+nd[\w.-]*\.conf)$/;

interface Folder {
  /** The paths of all files. */
  readonly paths: readonly string[];
  textOf(path: string): LineIndex | null;
  keyOf(path: string): string;
}

/** Values for names, and the file that they are from. */
interface Values {
  readonly file: LineIndex;
  readonly given: ReadonlyMap<string, Placed>;
}

/** A value that a file gives; `scope` is null but for an inventory. */
type Given = Assignment & { readonly file: LineIndex; readonly scope: ReturnType<typeof scopeOf> | null };

/** The host or the group that an inventory sets a value for: `host_vars/HOST.yml`, `[GROUP:vars]`, a line of a host. */
function scopeOf({ file, text }: LineIndex, value: Placed) {
  const [, kind, own = ''] =
    /(?:^|\/)(host|group)_vars\/([^/]+?)(?:\.(?:ya?ml|json))?(?:\/|$)/.exec(file) ?? [];
  if (kind !== undefined) return kind === 'host' ? { host: own, group: '' } : { host: '', group: own };
  const lines = text.split('\n').slice(0, value.span().line);
  const section = lines.findLast((line) => line.startsWith('[')) ?? '';
  const group = /^\[([^\]:]+)/.exec(section)?.[1] ?? '';
  const [, host = ''] = /^([^\s=:[\]]+)[ \t]+\w+=/.exec(lines.at(-1) ?? '') ?? [];
  return section.includes(':') ? { host: '', group } : { host, group: '' };
}

export class Assignments {
  readonly #folder: Folder;
  readonly #byFile: () => ReadonlyMap<LineIndex, readonly Assignment[]>;
  readonly #found = once(() => new Set([...this.#byFile().keys()].map(({ file }) => file)));
  readonly #projects: () => ReadonlySet<string>;
  /** The texts of the files by which Flux gives the values of objects to manifests and charts. */
  readonly #takingValues: () => readonly string[];
  /** The files that name a target, or the folder of its project. */
  readonly #naming: (target: string) => readonly LineIndex[];

  /** @param names - all names that a target of the folder depends on */
  constructor(folder: Folder, names: () => ReadonlySet<string>) {
    this.#folder = folder;
    this.#byFile = once(() => {
      const wanted = names();
      const files =
        wanted.size === 0 ? [] : folder.paths.slice(0, maxSearched).flatMap((path) => this.#searched(path));
      const parameters = files.flatMap(parametersIn);
      const givenIn = (file: LineIndex, names: ReadonlySet<string> | ReadonlyMap<string, unknown>) => [
        ...assignmentsIn(file, new Set(names.keys())),
        ...parameters.flatMap(([name, call]) => (names.has(name) ? argumentsIn(file, name, call) : [])),
      ];
      const own = files.map((file) => [file, givenIn(file, wanted)] as const);
      const meant = groupBy(
        own.flatMap(([, all]) => all).filter(({ refers }) => refers !== null),
        ({ refers }) => refers as string,
      );
      const others = files.map((file) => (meant.size === 0 ? [] : givenIn(file, meant)));
      const known = new Set(others.flat().map(({ name }) => name));
      const all = own.map(([file, assigned], at) => {
        const direct = assigned.filter(({ refers }) => refers === null || !known.has(refers));
        const referred = (others[at] ?? []).flatMap((one) =>
          [...new Set(meant.get(one.name)?.map(({ name }) => name))].map((name) => ({ ...one, name })),
        );
        return [file, [...direct, ...referred]] as const;
      });
      return new Map(all.filter(([, assigned]) => assigned.length > 0));
    });
    const settings = once(() =>
      folder.paths
        .filter((path) => familyOf(path) === 'settings')
        .flatMap((path) => folder.textOf(path) ?? []),
    );
    this.#naming = oncePerKey((target) => settings().filter((file) => namesTarget(file, target)));
    this.#takingValues = once(() =>
      settings().flatMap(({ text }) => (/\b(?:substitute|values)From:/.test(text) ? [text] : [])),
    );
    this.#projects = once(
      () => new Set(folder.paths.filter((path) => startsProject.test(path)).map(posix.dirname)),
    );
  }

  /** Documents assign nothing. */
  #searched(path: string): LineIndex[] {
    const file = familyOf(path) === 'document' ? null : this.#folder.textOf(path);
    return file === null ? [] : [file];
  }

  /** Whether a file gives a value to a target of the folder. */
  isFound(path: string): boolean {
    return this.#found().has(path);
  }

  /** The values that files give to a target: of each file, or host, the first ones, and those that override them. */
  valuesFor(path: string, { names, heard }: Asked, loaded: Loaded): Values[] {
    const used = pathsOf(loaded);
    const words = wordPlaces(loaded);
    const read = new Set([path, ...heard, ...used].map((one) => this.#folder.keyOf(one)));
    const found = [...this.#byFile()].flatMap(([file, assignments]): Given[] => {
      if (!this.isPart(file, path) || (familyOf(file.file) === 'code' && !mayHandOn(file, path))) return [];
      // Of a script that is read, the texts that it writes are not, unless a word of the start comes from them.
      const isRead = read.has(this.#folder.keyOf(file.file));
      const isOurs = ({ name, value, object, isWritten }: Assignment) =>
        names.has(name) &&
        (isRead ? isWritten && !words.has(lineOf(value.span())) : true) &&
        (object === null || this.#refersTo(object, [path, ...used]));
      const isForHosts = isInventory(file.file);
      return assignments
        .filter(isOurs)
        .map((one) => ({ ...one, file, scope: isForHosts ? scopeOf(file, one.value) : null }));
    });
    const all = this.#sources(found).flatMap((source): Values[] => {
      const own = [...groupBy(source, ({ name }) => name).values()];
      const count = Math.max(0, ...own.map(({ length }) => length));
      return Array.from({ length: Math.min(count, maxReadings) }, (_, at) => {
        const given = own.flatMap((same) => same[Math.min(at, same.length - 1)] ?? []);
        return { file: (given[0] as Given).file, given: new Map(given.map((one) => [one.name, one.value])) };
      });
    });
    return all.slice(0, maxReadings);
  }

  /** The values that are given together: those of each host with those of its groups, and those of each other file. */
  #sources(found: readonly Given[]): (readonly Given[])[] {
    const hosts = new Set(found.flatMap(({ scope }) => scope?.host || []));
    const ofHosts = [...hosts].map((host) => {
      const own = found.filter(({ scope }) => scope?.host === host);
      const isLeft = ({ scope, name }: Given) =>
        scope?.host === '' && this.#isMember(host, scope.group) && own.every((one) => one.name !== name);
      return [...own, ...found.filter(isLeft)];
    });
    const others = found.filter(({ scope }) => !scope?.host);
    return [...ofHosts, ...groupBy(others, ({ file }) => file).values()];
  }

  /** Whether a host is in a group: it may be where no section of an inventory names it. */
  #isMember(host: string, group: string): boolean {
    if (group === 'all' || group === '') return true;
    const sections = this.#folder.paths
      .filter(isInventory)
      .flatMap((path) => this.#folder.textOf(path)?.text.split(/^(?=\[)/m) ?? [])
      .filter((section) => new RegExp(`^${escapeForRegExp(host)}(?!\\S)`, 'm').test(section));
    return sections.length === 0 || sections.some((section) => section.startsWith(`[${group}]`));
  }

  /** Whether a target names a ConfigMap or Secret, or a file that takes values from objects does. */
  #refersTo(object: string, files: readonly string[]): boolean {
    const texts = files.map((path) => this.#folder.textOf(path)?.text ?? '');
    const named = new RegExp(`(?<![\\w.-])${escapeForRegExp(object)}(?![\\w.-])`);
    return [...texts, ...this.#takingValues()].some((text) => named.test(text));
  }

  /** Whether the file belongs to the project of a target, or names the target or its folder. */
  isPart(one: LineIndex, target: string): boolean {
    const { file } = one;
    const folder = projectOf(target);
    if (ownValues.test(target) && ownValues.test(file)) return false;
    const from = posix.dirname(posix.normalize(file));
    if (isWithin(from, folder)) {
      for (let at = from; at !== folder && at !== '.'; at = posix.dirname(at))
        if (this.#projects().has(at)) return false;
      return true;
    }
    const own = posix.normalize(file);
    return (
      namesTarget(one, target) ||
      this.#naming(target).some((other) => {
        const { paths, folders } = pathsIn(other);
        return paths.has(own) || folders.some((path) => file.startsWith(path));
      })
    );
  }
}

/** Whether a program runs the tool, names the target or writes a file of variables, or is a file of pm2. */
function mayHandOn(one: LineIndex, target: string): boolean {
  const { file, text } = one;
  return (
    mayRunTool.test(text) ||
    namesTarget(one, target) ||
    /(?:^|[\\/])(?:ecosystem|pm2)\b/.test(file) ||
    (writing.test(text) && /\.env["'`]/.test(text))
  );
}

/** Whether the text has a path that leads to a target, or to the folder of its project. */
function namesTarget(one: LineIndex, target: string): boolean {
  const folder = projectOf(target);
  if (!one.text.includes(basename(folder === '.' ? target : folder))) return false;
  const { paths } = pathsIn(one);
  return [folder, posix.normalize(target)].some((path) => paths.has(path) || paths.has(`${path}/`));
}

/** The paths of a text, and those of them that end as the path of a folder. */
const pathsIn = oncePer(({ file, text }: LineIndex) => {
  const from = posix.dirname(posix.normalize(file));
  const words = new Set(text.match(/[\w./@-]+/g));
  const paths = new Set([...words].map((word) => posix.join(from, word)));
  return { paths, folders: [...paths].filter((path) => /\w\/$/.test(path)) };
});

/** The folder of a target's project: of a template its chart, of a role the folder of its playbooks, of a unit its machine. */
function projectOf(path: string): string {
  const folder = posix.dirname(posix.normalize(path));
  return (
    /^(.*?)(?:^|\/)(?:templates|roles\/[^/]+\/\w+|playbooks|(?:(?:usr\/)?lib|etc)\/systemd)(?:\/|$)/
      .exec(folder)?.[1]
      ?.replace(/^$/, '.') ?? folder
  );
}

function isWithin(path: string, folder: string): boolean {
  return folder === '.' ? !path.startsWith('..') : path === folder || path.startsWith(`${folder}/`);
}

/** Starts whose variables no inventory sets. */
const ofOtherTools: readonly SourceKind[] = ['compose', 'kubernetes'];

/** Whether the values are read: those that Ansible takes for a host, or for a group of hosts. */
export function isRead({ conf, one: { file, given } }: Reading): boolean {
  const isKnownAll = [...given.values()].every(({ text }) => isKnown(text));
  return !ofOtherTools.includes(conf.settings.source.kind) && isInventory(file.file) && isKnownAll;
}

/** A reading of a node with values of other files. */
export interface Reading {
  readonly one: Values;
  readonly conf: Conf;
}

/** The node with its readings for hosts, each of all its releases, and with the files of their values among its own. */
export function withHosts(conf: Conf, hosts: readonly Reading[]): Conf {
  if (hosts.length === 0) return conf;
  // Where no file sets a default, the values of a host are those of the node.
  const own = hosts.find((host) => unknownIn(host.conf) < unknownIn(conf))?.conf ?? conf;
  const paths = hosts.flatMap(({ one }) => [...one.given.values()].map((value) => value.span().file));
  const files = [...new Set(paths)].map((path) => ({ path, role: 'selected' as const }));
  const others = hosts.flatMap(({ one, conf }) => {
    const when = whenOf(one);
    const older = (conf.alternatives ?? []).map((other) => ({ ...other, ...both({ when }, other) }));
    return conf === own ? [] : [{ when, conf }, ...older];
  });
  const settings = { ...own.settings, files: [...(own.settings.files ?? []), ...files] };
  const alternatives = [...(own.alternatives ?? []), ...others];
  return { ...own, settings, ...(alternatives.length === 0 ? {} : { alternatives }) };
}

/** The node with the variables that only seem unset: a file that it does not read sets them. */
export function withUnread(conf: Conf, unread: readonly Reading[]): Conf {
  const own = unread
    .flatMap(({ one }) => [...one.given])
    .map(([name, value]) => {
      const { file, line } = value.span();
      const reason = `${visible(file)}:${line} sets ${name}, and whether the start gets it is not known`;
      return { name, decides: 'variable' as const, reason };
    });
  // A compose project, or a chart, says itself which files set its variables.
  if (own.length === 0 || ofOtherTools.includes(conf.settings.source.kind)) return conf;
  return changeSettings(conf, ({ missing = [], ...rest }) => ({ ...rest, missing: [...missing, ...own] }));
}

/** How many settings of a node are not known. */
function unknownIn({ settings }: Conf): number {
  return Object.values(settings.values).filter(({ indeterminate }) => indeterminate !== null).length;
}

/** "inventory.ini:2 sets api" */
function whenOf({ given }: Values): string {
  const [[name, value]] = [...given] as [[string, Placed]];
  const { file, line } = value.span();
  return `${visible(file)}:${line} sets ${name}`;
}

/** A reading of a node with values of another file, and the question that it asks where it is worse. */
export function assignedTo({ conf, one: values }: Reading, { names }: Asked): Assigned {
  const { file, given } = values;
  const all = [...given] as [string, Placed][];
  const [name, value] = all.find(([, { text }]) => !isKnown(text)) ?? (all[0] as [string, Placed]);
  const at = value.span();
  const asked = names.get(name)?.span();
  const reads = asked === undefined ? '' : `, which ${visible(asked.file)}:${asked.line} reads`;
  const question = questionAt(file, at, 'unfollowed-start', name, '');
  const isChart = templatesFolder(conf.settings.source.path) !== null;
  const kind =
    conf.settings.source.kind === 'kubernetes' && !isChart ? 'manifests' : conf.settings.source.kind;
  const reason = `${visible(at.file)}:${at.line} sets ${name}${reads}: ${adviceFor(kind, visible(at.file), /^apiVersion:/m.test(file.text))}`;
  return {
    conf,
    sign: { ...question, reason },
    isKnown: all.every(([, { text }]) => isKnown(text)),
  };
}

/** What shows the deployment with the values of a file. */
function adviceFor(kind: SourceKind | 'manifests', file: string, isObject: boolean): string {
  if (kind === 'compose' && /\.env|env$/.test(file))
    return `\`docker compose --env-file ${file} config | kaiactl node lint -\``;
  if (kind === 'compose') return 'pass the output of `docker compose config` with it';
  if (kind === 'kubernetes' && /\.ya?ml$/.test(file) && !isObject)
    return `\`helm template -f ${file} CHART | kaiactl node lint -\``;
  if (kind === 'kubernetes') return 'pass the output of `helm template` with it';
  if (kind === 'ansible') return 'add --check --diff to ansible-playbook, and pass the files that it writes';
  if (kind === 'manifests') return 'pass the manifests as kubectl applies them';
  if (kind === 'conf') return 'pass --env with the value that the node is started with';
  return 'pass the node’s command with --command-line';
}

/** The lines that the words of the starts are written on. */
function wordPlaces({ nodes }: Loaded): ReadonlySet<string> {
  const words = nodes.flatMap(({ conf }) => conf.settings.start ?? []);
  return new Set(
    words.flatMap(({ at, valueAt = at }) => [at, valueAt]).flatMap((at) => (at === null ? [] : lineOf(at))),
  );
}

function lineOf({ file, line }: Span): string {
  return `${file}:${line}`;
}

/** The paths of the files that a node uses. */
export function pathsOf({ nodes }: Loaded): string[] {
  return nodes.flatMap(({ conf }) => (conf.settings.files ?? []).map(({ path }) => path));
}
