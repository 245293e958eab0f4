/** Reads systemd units and drop-ins: their commands, their environment and who reaches their ports. */
import { dirname } from 'node:path';
import { environmentLines, variableOf } from '../environment/environment.js';
import type { Files, Scope } from '../launch/files.js';
import type { Context, Launches, LaunchVariable } from '../launch/launch.js';
import { baseName } from '../script/commands.js';
import { launchesOf } from '../script/container.js';
import { fileOf } from '../script/script.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, wordsOf } from '../text/words.js';
import { admissionOf } from './admission.js';
import { directives } from './directives.js';
import { readQuadlet } from './quadlet.js';
import { isSupervisor, readSupervisor } from './supervisor.js';

type Environment = Map<string, LaunchVariable>;

/** Reads a unit with its drop-ins. An empty ExecStart resets the ones before it. */
export function readSystemd(file: LineIndex, context: Context): Launches {
  if (/^\[Container\][ \t]*\r?$/m.test(file.text)) return readQuadlet(file, context);
  if (isSupervisor.test(file.text)) return readSupervisor(file, context);
  const { files: all, steps, kinds } = context;
  const environment: Environment = new Map();
  const scope = all.scope();
  const notes: string[] = [];
  let files: Placed[] = [];
  let starts: Placed[] = [];
  let first: Placed[] = [];
  let after: Placed[] = [];
  let folder = '/';
  const dropIns = dropInsOf(file, all);
  for (const one of dropIns) scope.use(one, 'overriding');
  const lines = [file, ...dropIns].flatMap((one) => directives(one));
  for (const { name, value } of lines) {
    if (name === 'ExecStart') starts = listed(starts, value);
    else if (name === 'ExecStartPre') first = listed(first, value);
    else if (name === 'ExecStartPost') after = listed(after, value);
    else if (name === 'PassEnvironment') pass(environment, value);
    else if (name === 'Environment') addWords(environment, value);
    else if (name === 'WorkingDirectory') folder = value.text.trim().replace(/^-/, '') || '/';
    else if (name === 'EnvironmentFile') files = listed(files, value);
  }
  for (const path of files) addFile(environment, path, file, scope, notes);
  const launches = starts.flatMap((start) =>
    launchesOf({
      name: null,
      first: first.map((one) => commandOf(one, environment)),
      words: commandOf(start, environment),
      after: after.map((one) => commandOf(one, environment)),
      environment,
      container: null,
      folder,
      file: (path, role) => fileOf(scope, path, file, role),
      files: scope,
      steps,
      kinds,
    }),
  );
  const admits = admissionOf(lines);
  const limited = admits === null ? launches : launches.map((launch) => ({ ...launch, admits }));
  return { launches: limited, problems: [], notes };
}

/** An empty value resets the ones before it. */
function listed(before: readonly Placed[], value: Placed): Placed[] {
  return value.text.trim() === '' ? [] : [...before, value];
}

function pass(environment: Environment, value: Placed): void {
  for (const word of wordsOf(value)) {
    const indeterminate = 'PassEnvironment takes it from the environment of systemd';
    if (!environment.has(word.text))
      environment.set(word.text, { value: null, at: word.span(), indeterminate });
  }
}

/** The drop-ins of a unit, `kend.service.d/*.conf`, in any folder of the deployment; systemd sorts them by name. */
function dropInsOf({ file }: LineIndex, files: Files): LineIndex[] {
  const folder = `${baseName(file)}.d`;
  return files
    .all('systemd')
    .filter((one) => one.file.endsWith('.conf') && baseName(dirname(one.file)) === folder)
    .sort((a, b) => (baseName(a.file) < baseName(b.file) ? -1 : 1));
}

function addWords(environment: Environment, value: Placed): void {
  if (value.text.trim() === '') environment.clear();
  for (const [name, text] of wordsOf(value).map(pairOf))
    if (name !== '' && text !== null) environment.set(name, variableOf(text));
}

/** A file on the unit's machine: only read if it is beside the unit. */
function addFile(
  environment: Environment,
  value: Placed,
  file: LineIndex,
  files: Scope,
  notes: string[],
): void {
  const path = value.text.trim().replace(/^-/, '');
  const read = files.read(path, file, 'environment');
  if ('problem' in read) {
    files.miss({ name: path, decides: 'settings', reason: `EnvironmentFile: ${read.problem}` });
    notes.push(`EnvironmentFile: ${read.problem}`);
    return;
  }
  for (const { name, value: text } of environmentLines(read)) environment.set(name, variableOf(text));
}

/** The words of ExecStart without prefixes; after @, without argv[0]. ${NAME} expands to one word, $NAME to several. */
function commandOf(start: Placed, environment: Environment): Placed[] {
  const prefix = /^\s*[-@:+!|]*/.exec(start.text)?.[0] ?? '';
  const [path, ...words] = wordsOf(start.slice(prefix.length));
  if (path === undefined) return [];
  const own = prefix.includes('@') ? words.slice(1) : words;
  return [path, ...own].flatMap((word) => filled(word, environment));
}

function filled(word: Placed, environment: Environment): Placed[] {
  const whole = /^\$([A-Za-z_]\w*)$/.exec(word.text)?.[1];
  const variable = whole === undefined ? undefined : environment.get(whole);
  if (whole !== undefined) return variable?.value == null ? [word.as(unfilled)] : wordsOf(variable.value);
  const filledIn = word.replace(/\$\$|%%|%[A-Za-z]|\$\{([A-Za-z_]\w*)\}/g, ([all, name], at) =>
    name === undefined
      ? at.as(all === '$$' ? '$' : all === '%%' ? '%' : unfilled)
      : (environment.get(name)?.value ?? at.as(unfilled)),
  );
  return [filledIn];
}
