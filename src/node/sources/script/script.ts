/** Reads scripts and command lines. */
import { basename } from 'node:path';
import type { ReadRole, Scope, Unread } from '../launch/files.js';
import type { Context, Launch, Launches } from '../launch/launch.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { ownFolder } from '../text/placeholders.js';
import type { Command } from './command.js';
import { addAlternative, launchesOf } from './launches.js';
import { isMakefile, scriptOf } from './makefile.js';
import { isJob, scriptOfJob } from './nomad.js';

/** A script that starts a node, or writes its conf. */
export function readScript(file: LineIndex, context: Context): Launches {
  const text = Placed.at(file, file.text.startsWith('\uFEFF') ? 1 : 0);
  const scope = context.files.scope();
  const included = (path: string) => {
    const read = fileOf(scope, path, file, 'included');
    return 'problem' in read ? null : read;
  };
  const { path = file.file } = context;
  const script = isMakefile.test(path)
    ? scriptOf(text, included)
    : isJob(path, file.text)
      ? scriptOfJob(text)
      : text;
  const self = { path: `${ownFolder}/${basename(file.file)}` };
  const run = (args: Pick<NonNullable<Command['self']>, 'args'>) => {
    const own = { before: [script], self: { ...self, ...args }, folder: ownFolder };
    return launchesOnMachine(file, context, own, scope);
  };
  const launches: Launch[] = [];
  for (const argument of argumentsOf(script, scope))
    for (const one of run({ args: [argument] }))
      addAlternative(launches, { ...one, when: one.when ?? argument.as(`$1 is ${argument.text}`) });
  if (launches.length === 0) launches.push(...run({}));
  return { launches, problems: [], notes: [] };
}

/** Of a script that reads `cmd/$1.sh`: the first arguments that name one of these files. */
function argumentsOf(script: Placed, files: Pick<Scope, 'named'>): Placed[] {
  const found = dispatched.exec(script.text);
  if (found === null || !/\$\{?1\b/.test(script.text)) return [];
  const [command, folder = '', ending = ''] = found;
  const at = script.slice(found.index, found.index + command.length);
  const named = new RegExp(`(?:^|/)${folder}([\\w-]+)${ending.replace('.', '\\.')}$`);
  const names = files.named(named).map(({ file }) => named.exec(file)?.[1] ?? '');
  return [...new Set(names)].slice(0, maxArguments).map((name) => at.as(name));
}

const maxArguments = 8;
const dispatched = /(?:\bsource|(?<![^\s;&|])\.)[ \t]+["']?[^\s"';]*?([\w-]+\/)\$\{?\w+\}?(\.\w+)?/;

/** The nodes that a command on a machine starts, which sees the files of the deployment from the file that it is in. */
export function launchesOnMachine(
  from: LineIndex,
  { files, steps, kinds }: Context,
  own: Partial<Command>,
  scope = files.scope(),
): Launch[] {
  return launchesOf({
    name: null,
    words: [],
    environment: new Map(),
    container: null,
    folder: '/',
    file: (path, role) => fileOf(scope, path, from, role),
    files: scope,
    steps,
    kinds,
    ...own,
  });
}

/**
 * A file of the deployment. A relative path starts at the folder of the script, or at one above it. A script that is run
 * by its path on the machine may be in the deployment without its first folders: /opt/kaia/start.sh as start.sh.
 */
export function fileOf(
  files: Pick<Scope, 'read'>,
  path: string,
  from: LineIndex,
  role: ReadRole,
): Placed | Unread {
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
