/** Follows a script without running it: the confs it writes, and the nodes it starts. */

import type { FileRole } from '../../facts/settings.js';
import type { Environment } from '../launch/launch.js';
import { runSubstitution } from '../shell/evaluate.js';
import { outputOfCommand } from '../shell/expand.js';
import { readShell } from '../shell/shell.js';
import { Placed } from '../text/placed.js';
import { type Generated, type Inner, startedBy } from './commands.js';
import { type Attached, type Commanded, commandedBy, consoleOf, loadedFiles, mayCall } from './console.js';
import type { ImageBuild } from './container-run.js';
import { Containers } from './containers.js';
import { shellValues, withGiven, withOutside } from './exported.js';
import {
  type Action,
  type Change,
  FollowedFiles,
  type Follows,
  type Passed,
  type ScriptStart,
  type StartedContainer,
} from './followed-files.js';
import { unsetIn } from './launcher-script.js';
import { inputOf, outputOf, sourcedText } from './output.js';
import { fileAt, pathIn, pathValue } from './paths.js';
import { Step } from './step.js';
import type { ToolRun } from './tools.js';
import { printsValue } from './value-printers.js';
import type { WriteMode } from './writes.js';

interface Run {
  /** As far as it is known. */
  readonly path?: string;
  readonly args?: readonly Placed[];
  /** The folder it runs in. */
  readonly folder?: string;
  /** Whether bash runs it, which reads $BASH_ENV first. */
  readonly isBash?: boolean;
  /** Whether this is a script that has to succeed, such as that of RUN: every command before `&&` does. */
  readonly succeeds?: boolean;
}

/** A command of a tool. */
export interface ToolCall extends ToolRun {
  readonly exported: Environment;
  /** The folder it runs in. */
  readonly folder: string;
  /** The files that were written before, by path. */
  readonly written: ReadonlyMap<string, Placed>;
}

const maxInner = 8;
/** The cost of a node in steps. */
const stepsPerStart = 500;
const maxUndecided = 100;

/** The place of a condition as a key, which is the same in every run of its script. */
export function conditionKey(condition: Placed): string {
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
export class Follower extends FollowedFiles {
  readonly starts: ScriptStart[] = [];
  private readonly keys = new Set<string>();
  /** The calls of the running nodes. */
  readonly commanded: Commanded[] = [];
  readonly containers: Containers;
  /** Images that scripts build, and the folders that they build them in. */
  readonly built: (ImageBuild & { readonly folder: string })[] = [];
  /** The tools that scripts run, each with what the scripts wrote before. */
  readonly tools: ToolCall[] = [];
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
  /** The container that commands run in; null for the machine. */
  private inside: string | null = null;
  /** What the last command before a pipe prints. */
  piped: Passed | null = null;

  constructor(options: Follows) {
    super(options);
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
    if ('tool' in started) {
      this.tools.push({ ...started, exported: given, folder, written: this.files });
      return false;
    }
    if ('context' in started) return this.built.push({ ...started, folder }) > 0;
    if ('driver' in started) return this.containers.networks.push(started) > 0;
    if ('update' in started) return this.containers.update(started);
    if ('container' in started) return this.containers.copy(started);
    if ('inside' in started)
      return this.within(started.inside, () =>
        this.run([...started.environment, ...started.words], at, given, folder, input),
      );
    if ('image' in started) return this.runImage({ run: started, at, exported: given }, words, folder);
    if ('generated' in started) return this.generate(started.generated, at, folder);
    if ('console' in started) return this.command({ ...started, console: started.console ?? input }, folder);
    if ('input' in started) return this.runInput(input, given, folder);
    if ('script' in started)
      this.follow(started.script, given, { folder, isBash: started.isBash === true, ...innerRun(started) });
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
    const [path] = input === null ? [] : loadedFiles(input);
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
  act(action: Action, machine: Environment, folder = ''): void {
    const { when = null } = action;
    const environment = new Map([...machine, ...(action.environment ?? [])]);
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
    const loaded = loadedFiles(script).flatMap((path) => {
      const file = this.read(pathIn(folder, path.text), 'run');
      if (file === null) return isRequest === true ? [] : { calls: [], at: path };
      return commandedBy(file) ?? [];
    });
    const found = [commandedBy(script) ?? [], loaded].flat();
    this.commanded.push(...found);
    return found.length > 0;
  }

  follow(first: Placed, exported: Environment, run: Run = {}): void {
    const { path, args, folder = '' } = run;
    const environment = withOutside(first, exported, this.options.outside);
    const given = new Map((args ?? []).map((word) => [{ parts: [], start: 0, end: 0 }, word]));
    const holds = run.succeeds === true && !/\|\||\b(?:if|case|while|until)\b/.test(first.text);
    const printed = new Map<number, Placed>();
    const reads = {
      isImage: this.options.isImage === true,
      read: (at: string, role: FileRole) => this.read(at, role),
    };
    let script = this.withStartup(first, environment, run);
    if (this.depth >= maxInner) return;
    this.depth += 1;
    const values = shellValues(environment);
    const variables = { ...unsetIn(script.span().file, this.kinds), ...values };
    const { shell, ends } = readShell(script.text, {
      variables: folder === '' ? variables : { ...variables, PWD: pathValue(folder) },
      args:
        args === undefined ? null : [...given].map(([from, { text }]) => ({ value: pathValue(text), from })),
      ...(path === undefined ? {} : { self: pathValue(path) }),
      exported: Object.keys(values),
      rest: { unknown: 'it comes from the environment' },
      observer: {
        command: (shell, command, fields) =>
          new Step(this, { script, shell, environment, given, printed }, command).take(fields),
        output: (shell, range) => {
          const inner = shell.text.slice(range.start, range.end);
          if (
            !shell.rehearsing &&
            (mayCall.test(inner) || this.kinds.some(({ signs }) => signs.name.test(inner)))
          )
            runSubstitution(shell, range);
          const text = outputOf(shell, range, script, reads);
          if (text !== null) printed.set(range.start, text);
          if (text !== null) return pathValue(text.text);
          return printsValue(shell, range) ? null : { ...outputOfCommand, manyWords: true };
        },
        input: (shell, redirection) => {
          const text = inputOf(shell, redirection, script, reads);
          if (text !== null) printed.set(redirection.start, text);
          return text?.text ?? null;
        },
        tainted: ({ here }) => {
          this.opaque ??= script.slice(here.start, here.end);
        },
        sourced: (shell, fields) => {
          const file = sourcedText(shell, fields, { script, environment, given, printed }, reads);
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

  /** The script behind the file that bash reads before it. */
  private withStartup(script: Placed, environment: Environment, { isBash, folder = '' }: Run): Placed {
    const path = environment.get('BASH_ENV')?.value?.text ?? '';
    if (path === '' || !(isBash ?? /^#!.*\bbash\b/.test(script.text))) return script;
    const file = this.read(pathIn(folder, path), 'sourced');
    return file === null ? script : Placed.join([file, script.as('\n'), script]);
  }

  private decide(at: Placed): boolean {
    const place = conditionKey(at);
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

  /** What a command in a container changes stays there. */
  override changed(change: Change): void {
    if (this.inside === null) super.changed(change);
  }

  override write(path: string, line: Placed, mode: WriteMode, isUnsure = false): void {
    if (this.inside === null || !this.containers.change(this.inside, path, line))
      super.write(path, line, mode, isUnsure);
  }
}
