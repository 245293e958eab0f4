/** The files of a compose project, merged service by service. */
import { basename, dirname, join } from 'node:path';
import { once } from '../../../util/once.js';
import { environmentLines } from '../environment/environment.js';
import type { Scope } from '../launch/files.js';
import type { Launches } from '../launch/launch.js';
import { interpolate } from '../text/interpolate.js';
import { LineIndex } from '../text/line-index.js';
import { Placed, PlacedIndex } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { readYaml } from '../yaml/document.js';
import type { YamlNode } from '../yaml/node.js';
import { type Given, givenBy, selectionsOf } from './selections.js';

/** One of the texts that define a service, from the most general to the most specific. */
export interface Layer {
  readonly node: YamlNode;
  /** A file of the folder that relative paths start at. */
  readonly file: LineIndex;
}

/** A service of a project: everything that defines it, and the files that record what it uses. */
export interface Service {
  readonly name: string;
  readonly layers: readonly Layer[];
  readonly project: Project;
  readonly files: Scope;
}

/** The top of a compose file. */
type Root = Layer;

const maxExtends = 8;
const maxIncludes = 50;
const maxServices = 500;

interface Context {
  readonly files: Scope;
  readonly problems: Launches['problems'][number][];
  readonly notes: Set<string>;
  /** Files that are left to include. */
  left: number;
}

interface ProjectOptions {
  readonly variant?: string | null;
  /** The paths of the files that a script writes before it starts it. */
  readonly written?: readonly string[] | undefined;
  /** Variables of the project that includes this one. */
  readonly above?: ReadonlyMap<string, Placed>;
  /** The files of variables; default: `.env`. */
  readonly environment?: readonly LineIndex[] | undefined;
  /** The command that starts it. */
  readonly call?: Given | null;
  /** A command that starts it too: its variables count where nothing else sets them. */
  readonly rest?: Given | null;
}

/** Services, networks and other parts of several files; later files override earlier ones. */
export class Project {
  /** The other files that override the first, where several lists of files are started; else null. */
  readonly variant: string | null;
  /** The paths of the files that a script writes before it starts it. */
  readonly written: readonly string[];
  readonly #roots: readonly Root[];
  /** Relative paths of all files start at the folder of the first. */
  readonly #file: LineIndex;
  readonly #context: Context;
  readonly #variables = new Map<string, Placed>();
  readonly #options: ProjectOptions;
  readonly #included: Project[] = [];
  /** Whether a file of variables has lines that are not known. */
  #isOpen = false;

  constructor(roots: readonly Root[], file: LineIndex, context: Context, options: ProjectOptions = {}) {
    this.#roots = roots;
    this.#file = file;
    this.#context = context;
    this.variant = options.variant ?? null;
    this.written = options.written ?? [];
    this.#options = options;
    this.#readVariables(options);
    for (const entry of roots.flatMap(({ node }) => node.get('include')?.items ?? [])) this.#include(entry);
  }

  /** @param own - what counts where the project sets nothing */
  readonly fill = (text: Placed, own: (name: string) => Placed | undefined = () => undefined): Placed => {
    const { rest = null } = this.#options;
    return interpolate(
      text,
      (name, at) => this.#lookUp(name, at) ?? own(name),
      (name, at) => givenBy(rest, name, at),
    );
  };

  /** The text of a node; null if it has none. */
  readonly textOf = (node: YamlNode | null | undefined): Placed | null =>
    node?.text == null ? null : this.fill(node.text);

  /** The value of a variable that the project's environment sets; null if it sets none. */
  valueOf(name: string): Placed | null {
    const at = Placed.nowhere(this.#file.file);
    return this.#lookUp(name, at) ?? givenBy(this.#options.rest ?? null, name, at) ?? null;
  }

  /** What `compose run` gives to a service, which overrides its environment. */
  givenTo(service: string): readonly Placed[] {
    const run = this.#options.call?.run;
    return run?.service === service ? run.variables : [];
  }

  #lookUp(name: string, at: Placed): Placed | undefined {
    const own = givenBy(this.#options.call ?? null, name, at) ?? this.#variables.get(name);
    return this.#context.files.outside(name, at) ?? own ?? (this.#isOpen ? at.as(unfilled) : undefined);
  }

  /** Without a `.env`, the variables of the texts that nothing sets; `by`: a template of it that sets the variable. */
  readonly unset = once((): readonly { readonly name: string; readonly by: string | null }[] => {
    const peek = (path: string) => this.#context.files.peek(path, this.#file);
    if (!('problem' in peek('.env'))) return [];
    const set = new Map<string, string>();
    for (const path of templates) {
      const file = peek(path);
      for (const { name } of 'problem' in file ? [] : environmentLines(file)) set.set(name, path);
    }
    const found = this.#roots.flatMap(({ file }) => [...file.text.matchAll(/\$\{?([A-Za-z_]\w*)/g)]);
    return [...new Set(found.map(([, name = '']) => name))]
      .filter((name) => this.valueOf(name) === null)
      .map((name) => ({ name, by: set.get(name) ?? null }));
  });

  /** What it reads, besides what single services use. */
  get files(): Scope {
    return this.#context.files;
  }

  all(): Project[] {
    return [this, ...this.#included.flatMap((one) => one.all())];
  }

  /** The names of its own services. */
  services(): string[] {
    const names = new Set(this.#roots.flatMap(({ node }) => keysOf(servicesIn(node))));
    if (names.size > maxServices) this.#context.notes.add(`only the first ${maxServices} services are read`);
    return [...names].slice(0, maxServices);
  }

  /** A service by its name, without layers where there is none; `files` records what it uses. */
  service(name: string, files: Scope): Service {
    const layers = this.#roots.flatMap((root) => {
      const node = servicesIn(root.node)?.get(name) ?? null;
      return node === null ? [] : this.#extended({ node, file: this.#file }, root, files, 0);
    });
    return { name, layers, project: this, files };
  }

  /** A config, secret, volume or network by its name, of the last file that defines it. */
  defined(part: 'configs' | 'networks' | 'secrets' | 'services' | 'volumes', name: string): Layer | null {
    const node =
      this.#roots.map((root) => root.node.path(part, name)).findLast((one) => one !== null) ?? null;
    return node === null ? null : { node, file: this.#file };
  }

  /** A service, preceded by those it extends, in this file or in another one. */
  #extended(layer: Layer, root: Root, files: Scope, depth: number): Layer[] {
    const extended = layer.node.get('extends');
    if (extended === null || depth >= maxExtends) return [layer];
    const name = (extended.text ?? extended.get('service')?.text)?.text ?? '';
    const path = extended.get('file')?.text ?? null;
    const others = path === null ? [root] : this.#read(path, layer.file, files);
    const below = others.flatMap((other) => {
      const node = servicesIn(other.node)?.get(name) ?? null;
      const file = path === null ? layer.file : other.file;
      return node === null || node === layer.node
        ? []
        : this.#extended({ node, file }, other, files, depth + 1);
    });
    const isMissing = others.length > 0 && others.every(({ node }) => !servicesIn(node)?.get(name));
    if (name !== '' && isMissing && this.#context.problems.length === 0) {
      const reason = `extends: ${path?.text ?? basename(root.file.file)} has no service ${name}`;
      files.miss({ name, decides: 'settings', reason });
    }
    return [...below, layer];
  }

  #read(path: Placed, from: LineIndex, files: Scope): Root[] {
    const file = files.read(this.fill(path).text, from, 'extended');
    if (!('problem' in file)) return rootsOf(file, this.#context);
    files.miss({ name: path.text, decides: 'settings', reason: `extends: ${file.problem}` });
    return [];
  }

  /** `include: [{ path, project_directory, env_file }]`: a separate project, with its own folder and variables. */
  #include(entry: YamlNode): void {
    const paths = textsOf(entry.isMap ? entry.get('path') : entry) ?? [];
    const roots: Root[] = [];
    let first: LineIndex | null = null;
    for (const text of paths) {
      if (this.#context.left === 0) continue;
      this.#context.left -= 1;
      const file = this.#context.files.read(this.fill(text).text, this.#file, 'included');
      if ('problem' in file) this.#context.problems.push({ message: file.problem, at: text.span() });
      else {
        first ??= file;
        roots.push(...rootsOf(file, this.#context));
      }
    }
    if (first === null) return;
    const folder = entry.get('project_directory')?.text ?? null;
    const base =
      folder === null
        ? first
        : new LineIndex(join(dirname(this.#file.file), this.fill(folder).text, basename(first.file)), '');
    const own = { above: this.#variables, environment: this.#environmentOf(entry.get('env_file')) };
    this.#included.push(new Project(roots, base, this.#context, own));
  }

  /** The files that an included project takes its variables from, relative to this project; undefined for its own `.env`. */
  #environmentOf(node: YamlNode | null): LineIndex[] | undefined {
    return textsOf(node)?.flatMap((path) => {
      const file = this.#context.files.read(this.fill(path).text, this.#file, 'environment');
      if (!('problem' in file)) return file;
      this.#context.problems.push({ message: `env_file: ${file.problem}`, at: path.span() });
      return [];
    });
  }

  #readVariables({ environment, above = new Map() }: ProjectOptions): void {
    if (this.#roots.some(({ file }) => /\$|\benvironment\b/.test(file.text))) {
      const own = environment ?? [this.#context.files.read('.env', this.#file, 'environment')];
      for (const file of own)
        if (!('problem' in file)) {
          const open = `\n${file.text}`.lastIndexOf(`\n${unfilled}`);
          this.#isOpen ||= open >= 0;
          if (open >= 0) this.#variables.clear();
          for (const { name, value, isLiteral } of environmentLines(Placed.at(file).slice(Math.max(0, open))))
            this.#variables.set(name, isLiteral ? value : this.fill(value));
        } else if (file.isAbsent !== true && file.isFolder !== true)
          this.files.miss({ name: '.env', decides: 'settings', reason: file.problem });
    }
    for (const [name, value] of above) this.#variables.set(name, value);
  }
}

/** Files that are copied to `.env` before the project starts. */
const templates = ['template', 'example', 'sample', 'dist', 'default', 'defaults'].flatMap((word) => [
  `.env.${word}`,
  `env.${word}`,
  `${word}.env`,
]);

/** A text, or a list of texts; undefined if it is absent. */
function textsOf(node: YamlNode | null): Placed[] | undefined {
  return node === null ? undefined : [node, ...node.items].flatMap(({ text }) => text ?? []);
}

const topKeys = ['version', 'name', 'include', 'services', 'networks', 'volumes', 'configs', 'secrets'];

/** The services; those of version 1 are at the top of the file. */
function servicesIn(root: YamlNode): YamlNode | null {
  const isFirst = topKeys.every((key) => root.get(key) === null);
  return isFirst ? root : root.get('services');
}

function keysOf(node: YamlNode | null): string[] {
  return (node?.entries ?? []).flatMap(({ key, value }) => (value === null ? [] : [key.text]));
}

/** The documents of a file; later ones override earlier ones. */
function rootsOf(file: LineIndex, { problems }: Context): Root[] {
  return readYaml(file).flatMap(({ root, problem }) => {
    if (problem !== null) problems.push(problem);
    return root === null ? [] : [{ node: root, file }];
  });
}

/** The projects that this file is the first file of: one for each way in which something in the folder starts it. */
export function projectsOf(file: LineIndex, given: Scope) {
  const context: Context = { files: given, problems: [], notes: new Set(), left: maxIncludes };
  const roots = rootsOf(file, context);
  if (roots.length === 0) return { projects: [], ...context };
  const selections = selectionsOf(file, given);
  const lists = new Set(selections.map(({ others }) => others.join(':')));
  const projects = selections.map(({ others: paths, call }) => {
    const files = (call?.after ?? given).scope();
    const own = { ...context, files };
    const here = call?.after.peek(basename(file.file), file);
    const written = here instanceof PlacedIndex ? here : null;
    const first = written === null ? roots : rootsOf(written, own);
    if (written !== null && first.every(({ node }) => keysOf(servicesIn(node)).length === 0)) {
      const reason = `${call?.name} changes ${basename(file.file)} in a way that is not followed`;
      given.unfollowed({ name: null, at: written.span({ start: 0, end: 0 }), reason });
    }
    const others = paths.flatMap((path) => {
      const other = files.read(path, file, 'overriding');
      if (!('problem' in other)) return rootsOf(other, own);
      const reason = `a command starts it with another file too: ${other.problem}`;
      given.unfollowed({ name: null, at: file.span({ start: 0, end: 0 }), reason });
      return [];
    });
    const names = [...(lists.size < 2 ? [] : paths), ...(call === null ? [] : [call.name])];
    const variant = names.length === 0 ? null : names.join(', ');
    const rest =
      selections.find((one) => one.call !== null && one.others.join(':') === paths.join(':'))?.call ?? null;
    const environment = call?.files ?? undefined;
    for (const one of call?.heard ?? []) files.heard(one);
    for (const one of call?.files ?? []) files.use(one, 'environment');
    const options = { variant, call, environment, rest, written: call?.written };
    return new Project([...first, ...others], file, own, options);
  });
  return { projects, ...context };
}
