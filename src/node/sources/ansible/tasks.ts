/** What the tasks of Ansible do on a machine: files that they write, commands and containers that they run. */
import { basename, dirname, join } from 'node:path';
import type { Action } from '../script/followed.js';
import { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { mapTree, textTree } from '../yaml/composed.js';
import { readYaml } from '../yaml/document.js';
import type { Tree } from '../yaml/tree.js';
import { holds, resolve, type Variables } from './expression.js';
import { Arguments, type Here, modules, originOf, shortName, type TaskContext } from './modules.js';

const maxDepth = 8;
const maxItems = 50;

/** The first document of the first of these files that exists; null: none does. */
export function readFirst(paths: readonly string[], base: LineIndex, { files }: TaskContext): Tree | null {
  for (const path of paths) {
    const file = files.read(path, base, 'included');
    if (!('problem' in file)) return readYaml(file)[0]?.root ?? null;
  }
  return null;
}

/** `main.yml` of a folder. */
export function mainOf(folder: string): string[] {
  return [`${folder}/main.yml`, `${folder}/main.yaml`];
}

/** What these tasks of a role do, or its `main.yml` and its handlers. `base` is a file of its folder. */
export function actionsOfRole(base: LineIndex, here: Here, context: TaskContext, tasks: Tree | null) {
  const defaults = readFirst(mainOf('defaults'), base, context);
  const own = readFirst(mainOf('vars'), base, context);
  const variables = here.variables.or(defaults).with(own, ...(here.parameters ?? []));
  const inRole = { ...here, base, variables, depth: here.depth + 1 };
  const lists =
    tasks === null
      ? ['tasks', 'handlers'].map((folder) => readFirst(mainOf(folder), base, context))
      : [tasks];
  return lists.flatMap((list) => actionsOf(list, inRole, context));
}

/** What a list of tasks does, in order. */
export function actionsOf(list: Tree | null, here: Here, context: TaskContext): Action[] {
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
    actions.push(
      ...itemsOf(task, inTask, context).flatMap((items) =>
        actionsOfTask(task, { ...here, variables: items, when }, context),
      ),
    );
    const set = task.entries.find(({ key }) => shortName(key.text) === 'set_fact')?.value;
    if (set != null) variables = variables.with(set);
  }
  return actions;
}

function actionsOfTask(task: Tree, here: Here, context: TaskContext): Action[] {
  const inner = { ...here, depth: here.depth + 1 };
  const blocks = ['block', 'rescue', 'always'].flatMap((name) => task.get(name) ?? []);
  if (blocks.length > 0) return blocks.flatMap((list) => actionsOf(list, inner, context));
  for (const { key, value } of task.entries) {
    const name = shortName(key.text);
    const args = new Arguments(value, task.get('args'), here, context);
    if (/^(?:include|import)_tasks$|^include$/.test(name)) return actionsOfFile(args, inner, context);
    if (/^(?:include|import)_role$/.test(name)) return actionsOfRoleNamed(args.text('name'), inner, context);
    context.origins.push(originOf(name, args));
    const does = Object.hasOwn(modules, name) ? modules[name] : undefined;
    if (does !== undefined) return does(args, key).map((action) => ({ ...action, when: here.when }));
  }
  return [];
}

function actionsOfFile(args: Arguments, here: Here, context: TaskContext): Action[] {
  const path = args.text('file', '_raw');
  if (path === null) return [];
  const list = path.text.includes(unfilled)
    ? null
    : readFirst([`tasks/${path.text}`, path.text], here.base, context);
  if (list === null)
    missing(
      path,
      `${path.text.replaceAll(unfilled, '…')}, which tasks include, is not among the files`,
      context,
    );
  return actionsOf(list, here, context);
}

/** A role by its name: in `roles/` beside the playbook, or beside the role that includes it. */
export function actionsOfRoleNamed(name: Placed | null, here: Here, context: TaskContext): Action[] {
  if (name === null) return [];
  const folder = dirname(here.base.file);
  // The last is that of a test in the role itself.
  for (const path of [
    `roles/${name.text}`,
    `../roles/${name.text}`,
    `../${name.text}`,
    `../../${name.text}`,
  ]) {
    const base = new LineIndex(join(folder, path, 'x'), '');
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

/** The condition of a task that cannot be decided; null: none, false: it does not hold. */
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
  return items
    .slice(0, maxItems)
    .map((item) => variables.with(mapTree(loop.key.span(), [{ key: loop.key.as(name), value: item }])));
}
