/**
 * Reads systemd units and drop-ins: their commands, their environment and who reaches their ports, also of instances of a
 * template that are enabled or have drop-ins of their own.
 */

import { dirname } from 'node:path';
import { endsWithGlob } from '../../../util/wildcard.js';
import type { StartProblem } from '../../facts/settings.js';
import { variableOf } from '../environment/environment.js';
import type { Files, Scope } from '../launch/files.js';
import type { Context, Launch, Launches, LaunchVariable } from '../launch/launch.js';
import { baseName } from '../script/paths.js';
import { launchesOnMachine } from '../script/script.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { showText } from '../text/unknown.js';
import { pairOf, splitWords } from '../text/words.js';
import { admissionOf } from './admission.js';
import { type Directive, type DroppedLine, directives, droppedLines } from './directives.js';
import { allDropIns, dropInsOf, masks, unitOf } from './drop-ins.js';
import { readQuadlet } from './quadlet.js';
import { isSupervisor, readSupervisor } from './supervisor.js';
import { expandSpecifiers, unitWords } from './unit-words.js';

type Environment = Map<string, LaunchVariable>;

/** Reads a unit with its drop-ins, and each instance of a template that has its own. */
export function readSystemd(file: LineIndex, context: Context): Launches {
  if (/^\[Container\][ \t]*\r?$/m.test(file.text)) return readQuadlet(file, context);
  if (isSupervisor.test(file.text)) return readSupervisor(file, context);
  const notes: string[] = [];
  const launches = unitsOf(file, context.files).flatMap((unit) =>
    launchesOfUnit(unit, unit.name === baseName(file.file) ? null : unit.name, context, notes),
  );
  return { launches, problems: [], notes };
}

function launchesOfUnit(unit: Unit, name: string | null, context: Context, notes: string[]): Launch[] {
  const [file] = unit.files;
  const scope = context.files.scope();
  for (const one of [...unit.files.slice(1), ...unit.masked]) scope.use(one, 'overriding');
  const { commandsOf, environment, folder, lines } = loaded(unit, scope, notes);
  const warnings = unit.files.flatMap(droppedLines).map(ofDroppedLine);
  const launches = commandsOf('ExecStart')
    .flatMap((words) => {
      const [first, after] = [commandsOf('ExecStartPre'), commandsOf('ExecStartPost')];
      const own = { name, first, words, after, checks: commandsOf('ExecReload'), environment, folder };
      return launchesOnMachine(file, context, own, scope);
    })
    .map((launch) => (warnings.length === 0 ? launch : { ...launch, warnings }));
  const admits = admissionOf(lines);
  return admits === null ? launches : launches.map((launch) => ({ ...launch, admits }));
}

/** Only lines behind a line that was meant to continue count: of others, nothing is known to be meant. */
function ofDroppedLine({ line, before }: DroppedLine): StartProblem {
  const isBlank = /\\\s+$/.test(before.text);
  const why = isBlank
    ? 'a blank stands behind the backslash of the line above'
    : 'no backslash ends the line above';
  const message = `systemd ignores the line ${showText(line)}: ${why}`;
  return { kind: 'dropped-line', fatal: false, message, at: line.span(), variable: null, flags: [] };
}

/** The commands of a unit before, at and after its start, and what they see. */
export function commandsOfUnit(file: LineIndex, files: Files) {
  const isUnit = file.file.endsWith('.service') && /^ExecStart[ \t]*=/m.test(file.text);
  return (isUnit ? unitsOf(file, files) : []).map((unit) => {
    const { commandsOf, environment, folder } = loaded(unit, files.scope(), []);
    const words = ['ExecStartPre', 'ExecStart', 'ExecStartPost'].flatMap(commandsOf);
    return { words, environment, folder };
  });
}

/** What the lines of a unit and its drop-ins say together. */
function loaded(unit: Unit, scope: Scope, notes: string[]) {
  const environment: Environment = new Map();
  const lists = new Map<string, readonly Placed[]>();
  const listed = (directive: string) => lists.get(directive) ?? [];
  let folder = '/';
  const lines = unit.files.flatMap((one) => directives(one)).map((line) => expandSpecifiers(line, unit.name));
  for (const { name, value } of lines) {
    if (name === 'PassEnvironment') pass(environment, value);
    else if (name === 'Environment') addWords(environment, value, scope);
    else if (name === 'WorkingDirectory') folder = value.text.trim().replace(/^-/, '') || '/';
    // An empty value resets the ones before it.
    else lists.set(name, value.text.trim() === '' ? [] : [...listed(name), value]);
  }
  const [file] = unit.files;
  for (const path of listed('EnvironmentFile')) addFile(environment, path, file, scope, notes);
  for (const word of listed('UnsetEnvironment').flatMap(unitWords)) remove(environment, word);
  const commandsOf = (directive: string) => listed(directive).map((one) => commandOf(one, environment));
  return { commandsOf, environment, folder, lines };
}

function pass(environment: Environment, value: Placed): void {
  for (const word of unitWords(value)) {
    const indeterminate = 'PassEnvironment takes it from the environment of systemd';
    if (!environment.has(word.text))
      environment.set(word.text, { value: null, at: word.span(), indeterminate });
  }
}

/** A drop-in that the folder writes may set another value. */
function addWords(environment: Environment, value: Placed, files: Scope): void {
  if (value.text.trim() === '') environment.clear();
  for (const [name, text] of unitWords(value).map(pairOf))
    if (name !== '' && text !== null) environment.set(name, variableOf(files.outside(name, text) ?? text));
}

/** UnsetEnvironment is applied last. `NAME=value` removes the variable only where it has this value. */
function remove(environment: Environment, word: Placed): void {
  const [name, value] = pairOf(word);
  const known = environment.get(name)?.value ?? null;
  if (value === null || known?.text === value.text) environment.delete(name);
}

/** A file on the unit's machine: only read if it is beside the unit. */
function addFile(environment: Environment, value: Placed, file: LineIndex, files: Scope, notes: string[]) {
  const path = value.text.trim().replace(/^-/, '');
  if (/[*?[]/.test(path)) {
    for (const one of matching(path, files)) addFrom(environment, one, files);
    return;
  }
  const read = files.read(path, file, 'environment');
  if ('problem' in read) {
    const reason = `EnvironmentFile: ${read.problem}`;
    files.miss({ name: showText(value).trim().replace(/^-/, ''), decides: 'settings', reason });
    notes.push(reason);
    return;
  }
  addFrom(environment, read, files);
}

/** Another file may take the place of this one. */
function addFrom(environment: Environment, file: LineIndex, files: Scope): void {
  for (const { name, value } of environmentFile(file))
    environment.set(name, variableOf(files.outside(name, value) ?? value));
}

/** The files that a glob matches, in the order of their names. A path of the machine may lie below a folder. */
function matching(glob: string, files: Scope): LineIndex[] {
  const found = files.named({ test: (path) => endsWithGlob(path, glob.replace(/^\//, '')) });
  for (const one of found) files.use(one, 'environment');
  return [...found].sort((a, b) => (baseName(a.file) < baseName(b.file) ? -1 : 1));
}

/** The words of ExecStart without prefixes; after @, without argv[0]. ${NAME} expands to one word, $NAME to several, after : neither. */
function commandOf(start: Placed, environment: Environment): Placed[] {
  const prefix = /^\s*[-@:+!|]*/.exec(start.text)?.[0] ?? '';
  const [path, ...words] = unitWords(start.slice(prefix.length));
  if (path === undefined) return [];
  const own = prefix.includes('@') ? words.slice(1) : words;
  const isPlain = prefix.includes(':');
  return [path, ...own].flatMap((word) =>
    isPlain ? word.replace(/%%/g, (_, at) => at.as('%')) : filled(word, environment),
  );
}

function filled(word: Placed, environment: Environment): Placed[] {
  const whole = /^\$([A-Za-z_]\w*)$/.exec(word.text)?.[1];
  const variable = whole === undefined ? undefined : environment.get(whole);
  if (whole !== undefined) return variable?.value == null ? [word.as(unfilled)] : splitWords(variable.value);
  const filledIn = word.replace(/\$\$|%%|\$\{([A-Za-z_]\w*)\}/g, ([all, name], at) =>
    name === undefined ? at.as(all === '$$' ? '$' : '%') : (environment.get(name)?.value ?? at.as(unfilled)),
  );
  return [filledIn];
}

/** A unit as systemd loads it: its file and its drop-ins, in the order in which they override. */
interface Unit {
  /** `ken@main.service` */
  readonly name: string;
  readonly files: readonly [LineIndex, ...LineIndex[]];
  /** Its drop-ins that others of the same name mask, and the files that its own masks. */
  readonly masked: readonly LineIndex[];
}

/**
 * The unit of a file, and the instances of a template that are enabled by a link, or have drop-ins and no file. Of a
 * template with enabled instances only these are started. systemd.unit(5)
 */
function unitsOf(file: LineIndex, files: Files): Unit[] {
  const all = files.all('systemd');
  const dropIns = allDropIns(files);
  const [links, units] = [true, false].map((isWanted) =>
    all.filter(
      (one) => one.file.endsWith('.service') && /\.(?:wants|requires)$/.test(dirname(one.file)) === isWanted,
    ),
  ) as [LineIndex[], LineIndex[]];
  const name = baseName(file.file);
  if (units.some((one) => masks(one, file))) return [];
  const hidden = units.filter((one) => masks(file, one));
  const prefix = name.endsWith('@.service') ? name.slice(0, -'.service'.length) : null;
  const isOwn = (one: string) => prefix !== null && one.startsWith(prefix) && one !== name;
  const enabled = links.map((one) => baseName(one.file)).filter(isOwn);
  const instances = dropIns
    .map(unitOf)
    .filter((one) => isOwn(one) && !units.some((unit) => baseName(unit.file) === one));
  return [...new Set([...(enabled.length > 0 ? enabled : [name]), ...instances])].map((one) => {
    const { loaded, masked } = dropInsOf(one, file, dropIns, units);
    return { name: one, files: [file, ...loaded], masked: [...masked, ...hidden] };
  });
}

/** A comment, a line without a name, or `NAME=` with its value: quoted parts, then unquoted text to the end of the line. */
const entry =
  /[ \t\r\n]*(?:[#;](?:\\[\s\S]|[^\\\n])*|([^=\n]*)=((?:[ \t\r]*(?:'[^']*'?|"(?:\\[\s\S]|[^\\"])*"?))*[ \t\r]*(?:\\[\s\S]|[^\\\n'"](?:\\[\s\S]|[^\\\n])*)?\\?)|[^=\n]+)/gy;

/** Parts of a value: a quoted text, an escaped character, or other characters. */
const part = /'([^']*)'?|"((?:\\[\s\S]|[^\\"])*)"?|[ \t\r]+|((?:\\[\s\S]|[^\\\n])+)/gy;

/** A value goes on after a backslash at the end of its line, and in quotes. A # in a value begins no comment. */
export function environmentFile(file: LineIndex): Directive[] {
  return [...file.text.matchAll(entry)].flatMap(({ 0: all, 1: key, 2: value = '', index }) => {
    const name = key?.trim() ?? '';
    if (!/^[A-Za-z_]\w*$/.test(name)) return [];
    const start = index + all.length - value.length;
    return [{ name, value: unquote(Placed.at(file, start, start + value.length)) }];
  });
}

function unquote(text: Placed): Placed {
  const parts = [...text.text.matchAll(part)].map(({ 0: all, 1: single, 2: double, 3: plain, index }) => {
    if (single !== undefined) return text.slice(index + 1, index + 1 + single.length);
    if (double !== undefined)
      return text.slice(index + 1, index + 1 + double.length).replace(/\\(["\\`$]|\n)/g, unescaped);
    const own = text.slice(index, index + all.length);
    return plain === undefined ? own.as('') : own.trim().replace(/\\([\s\S]|$)/g, unescaped);
  });
  return parts.length === 0 ? text.as('') : Placed.join(parts);
}

function unescaped({ 1: char = '' }: RegExpExecArray, at: Placed): Placed {
  return char === '\n' ? at.as('') : at.slice(1);
}
