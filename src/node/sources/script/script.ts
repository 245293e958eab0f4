/** Reads scripts and command lines. */
import { basename } from 'node:path';
import type { FileRole } from '../../facts/settings.js';
import type { Scope, Unread } from '../launch/files.js';
import type { Context, Launches } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { ownFolder } from '../text/placeholders.js';
import { launchesOf } from './launches.js';

/** A script that starts a node, or writes its conf. */
export function readScript(file: LineIndex, { files, steps, kinds }: Context): Launches {
  const text = Placed.at(file, file.text.startsWith('\uFEFF') ? 1 : 0);
  const script = isRecipe.test(file.file) ? asShell(text) : text;
  const scope = files.scope();
  const launches = launchesOf({
    name: null,
    words: [],
    environment: new Map(),
    container: null,
    before: [script],
    self: { path: `${ownFolder}/${basename(file.file)}` },
    folder: ownFolder,
    file: (path, role) => fileOf(scope, path, file, role),
    files: scope,
    steps,
    kinds,
  });
  return { launches, problems: [], notes: [] };
}

const isRecipe = /(?:^|[\\/])(?:GNU)?[Mm]akefile$|\.mk$/;

/**
 * A Makefile with its variables as those of a shell: `X ?= a` as `X="a"`, `$(X)` as `${X}` and `$$X` as `$X`. A variable
 * that is assigned twice, or from others, stays unknown.
 */
function asShell(makefile: Placed): Placed {
  const assignments = [...makefile.text.matchAll(/(?<![\w-])(\w+)[ \t]*[:?+!]*=/g)].map(([, name]) => name);
  const names = new Set<string>();
  const assigned = makefile.replace(assignment, ({ 1: name = '', 2: sign = '', 3: text = '' }, at) => {
    if (assignments.filter((one) => one === name).length > 1) return null;
    names.add(name);
    const start = name.length + sign.length;
    const value = at.slice(start, start + text.trimEnd().length);
    return Placed.join([at.slice(0, name.length), at.as('="'), value, at.as('"')]);
  });
  const expanded = assigned.replace(/\$[({](\w+)[)}]/g, ({ 1: name = '' }, at) =>
    names.has(name) ? at.as(`\${${name}}`) : null,
  );
  return expanded.replace(/\$\$/g, (_, at) => at.slice(0, 1));
}

/** A line `X ?= a b # comment`, without quotes and other variables. */
const assignment = /^(\w+)([ \t]*[:?]*=[ \t]*)([^"'$`\\#\n]*)(?:#.*)?$/gm;

/**
 * A file of the deployment. A relative path starts at the folder of the script, or at one above it. A script that is run
 * by its path on the machine may be in the deployment without its first folders: /opt/kaia/start.sh as start.sh.
 */
export function fileOf(files: Scope, path: string, from: LineIndex, role: FileRole): Placed | Unread {
  const read = files.read(path, from, role);
  const found = 'problem' in read && !/^[./]/.test(path) ? files.read(`/${path}`, from, role) : read;
  if (!('problem' in found)) return Placed.at(found);
  if (!('problem' in read)) return Placed.at(read);
  const parts = path.split('/');
  const least = role === 'run' ? 1 : 2;
  for (let at = 2; path.startsWith('/') && at <= parts.length - least; at++) {
    const other = files.read(`/${parts.slice(at).join('/')}`, from, role);
    if (!('problem' in other)) return Placed.at(other);
  }
  return read;
}

/** A line as its user typed it. */
export function readCommandLine(file: LineIndex, context: Context): Launches {
  return readScript(file, context);
}
