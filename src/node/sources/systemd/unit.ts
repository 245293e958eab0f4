/** Reads systemd units and drop-ins: ExecStart, Environment and EnvironmentFile. */
import { dirname } from 'node:path';
import { environmentLines, variableOf } from '../environment/environment.js';
import type { Files, Scope } from '../launch/files.js';
import type { Context, Launches, LaunchVariable } from '../launch/launch.js';
import { baseName } from '../script/commands.js';
import { launchesOf } from '../script/container.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, wordsOf } from '../text/words.js';

interface Directive {
  readonly name: string;
  readonly value: Placed;
}

type Environment = Map<string, LaunchVariable>;

/** Reads a unit with its drop-ins. An empty ExecStart resets the ones before it. */
export function readSystemd(file: LineIndex, { files: all, steps, kinds }: Context): Launches {
  const environment: Environment = new Map();
  const scope = all.scope();
  const notes: string[] = [];
  let files: Placed[] = [];
  let starts: Placed[] = [];
  const dropIns = dropInsOf(file, all);
  for (const one of dropIns) scope.use(one, 'overriding');
  for (const { name, value } of [file, ...dropIns].flatMap(directives)) {
    if (name === 'ExecStart') starts = value.text.trim() === '' ? [] : [...starts, value];
    else if (name === 'Environment') addWords(environment, value);
    else if (name === 'EnvironmentFile') files = value.text.trim() === '' ? [] : [...files, value];
  }
  for (const path of files) addFile(environment, path, file, scope, notes);
  const launches = starts.flatMap((start) =>
    launchesOf({
      name: null,
      words: commandOf(start, environment),
      environment,
      container: null,
      files: scope,
      steps,
      kinds,
    }),
  );
  return { launches, problems: [], notes };
}

/** The drop-ins of a unit, `kend.service.d/*.conf`, in any folder of the deployment; systemd sorts them by name. */
function dropInsOf({ file }: LineIndex, files: Files): LineIndex[] {
  const folder = `${baseName(file)}.d`;
  return files
    .all('systemd')
    .filter((one) => one.file.endsWith('.conf') && baseName(dirname(one.file)) === folder)
    .sort((a, b) => (baseName(a.file) < baseName(b.file) ? -1 : 1));
}

/** The directives of [Service], continued lines joined. */
function directives(file: LineIndex): Directive[] {
  const found: Directive[] = [];
  let section = '';
  for (const line of logicalLines(file)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line.text);
    if (header !== null) section = header[1] ?? '';
    const match = /^\s*([A-Za-z]\w*)\s*=\s*/.exec(line.text);
    // An excerpt of a unit may lack its section header.
    if (match === null || (section !== 'Service' && section !== '')) continue;
    found.push({ name: match[1] as string, value: line.slice(match[0].length) });
  }
  return found;
}

/** Lines joined at trailing backslashes; comments are skipped. */
function logicalLines(file: LineIndex): Placed[] {
  const lines: Placed[] = [];
  let parts: Placed[] = [];
  for (const line of Placed.at(file).split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line.text)) continue;
    const continued = /\\\s*$/.exec(line.text);
    parts.push(
      continued === null
        ? line
        : Placed.join([line.slice(0, continued.index), line.slice(continued.index).as(' ')]),
    );
    if (continued !== null) continue;
    lines.push(Placed.join(parts));
    parts = [];
  }
  return parts.length === 0 ? lines : [...lines, Placed.join(parts)];
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
