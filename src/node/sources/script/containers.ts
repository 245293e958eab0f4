/** The containers that scripts run, and what other commands change in them. */
import { groupBy } from '../../../util/group-by.js';
import { confPaths, readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Placed } from '../text/placed.js';
import { type ContainerCopy, type ContainerRun, containerName } from './container-run.js';
import type { StartedContainer } from './followed-files.js';
import { type ContainerNetwork, type ContainerUpdate, sharedWith } from './networks.js';
import { baseName } from './paths.js';

/** A conf that a command changes in a container, or a launcher that it runs there. */
interface ContainerChange {
  readonly container: string;
  readonly does: 'changes' | 'runs';
  readonly path: string;
  readonly at: Placed;
}

/** Containers that use the network of each other, at most. */
const maxShared = 8;

export class Containers {
  readonly started: StartedContainer[] = [];
  readonly networks: ContainerNetwork[] = [];
  readonly #changes: ContainerChange[] = [];
  readonly #kinds: readonly Kind[];

  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds;
  }

  /** The change of the conf that a container has at this path; null if there is none. */
  changeOf(name: string | null, path: string): ContainerChange | null {
    const isOfConf = (one: ContainerChange) =>
      one.container === name && one.does === 'changes' && baseName(one.path) === baseName(path);
    return this.#changes.find(isOfConf) ?? null;
  }

  /** The container whose network this one uses, itself where it has its own; null if it is started elsewhere. */
  networkOwner(run: ContainerRun): ContainerRun | null {
    let owner: ContainerRun | undefined = run;
    for (let depth = 0; owner !== undefined && depth < maxShared; depth += 1) {
      const name = sharedWith(owner);
      if (name === null) return owner;
      owner = this.started.findLast(({ run }) => containerName(run) === name)?.run;
    }
    return null;
  }

  /** The first change of each container that no script runs. */
  get changesElsewhere(): readonly ContainerChange[] {
    const names = this.started.map(({ run }) => containerName(run));
    return [...groupBy(this.#changes, ({ container }) => container)].flatMap(([container, [first]]) =>
      names.includes(container) || first === undefined ? [] : first,
    );
  }

  /** Records a change of a conf. False: the path is none of a conf. */
  change(container: string, path: string, at: Placed): boolean {
    const isConf =
      readerOfConf(this.#kinds, path) !== null ||
      confPaths(this.#kinds).some((conf) => conf.startsWith(`${path.replace(/\/+$/, '')}/`));
    if (isConf) this.#changes.push({ container, does: 'changes', path, at });
    return isConf;
  }

  /** A file that is copied into a container is read as one that is mounted there. False: the copy starts and decides nothing. */
  copy({ container, from, to }: ContainerCopy): boolean {
    const target = to.endsWith('/') ? `${to}${baseName(from.text)}` : to;
    const mount = from.as(`${/^[./~]/.test(from.text) ? '' : './'}${from.text}:${target}`);
    return this.#rerun(container, [['volume', mount]]) || this.change(container, target, from);
  }

  /** A node that is started in a container is the one that the container runs. False: it is not known how the container runs. */
  start(container: string, words: readonly Placed[], isLauncher: boolean): boolean {
    const [program, ...others] = words;
    if (program === undefined) return false;
    const isStarted = this.#rerun(container, [['entrypoint', program]], { words: others });
    if (!isStarted && isLauncher)
      this.#changes.push({ container, does: 'runs', path: program.text, at: program });
    return isStarted || isLauncher;
  }

  /** A container that is attached to a network later has both. False: it is not known how it runs. */
  update({ container, update }: ContainerUpdate): boolean {
    return this.#rerun(container, update);
  }

  #rerun(container: string, more: ContainerRun['options'], change: Partial<ContainerRun> = {}): boolean {
    const at = this.started.findLastIndex(({ run }) => containerName(run) === container);
    const started = this.started[at];
    if (started === undefined) return false;
    const options = [...started.run.options, ...more];
    this.started[at] = { ...started, run: { ...started.run, ...change, options } };
    return true;
  }
}
