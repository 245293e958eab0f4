/** Follows a script without running it: the confs it writes, and the nodes it starts. */
import { readerOfConf, type Starter } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Unread } from '../launch/files.js';
import { readShell } from '../shell/shell.js';
import type { Value } from '../shell/value.js';
import type { Range } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { Steps } from '../text/steps.js';
import { type Started, startedBy } from './commands.js';
import type { ContainerRun } from './container-run.js';
import { type Environment, Step } from './step.js';

/** A conf that scripts wrote. */
export interface WrittenConf extends Starter {
  /** `packaged`: the lines are appended to the packaged conf. */
  readonly base: 'packaged' | 'none';
  readonly lines: readonly Placed[];
}

/** A node that a script starts. */
export interface ScriptStart extends Started {
  /** The command that starts it. */
  readonly at: Placed;
  /** The environment it is started with. */
  readonly exported: Environment;
}

/** A container that a script runs. */
export interface StartedContainer {
  readonly run: ContainerRun;
  /** The command that runs it. */
  readonly at: Placed;
  /** The environment of the command. */
  readonly exported: Environment;
}

export interface Follows {
  readonly kinds: readonly Kind[];
  readonly steps: Steps;
  /** The text of a file that a command runs; null: not known to exist. Default: none is known. */
  open?(path: string): Placed | Unread | null;
  /** Whether an unknown condition is assumed to hold, by its place (see placeOf). Default: none is. */
  holds?(place: string): boolean;
}

const maxInner = 8;
/** The cost of a node in steps. */
const stepsPerStart = 500;
const maxUndecided = 100;

/** The place of a condition as a key, which is the same in every run of its script. */
export function placeOf(condition: Placed): string {
  const { file, line, column } = condition.span();
  return `${file}:${line}:${column}`;
}

/** Follows several scripts in turn; the files that one writes are kept for the next. */
export class Follower {
  readonly confs = new Map<string, WrittenConf>();
  readonly starts: ScriptStart[] = [];
  /** Containers that scripts run. */
  readonly containers: StartedContainer[] = [];
  /** Unknown conditions, in the order they were met. */
  readonly undecided: Placed[] = [];
  /** Why files that were run could not be read. */
  readonly unread: string[] = [];
  private readonly places = new Set<string>();
  private depth = 0;
  /** What the first command of a pipeline prints. */
  piped: Placed | null = null;

  private readonly options: Follows;

  constructor(options: Follows) {
    this.options = options;
  }

  /** Follows a command to the nodes it starts. False: it starts none, and runs no script. @throws {Lost} as `start` does */
  run(words: readonly Placed[], at: Placed, exported: Environment): boolean {
    const started = startedBy(this.options.kinds, words);
    if (started === null) return false;
    if ('image' in started) return this.containers.push({ run: started, at, exported }) > 0;
    if ('script' in started) this.follow(started.script, exported);
    else if ('path' in started) return this.runFile(started.path, exported);
    else this.start({ ...started, at, exported });
    return true;
  }

  private runFile(path: Placed, exported: Environment): boolean {
    const file = this.options.open?.(path.text) ?? null;
    if (file === null) return false;
    if ('problem' in file) this.unread.push(file.problem);
    else this.follow(file, exported);
    return true;
  }

  get kinds(): readonly Kind[] {
    return this.options.kinds;
  }

  follow(script: Placed, environment: Environment): void {
    if (this.depth >= maxInner) return;
    this.depth += 1;
    const variables = Object.fromEntries(
      [...environment].map(([name, { value, indeterminate }]): [string, Value] => {
        const known = value !== null && !value.text.includes(unfilled);
        return [name, known ? value.text : { unknown: indeterminate ?? 'it cannot be known' }];
      }),
    );
    readShell(script.text, {
      variables,
      exported: [...environment.keys()],
      rest: { unknown: 'it comes from the environment' },
      observer: {
        command: (shell, command, fields) => new Step(this, script, environment, shell, command).take(fields),
      },
      decide: (test) => this.decide(script, test),
      steps: this.options.steps,
    });
    this.depth -= 1;
  }

  private decide(script: Placed, test: Range): boolean {
    const at = script.slice(test.start, test.end).trim();
    const place = placeOf(at);
    if (!this.places.has(place) && this.undecided.length < maxUndecided) {
      this.undecided.push(at);
      this.places.add(place);
    }
    return this.options.holds?.(place) ?? false;
  }

  /** @throws {Lost} after too many steps: each start is a node to judge */
  start(node: ScriptStart): void {
    this.options.steps.take(stepsPerStart + node.exported.size);
    this.starts.push(node);
  }

  /** Records a write to a file; other files than confs are ignored. */
  write(path: string, line: Placed, mode: 'append' | 'replace'): void {
    const reader = readerOfConf(this.options.kinds, path);
    if (reader === null) return;
    const before = this.confs.get(reader.launcher) ?? { ...reader, base: 'packaged' as const, lines: [] };
    this.confs.set(
      reader.launcher,
      mode === 'append'
        ? { ...before, lines: [...before.lines, line] }
        : { ...reader, base: 'none', lines: [line] },
    );
  }
}
