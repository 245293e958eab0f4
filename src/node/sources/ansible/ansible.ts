/** Reads playbooks and tasks of Ansible with the defaults that are beside them. */
import { basename, dirname, join, posix } from 'node:path';
import { otherVariables } from '../../facts/settings.js';
import { callsOf, optionValues, placesOf, readAt } from '../calls/calls.js';
import type { Files } from '../launch/files.js';
import type { Context, Launches } from '../launch/launch.js';
import { setBy } from '../script/exported.js';
import type { Action } from '../script/followed-files.js';
import { addAlternative } from '../script/launches.js';
import { launchesOnMachine } from '../script/script.js';
import { LineIndex } from '../text/line-index.js';
import { isKnown, Placed, PlacedIndex } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, splitWords } from '../text/words.js';
import { readYaml } from '../yaml/document.js';
import { itemsAt, mapOf, mapTree, type Tree, textTree } from '../yaml/tree.js';
import { holds, resolve, Variables } from './expression.js';
import { Arguments, type Here, modules, originOf, shortName, type TaskContext } from './modules.js';

/**
 * A playbook, or the tasks of a role, with the variables of each command of the folder that runs it.
 * https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_variables.html#understanding-variable-precedence
 */
export function readAnsible(masked: LineIndex, given: Context): Launches {
  const file = given.written ?? masked;
  const [document] = readYaml(file);
  const items = itemsAt(document?.root);
  const plays = items.filter((one) => one.get('hosts') !== null);
  const targets = plays.length > 0 ? plays : [null];
  const runs = [{ extra: null, by: null, isOpen: false }, ...extrasOf(file, given.files)];
  const launches = targets.flatMap((play) =>
    runs.flatMap(({ extra, by, isOpen }) => {
      const own = plays.length > 1 ? (play?.get('hosts')?.text?.text ?? null) : null;
      const name = by === null ? own : [own, `with ${by}`].filter((one) => one !== null).join(' ');
      const run = (holds: boolean) => {
        const scope = given.files.scope();
        const origins: string[] = [];
        const outside = {
          extra,
          facts: [],
          isOpen,
          given: (word: string, at: Placed) => scope.outside(word, at),
        };
        const context = { ...given, files: scope, origins, outside, holds, undecided: [] };
        const actions =
          play === null
            ? actionsOfTasks(file, document?.root ?? null, context)
            : actionsOfPlay(play, file, context);
        const found = launchesOnMachine(file, given, { name, origins, actions }, scope);
        return { found, undecided: context.undecided[0] };
      };
      const { found, undecided } = run(true);
      if (undecided !== undefined)
        for (const one of run(false).found) addAlternative(found, { ...one, when: one.when ?? undecided });
      return found;
    }),
  );
  const problems = document?.problem == null ? [] : [document.problem];
  return { launches, problems, notes: [], rendered: file.text };
}

/** The variables that commands give the playbook with `-e`, and the file of each command. */
function extrasOf(file: LineIndex, files: Files) {
  return callsOf('ansible-playbook', files).flatMap((call) => {
    const at = call.words
      .map((word) => placesOf(call, word.text).findIndex(({ path }) => path === posix.normalize(file.file)))
      .find((index) => index >= 0);
    const given = optionValues(call.words, /^(?:-e|--extra-vars)$/);
    if (at === undefined || given.length === 0) return [];
    files.heard(call.by.file);
    let isOpen = false;
    const trees = given.flatMap((value) => {
      if (!value.text.startsWith('@')) return extraIn(value) ?? [];
      const path = value.text.slice(1);
      const [read] = readAt(placesOf(call, path)[at], (one, from) => files.peek(one, from));
      if (read === undefined) {
        isOpen = true;
        return [];
      }
      files.use(read, 'environment');
      files.heard(read.file);
      return readYaml(read)[0]?.root ?? [];
    });
    const entries = trees.flatMap((tree) => tree.entries);
    const extra = mapTree(call.by.span({ start: 0, end: 0 }), entries);
    return [{ extra, by: posix.basename(call.by.file), isOpen }];
  });
}

/** `name=value other=value`, or a map in YAML or JSON. */
function extraIn(value: Placed): Tree | null {
  if (/^\s*\{/.test(value.text)) return readYaml(new PlacedIndex(value))[0]?.root ?? null;
  const pairs = splitWords(value).map(pairOf);
  const entries = pairs.map(([name, text]) => ({ key: value.as(name), value: text && textTree(text) }));
  return mapTree(value.span(), entries);
}

function actionsOfTasks(file: LineIndex, list: Tree | null, context: TaskContext): Action[] {
  const isInRole = /^(?:tasks|handlers)$/.test(basename(dirname(file.file)));
  const base = isInRole ? new LineIndex(join(dirname(dirname(file.file)), 'x'), '') : file;
  const all = groupVariables('all', ['../..', '../../inventory'], base, context);
  const variables = new Variables(context.steps, all, context.outside);
  const here: Here = { base, variables, environment: new Map(), defaults: [], when: null, depth: 0 };
  const isMain = file.file.endsWith('tasks/main.yml') || file.file.endsWith('tasks/main.yaml');
  return isInRole ? actionsOfRole(base, here, context, isMain ? null : list) : actionsOf(list, here, context);
}

function actionsOfPlay(play: Tree, base: LineIndex, context: TaskContext): Action[] {
  const group = play.get('hosts')?.text?.text ?? 'all';
  const folders = ['.', 'inventory', '..', '../inventory'];
  const groups = new Set(['all', ...(/^\w+$/.test(group) ? [group] : [])]);
  const ofGroups = [...groups].flatMap((one) => groupVariables(one, folders, base, context));
  const variables = new Variables(context.steps, ofGroups, context.outside).with(
    play.get('vars'),
    ...itemsAt(play, 'vars_files').map(({ text }) =>
      text === null ? null : included([text.text], base, context),
    ),
  );
  const environment = environmentOf(play, { variables, environment: new Map() });
  const defaults = play.get('module_defaults')?.entries ?? [];
  const here: Here = { base, variables, environment, defaults, when: null, depth: 0 };
  const listed = (name: string) => actionsOf(play.get(name), here, context);
  const roles = itemsAt(play, 'roles').flatMap((role) => {
    const name = role.text ?? resolve(role.get('role') ?? role.get('name'), variables)?.text ?? null;
    const parameters = role.isMap ? [role, role.get('vars')].filter((one) => one !== null) : [];
    return actionsOfRoleNamed(name, { ...here, parameters }, context);
  });
  return [...listed('pre_tasks'), ...roles, ...['tasks', 'post_tasks', 'handlers'].flatMap(listed)];
}

function groupVariables(group: string, folders: readonly string[], base: LineIndex, context: TaskContext) {
  const names = [`${group}.yml`, `${group}.yaml`, group, ...mainOf(group), `${group}/vars.yml`];
  return folders.flatMap((folder) => {
    const paths = names.map((name) => `${folder}/group_vars/${name}`);
    return readFirst(paths, base, context) ?? [];
  });
}

const maxDepth = 8;
const maxItems = 50;

/** The first document of the first of these files that exists; null if none does. */
function readFirst(paths: readonly string[], base: LineIndex, { files, outside }: TaskContext): Tree | null {
  for (const path of paths) {
    const file = files.read(path, base, 'included');
    if ('problem' in file) continue;
    const root = readYaml(file)[0]?.root ?? null;
    // An encrypted file is one text.
    outside.isOpen ||= (root?.text?.text ?? '') !== '';
    return root;
  }
  return null;
}

/** The variables of a file that is named: one that is not read may set any. */
function included(paths: readonly string[], base: LineIndex, context: TaskContext): Tree | null {
  const tree = readFirst(paths, base, context);
  context.outside.isOpen ||= tree === null && paths.every(isKnown);
  return tree;
}

/** `main.yml` of a folder. */
function mainOf(folder: string): string[] {
  return [`${folder}/main.yml`, `${folder}/main.yaml`];
}

/** What these tasks of a role do, or its `main.yml` and its handlers. `base` is a file of its folder. */
function actionsOfRole(base: LineIndex, here: Here, context: TaskContext, tasks: Tree | null) {
  const defaults = readFirst(mainOf('defaults'), base, context);
  const own = readFirst(mainOf('vars'), base, context);
  const variables = here.variables.or(defaults).with(own, ...(here.parameters ?? []));
  const inRole = { ...here, base, variables, depth: here.depth + 1 };
  const mains = () => ['tasks', 'handlers'].map((folder) => readFirst(mainOf(folder), base, context));
  return (tasks === null ? mains() : [tasks]).flatMap((list) => actionsOf(list, inRole, context));
}

/** What a list of tasks does, in order. */
function actionsOf(list: Tree | null, here: Here, context: TaskContext): Action[] {
  if (list === null) return [];
  if (here.depth > maxDepth) {
    const reason = `tasks include each other more than ${maxDepth} deep`;
    context.files.miss({ name: null, decides: 'settings', reason });
    return [];
  }
  const actions: Action[] = [];
  let { variables } = here;
  for (const task of list.items) {
    context.steps.count(10);
    const own = task.get('vars');
    const inTask = variables.with(own);
    const when = conditionOf(task, inTask, here.when);
    if (when === false) continue;
    const runs = itemsOf(task, inTask, context).map((items) => ({ ...here, variables: items, when }));
    actions.push(...runs.flatMap((one) => actionsOfTask(task, one, context)));
    for (const { key, value } of task.entries) {
      const name = shortName(key.text);
      if (name === 'set_fact' && value !== null) setFacts(value, when, inTask, context);
      const path = name === 'include_vars' ? (value?.text ?? value?.get('file')?.text)?.text : undefined;
      if (path !== undefined)
        variables = variables.with(included([`vars/${path}`, path], here.base, context));
    }
  }
  return actions;
}

/** Sets facts; under a condition that is not known, only in the reading in which it holds. */
function setFacts(facts: Tree, when: Placed | null, variables: Variables, context: TaskContext): void {
  if (when !== null) context.undecided.push(when.as(`not ${when.text}`));
  if (when !== null && !context.holds) return;
  const entries = facts.entries.map(({ key, value }) => ({ key, value: resolve(value, variables) }));
  context.outside.facts.push(mapTree(facts.at, entries));
}

function actionsOfTask(task: Tree, here: Here, context: TaskContext): Action[] {
  const environment = environmentOf(task, here);
  const defaults = [...(task.get('module_defaults')?.entries ?? []), ...here.defaults];
  const inner = { ...here, environment, defaults, depth: here.depth + 1 };
  const blocks = ['block', 'rescue', 'always'].flatMap((name) => task.get(name) ?? []);
  if (blocks.length > 0) return blocks.flatMap((list) => actionsOf(list, inner, context));
  for (const { key, value } of task.entries) {
    const name = shortName(key.text);
    const args = new Arguments(value, [task.get('args'), ...defaultsFor(name, defaults)], here, context);
    if (/^(?:include|import)_tasks$|^include$/.test(name)) return actionsOfFile(args, inner, context);
    if (/^(?:include|import)_role$/.test(name)) return actionsOfRoleNamed(args.text('name'), inner, context);
    context.origins.push(originOf(name, args));
    const does = Object.hasOwn(modules, name) ? modules[name] : undefined;
    if (does !== undefined)
      return does(args, key).map((action) => ({ ...action, when: here.when, environment }));
  }
  return [];
}

/** The variables that a play, a block or a task sets for its commands, over those around it. */
function environmentOf(tree: Tree, { variables, environment }: Pick<Here, 'variables' | 'environment'>) {
  const given = resolve(tree.get('environment'), variables);
  const map = new Map(environment);
  for (const one of given?.isList === true ? given.items : [given]) {
    const own = resolve(one, variables);
    if (own?.text != null) map.set(otherVariables, setBy(own.text.as('environment')));
    for (const { key, value } of own?.entries ?? []) {
      const text = resolve(value, variables)?.text ?? key.as('');
      map.set(key.text, { value: text, at: text.span(), indeterminate: null });
    }
  }
  return map;
}

/** What defaults give a module: under its own name, and under those of its groups. */
function defaultsFor(module: string, defaults: Tree['entries']): (Tree | null)[] {
  const own = defaults.find(({ key }) => shortName(key.text) === module);
  const groups = defaults.filter(({ key: { text } }) =>
    module.startsWith(/^group\/(?:[\w.]*\.)?(\w+)$/.exec(text)?.[1] ?? ' '),
  );
  return [own, ...groups].map((one) => one?.value ?? null);
}

function actionsOfFile(args: Arguments, here: Here, context: TaskContext): Action[] {
  const path = args.text('file', '_raw');
  if (path === null) return [];
  const paths = path.text.includes(unfilled) ? [] : [`tasks/${path.text}`, path.text];
  const list = readFirst(paths, here.base, context);
  const reason = `${path.text.replaceAll(unfilled, '…')}, which tasks include, is not among the files`;
  if (list === null) missing(path, reason, context);
  return actionsOf(list, here, context);
}

/** A role by its name: in `roles/` beside the playbook, or beside the role that includes it. */
function actionsOfRoleNamed(name: Placed | null, here: Here, context: TaskContext): Action[] {
  if (name === null) return [];
  const folder = dirname(here.base.file);
  // The last is that of a test in the role itself.
  for (const place of ['roles', '../roles', '..', '../..']) {
    const base = new LineIndex(join(folder, place, name.text, 'x'), '');
    if (readFirst(mainOf('tasks'), base, context) !== null) return actionsOfRole(base, here, context, null);
  }
  if (context.kinds.some(({ signs }) => signs.name.test(name.text))) {
    const reason = `the role ${name.text} is not among the files`;
    context.files.unfollowed({ name: basename(name.text), at: name.span(), reason });
  }
  return [];
}

function missing(at: Placed, reason: string, { files }: TaskContext): void {
  files.miss({ name: at.text, decides: 'settings', reason });
}

/** The condition of a task that cannot be decided; null if there is none, false if it does not hold. */
function conditionOf(task: Tree, variables: Variables, above: Placed | null): Placed | null | false {
  const given = task.get('when');
  const conditions = (given?.isList === true ? given.items : [given]).flatMap((one) => one?.text ?? []);
  const decided = conditions.map((one) => holds(one, variables));
  if (decided.includes(false)) return false;
  const [first, ...others] = [above, ...conditions.filter((_, at) => decided[at] === null)].filter(
    (one) => one !== null,
  );
  if (first === undefined) return null;
  return Placed.join([first, ...others], ' and ');
}

/** The variables of each item of a loop; of a loop that cannot be known, of one unknown item. */
function itemsOf(task: Tree, variables: Variables, context: TaskContext): Variables[] {
  const loop = task.entries.find(({ key }) => /^(?:loop|with_\w+)$/.test(key.text));
  if (loop === undefined) return [variables];
  const name = task.path('loop_control', 'loop_var')?.text?.text ?? 'item';
  const isPlain = /^(?:loop|with_items|with_list)$/.test(loop.key.text);
  const list = isPlain ? resolve(loop.value, variables) : null;
  const items = list?.isList === true ? list.items : [textTree(loop.key.as(unfilled))];
  if (items.length > maxItems)
    missing(loop.key, `a loop has more than ${maxItems} items, of which the first are judged`, context);
  return items.slice(0, maxItems).map((item) => variables.with(mapOf(loop.key, { [name]: item })));
}
