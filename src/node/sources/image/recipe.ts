/** What a Dockerfile makes an image of: its base, environment, commands and files. */
import { posix } from 'node:path';
import { variableOf } from '../environment/environment.js';
import type { ReadRole, Scope, Unread } from '../launch/files.js';
import type { LaunchVariable } from '../launch/launch.js';
import { interpolate } from '../text/interpolate.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import type { Steps } from '../text/steps.js';
import { pairOf, splitWords } from '../text/words.js';
import { type Instruction, instructionsOf, jsonWords } from './instructions.js';

/** An image as a Dockerfile builds it. */
export interface Recipe {
  /** The base image, of the first of the stages that it is built on. */
  readonly image: Placed | null;
  readonly environment: ReadonlyMap<string, LaunchVariable>;
  readonly scripts: readonly Placed[];
  readonly entrypoint: readonly Placed[];
  readonly command: readonly Placed[];
  /** The command of its health check; empty if it has none. */
  readonly check: readonly Placed[];
  /** Where files come from that COPY and ADD put into it: scripts and images of stages, and addresses. */
  readonly origins: readonly string[];
  /** The text of a file that COPY or ADD puts at a path of the image; null for the base image's own, if there is one. */
  file(path: string, files: Scope, role?: ReadRole): Placed | Unread | null;
}

/** The words that start a container: those given replace those of the image. */
export function startWords(
  recipe: Recipe | null,
  entrypoint: readonly Placed[] | null,
  command: readonly Placed[] | null,
): Placed[] {
  const own = entrypoint === null ? recipe?.command : null;
  return [...(entrypoint ?? recipe?.entrypoint ?? []), ...(command ?? own ?? [])];
}

export interface BuildOptions {
  /** A file of the folder whose files COPY reads. */
  readonly context: LineIndex;
  readonly steps: Steps;
  /** Values of ARG. */
  readonly arguments?: ReadonlyMap<string, Placed>;
  /** The value of another ARG, where nothing that is read builds the image. */
  outside?(name: string, at: Placed): Placed | undefined;
  /** The stage to build; default: the last one. */
  readonly target?: string | undefined;
}

/** Reads a Dockerfile. A stage based on another stage of the file inherits from it. Returns null if it has no such stage. */
export function recipeOf(file: LineIndex, options: BuildOptions): Recipe | null {
  const stages = new Map<string, Stage>();
  const args = new Map<string, Placed>();
  let stage: Stage | null = null;
  for (const instruction of instructionsOf(file)) {
    if (options.steps.left === 0) break;
    options.steps.count(1 + (stage?.size ?? 0) / 4);
    if (instruction.name === 'FROM') {
      const rest = interpolate(instruction.rest, (name) => args.get(name));
      stage = begin(rest, stages, options);
    } else if (stage !== null) stage.take(instruction);
    else if (instruction.name === 'ARG') setArgument(args, instruction.rest, options);
  }
  return options.target === undefined ? stage : (stages.get(options.target) ?? null);
}

function setArgument(args: Map<string, Placed>, rest: Placed, options: BuildOptions): void {
  for (const [name, value] of splitWords(rest).map(pairOf)) {
    const text = options.arguments?.get(name) ?? options.outside?.(name, value ?? rest) ?? value;
    if (text !== null) args.set(name, text);
  }
}

function begin(rest: Placed, stages: Map<string, Stage>, options: BuildOptions): Stage {
  const [image = rest, as, name] = splitWords(rest).filter(({ text }) => !text.startsWith('--'));
  const stage = new Stage(image, stages, options);
  stages.set(String(stages.size), stage);
  if (as?.text.toLowerCase() === 'as' && name !== undefined) stages.set(name.text, stage);
  return stage;
}

/** Something that COPY or ADD puts into the image: files of the context, a text, or what is not known. */
interface Copy {
  readonly to: string;
  /** Whether `to` is a folder for sure. */
  readonly isFolder: boolean;
  readonly from: Placed | null;
  /** The stage or image that it is copied from. */
  readonly stage?: string | undefined;
  readonly text?: Placed;
  /** Whether it is an archive that ADD unpacks. */
  readonly isArchive?: boolean;
}

class Stage implements Recipe {
  readonly image: Placed | null;
  readonly environment: Map<string, LaunchVariable>;
  readonly scripts: Placed[];
  readonly #copies: Copy[];
  readonly #stages: ReadonlyMap<string, Stage>;
  readonly #options: BuildOptions;
  entrypoint: readonly Placed[];
  command: readonly Placed[];
  check: readonly Placed[];
  #folder: string;

  constructor(image: Placed, stages: ReadonlyMap<string, Stage>, options: BuildOptions) {
    const base = stages.get(image.text);
    this.#stages = new Map(stages);
    this.#options = options;
    this.image = base?.image ?? image;
    this.environment = new Map(base?.environment);
    this.scripts = [...(base?.scripts ?? [])];
    this.#copies = base === undefined ? [] : [...base.#copies];
    this.entrypoint = base?.entrypoint ?? [];
    this.command = base?.command ?? [];
    this.check = base?.check ?? [];
    this.#folder = base === undefined ? '/' : base.#folder;
  }

  get size(): number {
    return this.environment.size + this.scripts.length;
  }

  get origins(): readonly string[] {
    return this.#copies.flatMap(({ stage, from }) => {
      const other = stage === undefined ? undefined : this.#stages.get(stage);
      if (other === undefined) return [stage ?? from?.text ?? ''];
      const scripts = other.scripts.map((one) => other.#fill(one).text);
      return [other.image?.text ?? '', ...scripts, ...other.origins];
    });
  }

  take({ name, rest, documents }: Instruction): void {
    if (name === 'ENV') this.#setVariables(rest);
    else if (name === 'ARG') this.#setArguments(rest);
    else if (name === 'WORKDIR')
      this.#folder = posix.resolve(this.#folder, this.#fill(splitWords(rest)[0] ?? rest).text);
    else if (name === 'ENTRYPOINT') {
      this.entrypoint = commandOf(rest);
      this.command = [];
    } else if (name === 'CMD') this.command = commandOf(rest);
    else if (name === 'HEALTHCHECK') this.check = checkOf(rest);
    else if (name === 'RUN') this.scripts.push(...(documents.length > 0 ? documents : [scriptOf(rest)]));
    else if (name === 'COPY' || name === 'ADD') this.#copy(rest, documents, name === 'ADD');
  }

  file(path: string, files: Scope, given?: ReadRole): Placed | Unread | null {
    const asked = posix.resolve(this.#folder, path);
    const role = given === 'secret' ? given : 'copied';
    for (const copy of this.#copies.toReversed()) {
      const found = this.#copied(copy, asked, files, role);
      if (found !== null) return found;
    }
    return null;
  }

  #copied(copy: Copy, path: string, files: Scope, role: ReadRole): Placed | Unread | null {
    const { to, from, stage, text } = copy;
    const below = path.startsWith(to.endsWith('/') ? to : `${to}/`)
      ? path.slice(to.length).replace(/^\//, '')
      : null;
    const itself = path === to && !copy.isFolder;
    if (!itself && below === null) return null;
    if (text !== undefined) return itself ? text : null;
    const source = from?.text ?? '';
    if (!itself && below !== baseOf(source) && isFile.test(source) && copy.isArchive !== true) return null;
    if (copy.isArchive === true)
      return below === null ? null : { problem: `${path} may be in ${source}, which is not unpacked` };
    if (/^\w+:\/\//.test(source))
      return itself || below === baseOf(source)
        ? { problem: `${path} is added from a URL, which is not read` }
        : null;
    const names = itself
      ? [source]
      : [...(below === baseOf(source) ? [source] : []), within(source, below ?? '')];
    if (stage !== undefined) return this.#ofStage(stage, names, path, files);
    let problem: Unread | null = null;
    for (const name of names) {
      const read = files.read(name.replace(/^\/+/, ''), this.#options.context, role);
      if (!('problem' in read)) return Placed.at(read);
      if (name === source) problem = read;
    }
    return problem ?? (itself ? null : this.#missingFolder(source, path, files));
  }

  /** A folder that is not among the files may hold the file. */
  #missingFolder(source: string, path: string, files: Scope): Unread | null {
    const folder = baseOf(source).includes('*') ? posix.dirname(source) : source;
    if (/\w\.\w+$/.test(baseOf(folder))) return null;
    const read = files.peek(folder.replace(/^\/+/, '') || '.', this.#options.context);
    if (!('problem' in read) || read.isFolder === true) return null;
    return { problem: `${path} may be copied from ${folder}, which is not among the files` };
  }

  #ofStage(stage: string, names: readonly string[], path: string, files: Scope): Placed | Unread {
    const other = this.#stages.get(stage);
    for (const name of other === undefined ? [] : names) {
      const found = other?.file(posix.resolve('/', name), files) ?? null;
      if (found !== null) return found;
    }
    return { problem: `${path} is copied from ${stage}, whose files are not read` };
  }

  #copy(rest: Placed, documents: readonly Placed[], unpacks: boolean): void {
    const words = (jsonWords(rest) ?? splitWords(rest)).filter(({ text }) => !text.startsWith('--'));
    const target = this.#fill(words.at(-1) ?? rest).text;
    const stage = /--from=(\S+)/.exec(rest.text)?.[1];
    const to = posix.resolve(this.#folder, target);
    const sources = words.slice(0, -1);
    const isFolder = sources.length > 1 || /(?:^|\/)\.?$/.test(target);
    for (const from of sources) {
      const [document] = from.text.startsWith('<<') ? documents : [];
      const isArchive = unpacks && /\.(?:tar|t?[gx]z|tbz2?|tar\.\w+)$/.test(from.text);
      if (document === undefined)
        this.#copies.push({ to, isFolder, from: this.#fill(from), stage, isArchive });
      else this.#copies.push({ to, isFolder: false, from: null, text: this.#document(rest, document) });
    }
  }

  /** A here-document; a quoted delimiter keeps its variables. */
  #document(words: Placed, document: Placed): Placed {
    return /<<-?["']/.test(words.text) ? document : this.#fill(document);
  }

  /** ENV NAME=value … or ENV NAME value. */
  #setVariables(rest: Placed): void {
    const words = splitWords(rest);
    const [first, second] = words;
    const old = first !== undefined && second !== undefined && !first.text.includes('=');
    const pairs = old
      ? [[first.text, rest.slice(rest.text.indexOf(second.text))] as const]
      : words.map(pairOf);
    for (const [name, value] of pairs)
      if (value !== null) this.environment.set(name, variableOf(this.#fill(value)));
  }

  /** An ARG does not exist at run time; it is kept because other values may expand it. */
  #setArguments(rest: Placed): void {
    const args = new Map<string, Placed>();
    setArgument(args, rest, this.#options);
    for (const [name, value] of args) this.environment.set(name, variableOf(this.#fill(value)));
  }

  #fill(text: Placed): Placed {
    const known = [...this.environment].flatMap(([name, { value }]) =>
      value === null ? [] : [[name, value] as const],
    );
    const values = new Map(known);
    return interpolate(text, (name) => values.get(name));
  }
}

/** Sources that are files, not folders: programs, and names with an extension. */
const isFile = /(?:^|\/)s?bin\/[^/]+$|[^/]\.\w+$/;

/** A file of a copied folder, or of the files that a pattern such as `conf/*` matches. */
function within(source: string, path: string): string {
  return baseOf(source).includes('*') ? posix.join(posix.dirname(source), path) : `${source}/${path}`;
}

function baseOf(path: string): string {
  return path.replace(/\/+$/, '').replace(/^.*\//, '');
}

/** The script of RUN in both forms, without RUN's own options. */
function scriptOf(rest: Placed): Placed {
  const options = /^(?:\s*--\S+)*\s*/.exec(rest.text)?.[0].length ?? 0;
  const script = rest.slice(options);
  const words = jsonWords(script) ?? [];
  const quoted = words.map((word) =>
    /^[\w./:=,@%+-]+$/.test(word.text) ? word : word.as(`'${word.text.replaceAll("'", `'\\''`)}'`),
  );
  const [, option, inner] = words;
  if (option !== undefined && inner !== undefined && /^-[a-z]*c$/.test(option.text)) return inner;
  return words.length === 0 ? script : Placed.join(quoted.flatMap((word) => [word, word.as(' ')]));
}

/** The command of HEALTHCHECK in both forms; of NONE, no words. */
function checkOf(rest: Placed): Placed[] {
  const start = /^(?:\s*--\S+)*\s*CMD\s+/i.exec(rest.text)?.[0].length;
  return start === undefined ? [] : commandOf(rest.slice(start));
}

/** ENTRYPOINT, CMD or a health check in both forms. */
function commandOf(text: Placed): Placed[] {
  return jsonWords(text) ?? shellForm(text);
}

/** The words that run a script. */
export function shellForm(script: Placed): Placed[] {
  return [script.as('/bin/sh'), script.as('-c'), script];
}
