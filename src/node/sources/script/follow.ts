/** Follows a script without running it: the confs it writes, and the nodes it starts. */

import type { FileRole } from '../../facts/settings.js';
import { readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { ReadRole, Unread } from '../launch/files.js';
import type { Environment } from '../launch/launch.js';
import { runSubstitution } from '../shell/evaluate.js';
import { expandValue, outputOfCommand } from '../shell/expand.js';
import { readShell } from '../shell/shell.js';
import type { Fields, Shell } from '../shell/state.js';
import type { Redirection } from '../shell/syntax/tree.js';
import { isUnknown, partOf, type Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { Steps } from '../text/steps.js';
import { type Attached, consoleOf, type Generated, type Inner, startedBy } from './commands.js';
import { type Commanded, commandedBy, loadedBy, mayCall } from './console.js';
import type { ImageBuild } from './container-run.js';
import { Containers } from './containers.js';
import { valuesOf, withGiven } from './exported.js';
import type { Action, ScriptStart, StartedContainer, WrittenConf } from './followed.js';
import { unsetIn } from './launcher-script.js';
import { type Origins, originOf } from './origin.js';
import { printedBy } from './output.js';
import { fileAt, namesSecret, pathIn, pathValue } from './paths.js';
import { Step } from './step.js';
import { printsValue } from './value-printers.js';
import type { WriteMode } from './writes.js';

interface Run {
  /** As far as it is known. */
  readonly path?: string;
  readonly args?: readonly Placed[];
  /** The folder it runs in. */
  readonly folder?: string;
  /** True for a script that has to succeed, such as that of RUN: every command before `&&` does. */
  readonly succeeds?: boolean;
}

export interface Follows {
  readonly kinds: readonly Kind[];
  readonly steps: Steps;
  /** The text of a file that a command runs; null: not known to exist. Default: none is known. */
  open?(path: string, role: ReadRole): Placed | Unread | null;
  /** Whether an unknown condition is assumed to hold, by its place (see placeOf). Default: none is. */
  holds?(place: string): boolean;
  /** True where a command that is not followed changes no variable. Default: it may change each. */
  readonly isWritten?: boolean;
  /** True in an image, which has a working folder. */
  readonly isImage?: boolean;
}

const maxInner = 8;
const maxWritten = 100;
/** The cost of a node in steps. */
const stepsPerStart = 500;
const maxUndecided = 100;

/** The place of a condition as a key, which is the same in every run of its script. */
export function placeOf(condition: Placed): string {
  const { file, line, column } = condition.span();
  return `${file}:${line}:${column}`;
}

/** Equal for the same command that starts the same node again. */
function keyOf({ at, launcher, words, exported, folder }: Omit<ScriptStart, 'kind'>): string {
  const variables = [...exported].map(([name, { value }]) => [name, value?.text]);
  const given = words?.map(({ text }) => text);
  return JSON.stringify([at.span(), launcher, given, variables, folder]);
}

/** The folders of PATH, as images have it. */
const searched = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** $0 and the arguments of a script that a shell gets as one word. */
function innerRun({ words }: Inner): Pick<Run, 'path' | 'args'> {
  if (words === null) return {};
  const [name, ...args] = words;
  return { args, ...(name === undefined ? {} : { path: name.text }) };
}

/** Follows several scripts in turn; the files that one writes are kept for the next. */
export class Follower {
  readonly confs = new Map<string, WrittenConf>();
  /** Files that were written, by path. */
  readonly written = new Map<string, Placed>();
  readonly starts: ScriptStart[] = [];
  private readonly keys = new Set<string>();
  /** The calls of the running nodes. */
  readonly commanded: Commanded[] = [];
  readonly containers: Containers;
  /** Images that scripts build, and the folders that they build them in. */
  readonly built: (ImageBuild & { readonly folder: string })[] = [];
  /** Unknown conditions, in the order they were met. */
  readonly undecided: Placed[] = [];
  /** The first command that is not followed and may change variables. */
  opaque: Placed | null = null;
  /** True once `exit` ended a script. */
  hasExited = false;
  /** Why files that were run could not be read. */
  readonly unread: string[] = [];
  /** Where bash stops reading a script, or may stop, and why. */
  readonly cut: { readonly at: Placed; readonly reason: string }[] = [];
  /** Deployments that programs wrote, by the path of the file that starts their nodes. */
  readonly generated = new Map<string, Placed>();
  /** Files that were written and run. */
  readonly ran = new Set<string>();
  /** The aliases of the scripts, and the functions that they export. */
  readonly aliases = new Map<string, Placed>();
  readonly functions = new Set<string>();
  private readonly hashed = new Map<string, Placed>();
  private readonly places = new Set<string>();
  private depth = 0;
  /** The container that commands run in; null: the machine. */
  private inside: string | null = null;
  /** What the first command of a pipeline prints. */
  piped: Placed | null = null;

  private readonly options: Follows;

  constructor(options: Follows) {
    this.options = options;
    this.containers = new Containers(options.kinds);
  }

  /** Follows a command to the nodes it starts. False: it starts none, and runs no script. @throws {Lost} as `start` does */
  run(
    words: readonly Placed[],
    at: Placed,
    exported: Environment,
    folder = '',
    input: Placed | null = null,
  ): boolean {
    const [name, ...others] = words;
    const hashed = this.hashed.get(name?.text ?? '');
    const started = startedBy(this.options.kinds, hashed === undefined ? words : [hashed, ...others]);
    if (started === null) return false;
    const given = withGiven(exported, started.given, (path) =>
      this.read(pathIn(folder, path), 'environment'),
    );
    if ('context' in started) return this.built.push({ ...started, folder }) > 0;
    if ('driver' in started) return this.containers.networks.push(started) > 0;
    if ('network' in started) return this.containers.connect(started);
    if ('container' in started) return this.containers.copy(started);
    if ('inside' in started)
      return this.within(started.inside, () => this.run(started.words, at, given, folder, input));
    if ('image' in started) return this.runImage({ run: started, at, exported: given }, words, folder);
    if ('generated' in started) return this.generate(started.generated, at, folder);
    if ('console' in started) return this.command({ ...started, console: started.console ?? input }, folder);
    if ('input' in started) return this.runInput(input, given, folder);
    if ('script' in started) this.follow(started.script, given, { folder, ...innerRun(started) });
    else if ('path' in started)
      return this.runFile(this.found(started.path.text, folder), started.words, given, folder);
    else if (this.inside === null || !this.containers.start(this.inside, words, started.words === null))
      this.start({ ...started, at, exported: given, folder }, input);
    return true;
  }

  /** Follows commands that run in a container. */
  within<T>(container: string, follow: () => T): T {
    const outer = this.inside;
    this.inside = container;
    const result = follow();
    this.inside = outer;
    return result;
  }

  /** A deployment that is among the files is read as it is there. */
  private generate({ path, text }: Generated['generated'], at: Placed, folder: string): boolean {
    const target = pathIn(folder, path);
    this.write(target, this.read(target, 'copied') ?? at.as(text), 'replace');
    this.generated.set(fileAt(target) ?? path, this.read(target, 'copied') ?? at.as(text));
    return true;
  }

  /** Follows the standard input of a shell: a text, or a file. */
  private runInput(input: Placed | null, exported: Environment, folder: string): boolean {
    const [path] = input === null ? [] : loadedBy(input);
    if (path !== undefined) return this.runFile(pathIn(folder, path.text), [], exported, folder);
    if (input !== null) this.follow(input, exported, { folder });
    return input !== null;
  }

  /** The path of a program: of a name without a folder, where PATH has it, else in the folder. */
  private found(name: string, folder: string): string {
    const own = pathIn(folder, name);
    if (name.includes('/') || this.options.open === undefined) return own;
    return searched.map((one) => `${one}/${name}`).find((path) => this.read(path, 'run') !== null) ?? own;
  }

  private runFile(path: string, words: readonly Placed[], exported: Environment, folder: string): boolean {
    const file = this.open(path, 'run');
    if (file === null) return false;
    if ('problem' in file) this.unread.push(file.problem);
    else {
      this.ran.add(fileAt(path) ?? path);
      this.follow(file, exported, { path, args: words, folder });
    }
    return true;
  }

  /** Does what a tool does, where its condition holds. @throws {Lost} as `start` does */
  act(action: Action, environment: Environment, folder = ''): void {
    const { when = null } = action;
    if (when !== null && !this.decide(when)) return;
    if ('script' in action) this.follow(action.script, environment, { folder: action.folder ?? folder });
    else if ('path' in action) this.write(action.path, action.text, action.mode);
    else if ('run' in action) this.containers.started.push({ ...action, exported: environment });
    else if (action.words[0] !== undefined) this.run(action.words, action.words[0], environment, folder);
  }

  /** bash runs the file at this path for these names. */
  hash(names: readonly Placed[], path: Placed | undefined): void {
    for (const { text } of names) if (path !== undefined) this.hashed.set(text, path);
  }

  /** Records the calls of a running node. */
  private command({ console: script, isRequest }: Attached, folder: string): boolean {
    if (script === null) return false;
    const loaded = loadedBy(script).flatMap((path) => {
      const file = this.read(pathIn(folder, path.text), 'run');
      if (file === null) return isRequest === true ? [] : { calls: [], at: path };
      return commandedBy(file) ?? [];
    });
    const found = [commandedBy(script) ?? [], loaded].flat();
    this.commanded.push(...found);
    return found.length > 0;
  }

  /** The text of a file that was written or is among the files. */
  private open(path: string, role: ReadRole): Placed | Unread | null {
    const at = fileAt(path);
    if (at === null) return null;
    return this.written.get(at) ?? this.options.open?.(at, role) ?? null;
  }

  /** The path of a file or folder with a secret that no script writes; null: it is not found. */
  secretAt(path: string): string | null {
    const file = this.isWritten(path) ? null : this.open(path, 'secret');
    return file === null ? null : 'problem' in file ? (file.path ?? null) : file.span().file;
  }

  read(path: string, role: FileRole): Placed | null {
    const file = this.open(path, role);
    return file === null || 'problem' in file ? null : file;
  }

  get kinds(): readonly Kind[] {
    return this.options.kinds;
  }

  follow(first: Placed, environment: Environment, run: Run = {}): void {
    const { path, args, folder = '' } = run;
    const given = new Map((args ?? []).map((word) => [{ parts: [], start: 0, end: 0 }, word]));
    const holds = run.succeeds === true && !/\|\||\b(?:if|case|while|until)\b/.test(first.text);
    const printed = new Map<number, Placed>();
    let script = first;
    if (this.depth >= maxInner) return;
    this.depth += 1;
    const variables = { ...unsetIn(script.span().file, this.kinds), ...valuesOf(environment) };
    const { shell, ends } = readShell(script.text, {
      variables: folder === '' ? variables : { ...variables, PWD: pathValue(folder) },
      args:
        args === undefined ? null : [...given].map(([from, { text }]) => ({ value: pathValue(text), from })),
      ...(path === undefined ? {} : { self: pathValue(path) }),
      exported: Object.keys(valuesOf(environment)),
      rest: { unknown: 'it comes from the environment' },
      observer: {
        command: (shell, command, fields) =>
          new Step(this, script, { environment, given, printed }, shell, command).take(fields),
        output: (shell, range) => {
          const inner = shell.text.slice(range.start, range.end);
          if (
            !shell.rehearsing &&
            (mayCall.test(inner) || this.kinds.some(({ signs }) => signs.name.test(inner)))
          )
            runSubstitution(shell, range);
          const text = this.outputOf(shell, range, script);
          if (text !== null) printed.set(range.start, text);
          if (text !== null) return pathValue(text.text);
          return printsValue(shell, range) ? null : { ...outputOfCommand, manyWords: true };
        },
        input: (shell, redirection) => {
          const text = this.inputOf(shell, redirection, script);
          if (text !== null) printed.set(redirection.start, text);
          return text?.text ?? null;
        },
        tainted: ({ here }) => {
          this.opaque ??= script.slice(here.start, here.end);
        },
        sourced: (shell, fields) => {
          const file = this.sourced(shell, fields, { script, environment, given, printed });
          if (file === null) return null;
          script = Placed.join([script, script.as('\n'), file.text]);
          return { text: file.text.text, path: file.path };
        },
      },
      isWritten: this.options.isWritten ?? false,
      decide: ({ start, end }) => holds || this.decide(script.slice(start, end).trim()),
      steps: this.options.steps,
    });
    this.hasExited ||= ends !== null;
    for (const { at, reason } of shell.journal.unread)
      this.cut.push({ at: script.slice(at.start, at.end), reason });
    this.depth -= 1;
  }

  private outputOf(shell: Shell, range: Range, script: Placed): Placed | null {
    const here = script.slice(range.start, range.end);
    return printedBy(shell, range, { here, read: (path) => this.read(path, 'copied') });
  }

  /** The text of the file after `<`, or of `< <(…)`; null: it is not known. */
  private inputOf(shell: Shell, word: Redirection, script: Placed): Placed | null {
    if (script.text.startsWith('<(', word.start)) {
      const printed = this.outputOf(shell, word, script);
      return printed?.joined([printed, '\n']) ?? null;
    }
    const path = pathIn(this.folderOf(shell), partOf(expandValue(shell, word)));
    return namesSecret(path) ? null : this.read(path, 'copied');
  }

  /** The working folder; empty: where the script starts. An image has its own, which relative paths are read from. */
  private folderOf(shell: Shell): string {
    const folder = shell.look('PWD') ?? '';
    const isOwn = this.options.isImage === true && isUnknown(folder) && folder.partly === undefined;
    return isOwn ? '' : partOf(folder);
  }

  /** The text that `eval`, or `.` with a file or a `<(…)`, runs in the place of the command; null: it is not known. */
  private sourced(
    shell: Shell,
    { values, from, exact }: Fields,
    origins: Omit<Origins, 'shell'>,
  ): { readonly text: Placed; readonly path: Value | null } | null {
    const { script } = origins;
    const [name, path = ''] = values;
    const word = from[1];
    if (word === undefined) return null;
    if (name === 'eval') {
      if (!exact || values.some(isUnknown)) return null;
      const words = from.slice(1).flatMap((one, at) => {
        const value = partOf(values[at + 1] ?? '');
        const placed =
          originOf(value, one, { ...origins, shell }) ?? script.slice(one.start, one.end).as(value);
        return at === 0 ? [placed] : [placed.as(' '), placed];
      });
      return { text: Placed.join(words), path: null };
    }
    if (script.text.startsWith('<(', word.start)) {
      const text = this.outputOf(shell, word, script);
      return text && { text, path: null };
    }
    const at = pathIn(this.folderOf(shell), partOf(path));
    const text = this.read(at, 'sourced');
    return text && { text, path: pathValue(at) };
  }

  private decide(at: Placed): boolean {
    const place = placeOf(at);
    if (!this.places.has(place) && this.undecided.length < maxUndecided) {
      this.undecided.push(at);
      this.places.add(place);
    }
    return this.options.holds?.(place) ?? false;
  }

  /**
   * Records a start; the same start of a script that runs again is the same node.
   * @throws {Lost} after too many steps: each start is a node to judge
   */
  start(node: ScriptStart, input: Placed | null = null): void {
    const { exported, folder = '', kind, words } = node;
    this.options.steps.take(stepsPerStart + exported.size);
    if (this.isNew(keyOf(node))) this.starts.push(node);
    if (words?.some(({ text }) => kind.consoles.includes(text)) === true)
      this.command({ console: consoleOf(words) ?? input }, folder);
  }

  private runImage(container: StartedContainer, words: readonly Placed[], folder: string): boolean {
    this.options.steps.take(stepsPerStart + container.exported.size);
    const node = { ...container, launcher: '', words, folder };
    return !this.isNew(keyOf(node)) || this.containers.started.push(container) > 0;
  }

  private isNew(key: string): boolean {
    const isNew = !this.keys.has(key);
    this.keys.add(key);
    return isNew;
  }

  /** The written files as they are on the machine: a conf that lines are appended to begins with unknown lines. */
  get files(): ReadonlyMap<string, Placed> {
    const files = [...this.written].map(
      ([path, text]) =>
        [path, this.isAppended(path) ? Placed.join([text.as(`${unfilled}\n`), text]) : text] as const,
    );
    return new Map(files);
  }

  /** True for a conf whose first lines are those of the packaged one, which are not read. */
  isAppended(path: string): boolean {
    return this.confs.get(readerOfConf(this.options.kinds, path)?.launcher ?? '')?.base === 'packaged';
  }

  /** True for a folder that is among the files. */
  isFolder(path: string): boolean {
    const file = this.open(path, 'copied');
    return file !== null && 'problem' in file && file.isFolder === true;
  }

  isWritten(path: string): boolean {
    return this.written.has(fileAt(path) ?? '');
  }

  write(path: string, line: Placed, mode: WriteMode, isUnsure = false): void {
    if (this.inside !== null && this.containers.change(this.inside, path, line)) return;
    const at = fileAt(path);
    if (at !== null && this.written.size < maxWritten) {
      const before = mode === 'append' ? this.read(path, 'copied') : null;
      this.written.set(at, before === null ? line : Placed.join([before, line]));
    }
    const reader = readerOfConf(this.options.kinds, path);
    if (reader === null) return;
    const known = this.confs.get(reader.launcher);
    const { base, lines } = known ?? { base: 'packaged', lines: [] };
    this.confs.set(reader.launcher, {
      ...reader,
      base: mode === 'append' || (mode === 'edit' && known !== undefined) ? base : 'none',
      lines: mode === 'append' ? [...lines, line] : [line],
      isUnsure,
    });
  }
}
