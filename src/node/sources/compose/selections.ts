/**
 * The projects that a compose file is the first file of: one for each list of files, and each environment, that something
 * in the folder starts it with. Precedence: https://docs.docker.com/compose/how-tos/environment-variables/envvars-precedence/
 */
import { basename, dirname, posix, relative } from 'node:path';
import { otherVariables } from '../../facts/settings.js';
import {
  type Call,
  callsOf,
  environmentOf,
  optionValues,
  placesOf,
  readAt,
  relativeTo,
  type Situated,
} from '../calls/calls.js';
import { environmentLines } from '../environment/environment.js';
import type { Files, Scope } from '../launch/files.js';
import { optionsFrom, optionsNamed } from '../script/container-run.js';
import type { LineIndex } from '../text/line-index.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';

/** One way to start the project. */
export interface Selection {
  /** The files that override the first, relative to it. */
  readonly others: readonly string[];
  /** The command that starts it so; null if none is known. */
  readonly call: Given | null;
}

/** What a command gives to the project. */
export interface Given {
  /** Variables of its environment, over those of the files; null if not known. */
  readonly variables: ReadonlyMap<string, Placed | null>;
  /** The files of variables in the place of `.env`; null means `.env`. */
  readonly files: readonly LineIndex[] | null;
  /** The files after what the script wrote before, and the paths of what it wrote. */
  readonly after: Scope;
  readonly written: readonly string[];
  /** The variables that `compose run` gives to a service. */
  readonly run: { readonly service: string | undefined; readonly variables: readonly Placed[] };
  /** Whether a file that is not read, or a command that is not followed, may set any variable. */
  readonly isOpen: boolean;
  /** The files whose commands and values it has. */
  readonly heard: readonly string[];
  /** Tells variants apart in reports: the file that sets variables, or the one with the command. */
  readonly name: string;
}

const defaults = /^(?:docker-)?compose\.ya?ml$/;
const usualNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const overrides = ['compose', 'docker-compose'].flatMap((name) =>
  ['yml', 'yaml'].map((ending) => `${name}.override.${ending}`),
);

/** Of COMPOSE_FILE, of commands, or by their usual names; each list alone too, as a command by hand starts it. */
export function selectionsOf(file: LineIndex, files: Files): Selection[] {
  const own = basename(file.file);
  const usual = defaults.test(own)
    ? overrides.filter((name) => !('problem' in files.peek(name, file))).slice(0, 1)
    : [];
  const calls = [...callsOf('compose', files), ...callsOf('stack', files)].flatMap(
    (call) => startedBy(call, file, usual, files) ?? [],
  );
  const [byFile] = composeFiles(file, files);
  const lists = [
    ...(byFile?.[0] === own ? [byFile.slice(1)] : []),
    ...calls.flatMap(({ others }) => (others === null ? [] : [others])),
  ];
  const known = lists.length > 0 ? lists : [usual];
  const bare = [...new Map(known.map((others) => [others.join(':'), others])).values()];
  return [
    ...bare.map((others) => ({ others, call: null })),
    ...calls.flatMap(({ others, given }) =>
      given === null ? [] : (others ? [others] : bare).map((one) => ({ others: one, call: given })),
    ),
  ];
}

/** How a command starts a project of this file; `others` null if it names no files. Returns null if it starts another project. */
function startedBy(call: Call, file: LineIndex, usual: readonly string[], files: Files) {
  const isStack = call.tool === 'stack';
  const verbAt = call.words.findIndex(({ text }) => verbs.test(text));
  const verb = call.words[verbAt]?.text;
  const { options, at: serviceAt } = optionsFrom(call.words, verbAt + 1);
  if (verb === 'config' || verb === 'convert') return null;
  const variables = environmentOf(call.exported);
  const named = optionValues(call.words, isStack ? /^(?:-c|--compose-file)$/ : /^(?:-f|--file)$/);
  const listed = named.length > 0 || isStack ? named : pathsIn(variables, 'COMPOSE_FILE', ':');
  const [folder] = optionValues(call.words, /^--project-directory$/);
  const lists = listed.map((path) => placesOf(call, path.text));
  const [first] = lists;
  const exists = (place: Situated) => !('problem' in files.peek(relativeTo(place), place.from));
  const at = first?.findIndex(exists) ?? folderOf(call, folder?.text ?? '.', exists);
  const found =
    at < 0 ? null : (first?.[at]?.path ?? besideOf(placesOf(call, `${folder?.text ?? '.'}/x`)[at], file));
  if (found !== posix.normalize(file.file)) return null;
  if (first === undefined && !defaults.test(basename(file.file))) return null;
  const from = (placesOf(call, 'x')[at] as Situated).from;
  const others = lists.slice(1).map((places) => relative(dirname(file.file), places[at]?.path ?? ''));
  const after = files.after({ files: call.written, run: new Set(), when: null, by: noneUsed }, from);
  const given = optionValues(call.words, /^--env-file$/);
  const paths = given.length > 0 ? given : pathsIn(variables, 'COMPOSE_ENV_FILES', ',');
  const envFiles = paths.flatMap(({ text }) =>
    readAt(placesOf(call, text)[at], (path, from) => after.peek(path, from)),
  );
  const isOpen = envFiles.length < paths.length || call.exported.has(otherVariables);
  const own = paths.length > 0 ? envFiles : isStack ? [] : null;
  const heard = [
    ...[call.by, ...envFiles].map((one) => one.file),
    ...[...variables.values()].flatMap((value) => value?.span().file ?? []),
  ];
  const service = verb === 'run' ? call.words[serviceAt]?.text : undefined;
  const run = { service, variables: optionsNamed({ options }, 'env') };
  const name = posix.relative(posix.dirname(file.file), envFiles[0]?.file ?? call.by.file);
  const written = [...call.written.keys()];
  return {
    others: first === undefined ? (usual.length > 0 ? usual : null) : others,
    given: idle.test(verb ?? '') ? null : { variables, run, files: own, after, written, isOpen, heard, name },
  };
}

const verbs = /^(?:up|run|start|create|restart|config|convert|pull|push|build|down|stop|ps|logs|kill|rm)$/;
/** They start nothing: their lists of files are those of the project, their environment is not. */
const idle = /^(?:pull|push|down|stop|ps|logs|kill|rm)$/;

const noneUsed = { used: [], missing: [] };

/** The paths in a variable of the environment. */
function pathsIn(variables: Given['variables'], name: string, separator: string): Placed[] {
  return variables.get(name)?.split(new RegExp(separator)) ?? [];
}

/** The first place of a folder that has a file of a usual name; -1: none has. */
function folderOf(call: Call, folder: string, exists: (place: Situated) => boolean): number {
  return placesOf(call, `${folder}/x`).findIndex((place) =>
    usualNames.some((name) => exists({ ...place, path: posix.join(posix.dirname(place.path), name) })),
  );
}

/** A file of this name in the folder of a place. */
function besideOf(place: Situated | undefined, { file }: LineIndex): string {
  return posix.join(posix.dirname(place?.path ?? ''), basename(file));
}

/** COMPOSE_FILE of the folder's .env. */
function composeFiles(file: LineIndex, files: Files): string[][] {
  const dotenv = files.peek('.env', file);
  if ('problem' in dotenv) return [];
  const variables = new Map(environmentLines(dotenv).map(({ name, value }) => [name, value.text]));
  const list = variables.get('COMPOSE_FILE');
  const separator = variables.get('COMPOSE_PATH_SEPARATOR') ?? ':';
  return list === undefined ? [] : [list.split(separator).map((path) => posix.join(path))];
}

/** The value that a command gives to a variable; undefined if it gives none. */
export function givenBy(call: Given | null, name: string, at: Placed): Placed | undefined {
  const value = call?.variables.get(name);
  return value === null || (value === undefined && call?.isOpen === true) ? at.as(unfilled) : value;
}
