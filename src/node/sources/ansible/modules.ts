/** The modules of Ansible that write files, run commands and start services or containers. */
import { basename } from 'node:path';
import { readerOfConf } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { Scope } from '../launch/files.js';
import type { Environment } from '../launch/launch.js';
import type { Action } from '../script/followed-files.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import type { Steps } from '../text/steps.js';
import { pairOf, splitWords } from '../text/words.js';
import { mapTree, type Tree, textTree } from '../yaml/tree.js';
import { fill, type Outside, omitted, resolve, type Variables, withoutStatements } from './expression.js';
import { decide } from './statements.js';

/** Where tasks stand. */
export interface Here {
  /** A file of the folder of the role or playbook, whose `templates/` and `files/` the tasks use. */
  readonly base: LineIndex;
  readonly variables: Variables;
  /** What the playbook sets for one role, which overrides its `vars/`. */
  readonly parameters?: readonly Tree[];
  /** What the play and the blocks around them set for commands. */
  readonly environment: Environment;
  /** The `module_defaults` of the play and the blocks around them, the innermost first. */
  readonly defaults: Tree['entries'];
  /** The condition of the block or include around them. */
  readonly when: Placed | null;
  readonly depth: number;
}

export interface TaskContext {
  readonly files: Scope;
  readonly steps: Steps;
  readonly kinds: readonly Kind[];
  /** What overrides the variables of files. */
  readonly outside: Outside;
  /** Whether conditions of facts hold that are not known. */
  readonly holds: boolean;
  /** Collects these conditions. */
  readonly undecided: Placed[];
  /** Collects the texts of tasks that may name the release of a program. */
  readonly origins: string[];
}

/** The name of a module without its collection. */
export function shortName(name: string): string {
  return name.replace(/^(?:ansible\.\w+|community\.\w+|containers\.podman)\./, '');
}

/** The arguments of a task, with their variables replaced. */
export class Arguments {
  readonly #tree: Tree | null;
  readonly #more: readonly (Tree | null)[];
  readonly #here: Here;
  readonly #context: TaskContext;

  /** @param more - what counts where the task does not give an argument: its keyword `args`, and defaults */
  constructor(given: Tree | null, more: readonly (Tree | null)[], here: Here, context: TaskContext) {
    this.#here = here;
    this.#context = context;
    this.#more = more;
    const text = given?.text ?? null;
    this.#tree = text === null ? given : ofText(withoutStatements(fill(text, here.variables)));
  }

  tree(name: string): Tree | null {
    const given = [this.#tree, ...this.#more].map((tree) => tree?.get(name) ?? null);
    const value = resolve(given.find((one) => one !== null) ?? null, this.#here.variables);
    return value === omitted ? null : value;
  }

  /** The first of these arguments that is a text. */
  text(...names: readonly string[]): Placed | null {
    return names.map((name) => this.tree(name)?.text ?? null).find((text) => text !== null) ?? null;
  }

  /** The texts of a list, or the only one. */
  texts(...names: readonly string[]): Placed[] {
    const tree = names.map((name) => this.tree(name)).find((one) => one !== null) ?? null;
    const items = tree?.isList === true ? tree.items : [tree];
    return items.flatMap((item) => resolve(item, this.#here.variables)?.text ?? []);
  }

  names(list: string, field = 'name'): Placed[] {
    const { variables } = this.#here;
    return (this.tree(list)?.items ?? []).flatMap(
      (item) => resolve(resolve(item, variables)?.get(field) ?? null, variables)?.text ?? [],
    );
  }

  pairs(name: string): Placed[] {
    return (this.tree(name)?.entries ?? []).map(({ key, value }) => {
      const text = resolve(value, this.#here.variables)?.text ?? key.as(unfilled);
      return Placed.join([key, key.as('='), text]);
    });
  }

  /** A file of the role or playbook, whose relative path starts in one of these folders; null if it is not there. */
  file(path: Placed, folder: string): Placed | null {
    const { base } = this.#here;
    for (const one of [`${folder}/${path.text}`, path.text]) {
      const file = this.#context.files.read(one, base, 'copied');
      if (!('problem' in file)) return Placed.at(file);
    }
    return null;
  }

  /** A template with its expressions filled in. Undecided statements are for the reader of confs; they make another file unknown. */
  rendered(template: Placed, isConf: boolean): Placed {
    this.#context.steps.count(1 + template.text.length / 100);
    const filled = fill(decide(template, this.#here.variables), this.#here.variables);
    return isConf ? filled : withoutStatements(filled);
  }

  isConf(path: string): boolean {
    return readerOfConf(this.#context.kinds, path) !== null;
  }
}

/** `src=a dest=b`, and the words of a command. */
function ofText(text: Placed): Tree {
  const pairs = splitWords(text).map(pairOf);
  return mapTree(text.span(), [
    { key: text.as('_raw'), value: textTree(text) },
    ...pairs.flatMap(([name, value]) =>
      value === null ? [] : [{ key: text.as(name), value: textTree(value) }],
    ),
  ]);
}

type Module = (args: Arguments, at: Placed) => Action[];

const service: Module = (args) => {
  const name = args.text('name', 'service');
  const isStarted =
    /^(?:re)?start|^reloaded$/.test(args.text('state')?.text ?? '') || args.tree('enabled')?.value === true;
  return name === null || !isStarted ? [] : [{ words: [name.as('systemctl'), name.as('start'), name] }];
};

const command: Module = (args) => {
  const argv = args.texts('argv');
  const script = args.text('cmd', '_raw_params', '_raw');
  const folder = args.text('chdir')?.text;
  if (argv.length > 0) return [{ words: argv }];
  return script === null ? [] : [{ script, ...(folder === undefined ? {} : { folder }) }];
};

const container: Module = (args, at) => {
  const image = args.text('image');
  if (image === null || /^(?:absent|stopped)$/.test(args.text('state')?.text ?? '')) return [];
  const option = (name: string, values: readonly Placed[]) => values.map((value) => [name, value] as const);
  const list = args.tree('command');
  const options = [
    ...option('name', args.texts('name')),
    ...option('entrypoint', args.texts('entrypoint').slice(0, 1)),
    ...option('env', args.pairs('env')),
    ...option('env-file', args.texts('env_file')),
    ...option('network', args.texts('network_mode', 'network')),
    ...option('network', args.names('networks')),
    ...option('publish', args.texts('published_ports', 'ports', 'publish')),
    ...option('volume', args.texts('volumes', 'volume')),
  ];
  const words = list?.isList === true ? args.texts('command') : args.texts('command').flatMap(splitWords);
  return [{ run: { image, options, words: [...args.texts('entrypoint').slice(1), ...words] }, at }];
};

const network: Module = (args, at) => {
  const [name] = args.texts('name');
  if (name === undefined || args.text('state')?.text === 'absent') return [];
  const option = (key: string, values: readonly Placed[]) => values.flatMap((value) => [at.as(key), value]);
  const words = [
    ...['docker', 'network', 'create'].map((word) => at.as(word)),
    ...option('--driver', args.texts('driver')),
    ...option('--opt', [...args.pairs('driver_options'), ...args.pairs('opt')]),
    ...option('--subnet', [...args.names('ipam_config', 'subnet'), ...args.texts('subnet')]),
  ];
  return [{ words: [...words, name] }];
};

const template: Module = (args) => {
  const [src, dest] = [args.text('src'), args.text('dest', 'path')];
  if (src === null || dest === null) return [];
  const path = pathTo(dest, src);
  const text = args.file(src, 'templates');
  const written = text === null ? unknown(src) : args.rendered(text, args.isConf(path));
  return [{ path, text: written, mode: 'replace' }];
};

const copy: Module = (args) => {
  const [src, dest, content] = [args.text('src'), args.text('dest', 'path'), args.text('content')];
  if (dest === null) return [];
  const text = content ?? (src === null ? null : args.file(src, 'files'));
  return [{ path: pathTo(dest, src ?? dest), text: text ?? unknown(dest), mode: 'replace' }];
};

/** Adds a line or a block: in a conf a later line overrides an earlier one. */
const addition: Module = (args) => {
  const [dest, line] = [args.text('path', 'dest'), args.text('line', 'block')];
  if (dest === null) return [];
  const text = args.text('state')?.text === 'absent' || line === null ? unknown(dest) : line;
  return [{ path: dest.text, text: Placed.join([text, text.as('\n')]), mode: 'append' }];
};

const unknownText =
  (mode: 'append' | 'replace', ...names: readonly string[]): Module =>
  (args) => {
    const dest = args.text(...names);
    return dest === null ? [] : [{ path: dest.text, text: unknown(dest), mode }];
  };
const unknownEdit = unknownText('append', 'path', 'dest');

const script: Module = (args) => {
  const [path] = splitWords(args.text('cmd', '_raw') ?? Placed.nowhere(''));
  const text = path === undefined ? null : args.file(path, 'files');
  return text === null ? [] : [{ script: text }];
};

/** A request is that of a command that sends the body, which may be a map. */
const request: Module = (args, at) => {
  const body = args.tree('body');
  return body === null ? [] : [{ words: [at.as('curl'), body.text ?? at.as(JSON.stringify(plain(body)))] }];
};

function plain(tree: Tree | null): unknown {
  if (tree?.isList === true) return tree.items.map(plain);
  return tree?.isMap === true
    ? Object.fromEntries(tree.entries.map(({ key, value }) => [key.text, plain(value)]))
    : (tree?.value ?? null);
}

/** By name without the collection. */
export const modules: Readonly<Record<string, Module>> = {
  template,
  copy,
  lineinfile: addition,
  blockinfile: addition,
  replace: unknownEdit,
  ini_file: unknownEdit,
  get_url: unknownText('replace', 'dest'),
  uri: request,
  shell: command,
  command,
  raw: command,
  script,
  service,
  sysvinit: service,
  systemd: service,
  systemd_service: service,
  docker_container: container,
  podman_container: container,
  docker_network: network,
  podman_network: network,
};

/** The arguments that may name the release of a program, by the name of the module without the collection. */
const origins: Readonly<Record<string, readonly string[]>> = {
  get_url: ['url'],
  unarchive: ['src'],
  git: ['version', 'repo'],
  shell: ['cmd', '_raw_params', '_raw'],
  command: ['cmd', '_raw_params', '_raw', 'argv'],
  apt: ['name', 'pkg', 'deb'],
  package: ['name'],
};

/** The words of a task that may name a release, as those of a script; empty if it has none. */
export function originOf(name: string, args: Arguments): string {
  const names = Object.hasOwn(origins, name) ? (origins[name] ?? []) : [];
  const words = names.flatMap((one) => args.texts(one)).map(({ text }) => text);
  return [...(name === 'git' ? ['git clone -b'] : []), ...words].join(' ');
}

function unknown(at: Placed): Placed {
  return at.as(`${unfilled}\n`);
}

/** The path of the file that is written: a folder as `dest` gets it under its own name. */
function pathTo(dest: Placed, src: Placed): string {
  return dest.text.endsWith('/') ? `${dest.text}${basename(src.text).replace(/\.j2$/, '')}` : dest.text;
}
