/** Reads the `.container` units of podman. */
import { dirname, relative } from 'node:path';
import { pairs } from '../../../util/pairs.js';
import type { Scope } from '../launch/files.js';
import type { Context, Launches } from '../launch/launch.js';
import {
  type ContainerRun,
  checksOf,
  commandOf,
  environmentOf,
  mountsOf,
  optionsFrom,
  optionsNamed,
} from '../script/container-run.js';
import { launchesOf } from '../script/launches.js';
import { mountedAt } from '../script/mounts.js';
import {
  type ContainerNetwork,
  containerOf,
  networksMade,
  networksOf,
  sharedWith,
} from '../script/networks.js';
import { baseName } from '../script/paths.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { pairOf } from '../text/words.js';
import { type Directive, directives } from './directives.js';
import { allDropIns, dropInsOf } from './drop-ins.js';
import { expandSpecifiers, unitWords } from './unit-words.js';

/** The option of `podman run` that each key sets. */
const options = new Map(
  pairs(`
    Entrypoint=entrypoint Environment=env EnvironmentFile=env-file HealthCmd=health-cmd Mount=mount Network=network Pod=pod
    PublishPort=publish Volume=volume
  `),
);
/** Keys with several words. */
const lists: ReadonlySet<string> = new Set(['Environment', 'Exec']);

/** The directives of a unit and its drop-ins. An empty value resets a list, and the last one of another key counts. */
function linesOf(file: LineIndex, section: string, files: Scope): Directive[] {
  const name = baseName(file.file);
  const type = name.replace(/^.*\./, '');
  const units = files.named(new RegExp(`\\.${type}$`));
  const parts = [file, ...dropInsOf(name, file, allDropIns(files), units).loaded];
  for (const one of parts.slice(1)) files.use(one, 'overriding');
  const unit = name.replace(/\.\w+$/, '.service');
  const lines = parts.flatMap((one) => directives(one, section)).map((line) => expandSpecifiers(line, unit));
  return lines.filter(({ name, value }, at) => {
    const isReset = ({ name: other, value: next }: Directive) => name === other && next.text.trim() === '';
    return value.text.trim() !== '' && !lines.slice(at + 1).some(isReset);
  });
}

/** The section [Container] as `podman run` with the same options; null if it names no image. */
function runOf(file: LineIndex, files: Scope): ContainerRun | null {
  const run: { image: Placed | null; options: [string, Placed | null][]; words: Placed[] } = {
    image: null,
    options: [],
    words: [],
  };
  for (const { name, value } of linesOf(file, 'Container', files)) {
    const words = lists.has(name) ? unitWords(value) : [value.trim()];
    const option = options.get(name);
    // In Exec, systemd takes $$ as a $ of the container's command.
    if (name === 'Image') run.image = value.trim();
    else if (name === 'Exec')
      run.words = words.map((word) => word.replace(/\$\$/g, (_, at) => at.slice(0, 1)));
    else if (name === 'PodmanArgs') run.options.push(...optionsFrom(unitWords(value), 0).options);
    else if (option !== undefined) run.options.push(...words.map((word): [string, Placed] => [option, word]));
  }
  run.options.push(...podOptions(optionsNamed(run, 'pod'), file, files));
  return run.image === null ? null : { ...run, image: run.image };
}

/** The unit that another one names; null if it is not among the files. */
function unitAt(name: string, key: string, file: LineIndex, files: Scope): LineIndex | null {
  const unit = files.read(name, file, 'selected');
  if (!('problem' in unit)) return unit;
  files.miss({ name, decides: 'reach', reason: `${key}: ${unit.problem}` });
  return null;
}

/** The options of the pod that a container is in: its ports and its network. */
function podOptions(pods: readonly Placed[], file: LineIndex, files: Scope): [string, Placed][] {
  const keys: Readonly<Record<string, string>> = { PublishPort: 'publish', Network: 'network' };
  return pods.flatMap(({ text }) => {
    const unit = unitAt(text, 'Pod', file, files);
    return (unit === null ? [] : linesOf(unit, 'Pod', files)).flatMap(
      ({ name, value }): [string, Placed][] =>
        Object.hasOwn(keys, name) ? [[keys[name] as string, value.trim()]] : [],
    );
  });
}

/** Containers that use the network of each other, at most. */
const maxShared = 8;

/** The container whose network a unit uses, itself where it has its own; of `x.container`, or of the name it has. */
function networkOwner(file: LineIndex, run: ContainerRun, files: Scope, depth = 0): ContainerRun {
  const network = networksOf(run).at(-1) ?? '';
  const name = sharedWith(run);
  const owner =
    name !== null
      ? containerNamed(name, file, files)
      : network.endsWith('.container')
        ? unitAt(network, 'Network', file, files)
        : null;
  const shared = owner === null || depth >= maxShared ? null : runOf(owner, files);
  return owner === null || shared === null ? run : networkOwner(owner, shared, files, depth + 1);
}

/** The unit of the container with this name: ContainerName, or `systemd-` and the name of the unit. */
function containerNamed(name: string, from: LineIndex, files: Scope): LineIndex | null {
  const unit = files.named(/\.container$/).find((one) => resourceName(one, 'Container') === name);
  if (unit === undefined) {
    const reason = `it uses the network of the container ${name}, which is not among the files`;
    files.miss({ name, decides: 'reach', reason });
  }
  return unit === undefined ? null : unitAt(relative(dirname(from.file), unit.file), 'Network', from, files);
}

function resourceName(unit: LineIndex, section: 'Container' | 'Network'): string {
  const own = directives(unit, section).findLast(({ name }) => name === `${section}Name`);
  return own?.value.text.trim() ?? `systemd-${baseName(unit.file).replace(/\.\w+$/, '')}`;
}

/** The networks of `.network` units, by the names of their units or by their own. */
function networksIn(run: ContainerRun, file: LineIndex, files: Scope): ContainerNetwork[] {
  const names = networksOf(run);
  for (const name of names.filter((one) => one.endsWith('.network'))) unitAt(name, 'Network', file, files);
  return files.named(/\.network$/).flatMap((unit) => {
    const own = [baseName(unit.file), resourceName(unit, 'Network')];
    const name = own.find((one) => names.includes(one));
    if (name === undefined) return [];
    files.use(unit, 'selected');
    return networkOf(name, unit, linesOf(unit, 'Network', files));
  });
}

function networkOf(name: string, unit: LineIndex, lines: readonly Directive[]): ContainerNetwork {
  const valuesAt = (key: string) => lines.filter((one) => one.name === key).map(({ value }) => value.trim());
  const driver = valuesAt('Driver').at(-1);
  const given = valuesAt('Options').map(pairOf);
  return {
    name,
    driver: driver?.text ?? '',
    options: new Map(given.map(([key, value]) => [key, value?.text ?? ''])),
    subnets: valuesAt('Subnet').map(({ text }) => text),
    at: (driver ?? Placed.at(unit, 0, 0)).span(),
  };
}

/** Reads the section [Container] as `podman run` with the same options. */
export function readQuadlet(file: LineIndex, { files: all, steps, kinds }: Context): Launches {
  const files = all.scope();
  const run = runOf(file, files);
  if (run === null) return { launches: [], problems: [], notes: [] };
  const owner = networkOwner(file, run, files);
  const networks = [...networksMade(networksOf(owner), files), ...networksIn(owner, file, files)];
  const mounts = mountsOf(run, file);
  const launches = launchesOf({
    name: null,
    words: commandOf(run),
    environment: environmentOf(run, new Map(), file, files),
    container: containerOf(owner, networks),
    image: run.image,
    checks: checksOf(run),
    file: (path, role) => mountedAt(mounts, path, files, role),
    files,
    steps,
    kinds,
  });
  return { launches, problems: [], notes: [] };
}
