/** Starts in files that commands write: units, compose files, scripts. */
import { basename } from 'node:path';
import type { Kind } from '../kinds/kind.js';
import type { LaunchedKind, Reader } from '../sources/formats.js';
import type { Writes } from '../sources/launch/files.js';
import type { Context, Launch, Launches } from '../sources/launch/launch.js';
import { addAlternative } from '../sources/script/launches.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { Placed, PlacedIndex } from '../sources/text/placed.js';
import { recognise } from './classify.js';
import type { View } from './view.js';

/** Files of these kinds start nothing by themselves, or are read where a start names them. */
const parts: ReadonlySet<LaunchedKind> = new Set(['environment', 'yaml']);
const maxRead = 50;

export interface WrittenContext extends Omit<Context, 'files' | 'written'> {
  readonly files: View;
  readonly readers: ReadonlyMap<LaunchedKind, Reader>;
  /** Kinds whose readers are needed and not loaded. */
  readonly wanted: Set<LaunchedKind>;
}

/** The nodes that the written files start; those that depend on a condition are alternatives. */
export function launchesOfWritten(file: LineIndex, context: WrittenContext) {
  const found: Launch[] = [];
  const kinds = new Map<string | null, LaunchedKind>();
  const rest: Pick<Launches, 'problems' | 'notes'>[] = [];
  // A copy, because the readers add writes of their own.
  const written = [...context.files.writes];
  for (const writes of written) {
    for (const { kind, launches, problems, notes } of readAll(file, writes, context)) {
      for (const launch of launches) {
        addAlternative(found, launch);
        kinds.set(launch.name, kind);
      }
      rest.push({ problems, notes });
    }
  }
  return {
    launches: found.map((launch) => [launch, kinds.get(launch.name) ?? 'script'] as const),
    problems: rest.flatMap(({ problems }) => problems),
    notes: rest.flatMap(({ notes }) => notes),
  };
}

function* readAll(file: LineIndex, writes: Writes, { files, readers, wanted, steps, kinds }: WrittenContext) {
  const after = files.after(writes, file);
  for (const { path, kind, nodes, text } of startingFiles(writes, kinds)) {
    const reader = readers.get(kind);
    if (reader === undefined) wanted.add(kind);
    // Scripts come last: those that units run are parts of the units.
    if (reader === undefined || after.isTaken(path, file)) continue;
    const read = reader(new PlacedIndex(text, path), { files: after.scope(), path, steps, kinds: nodes });
    const launches = read.launches.map((launch) => ({
      ...launch,
      paths: [...(writes.paths?.() ?? []), ...(launch.paths ?? [])],
      name: launch.name ?? basename(path),
      when: launch.when ?? writes.when,
      files: [...new Map([...writes.by.used, ...launch.files].map((one) => [one.path, one])).values()],
      missing: [...writes.by.missing, ...launch.missing],
    }));
    yield { ...read, launches, kind };
  }
}

interface WrittenFile {
  readonly path: string;
  readonly kind: LaunchedKind;
  /** The kinds of node that a file of settings may be for. */
  readonly nodes: readonly Kind[];
  readonly text: Placed;
}

function startingFiles({ files, run }: Writes, kinds: readonly Kind[]): WrittenFile[] {
  const all = [...files].slice(0, maxRead).flatMap(([path, text]): WrittenFile[] => {
    const found = recognise(kinds, path, text.text);
    const { kind } = found;
    if (kind === null || kind === 'conf' || parts.has(kind) || run.has(path)) return [];
    // A copy to a path that may be a folder is recorded for both.
    const isFolder = [...files].some(
      ([one, other]) => one.startsWith(`${path}/`) && other.text === text.text,
    );
    if (isFolder || files.has(dropIn.exec(path)?.[1] ?? '')) return [];
    const nodes = kind === 'toml' ? found.nodes : kinds;
    return [{ path, kind, nodes, text: kind === 'systemd' ? withDropIns(path, text, files) : text }];
  });
  const isScript = ({ kind }: WrittenFile) => Number(kind === 'script' || kind === 'command line');
  return all.sort((a, b) => isScript(a) - isScript(b));
}

const dropIn = /^(.*)\.d\/[^/]*\.conf$/;

/** A unit and the drop-ins that are written for it. */
function withDropIns(path: string, unit: Placed, files: Writes['files']): Placed {
  const texts = [...files].flatMap(([one, text]) => (dropIn.exec(one)?.[1] === path ? [text] : []));
  return Placed.join([unit, ...texts.flatMap((text) => [text.as('\n'), text])]);
}
