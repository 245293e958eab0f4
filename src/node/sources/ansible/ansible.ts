/** Reads playbooks and tasks of Ansible with the defaults that are beside them. */
import { basename, dirname, join } from 'node:path';
import type { Scope } from '../launch/files.js';
import type { Context, Launches } from '../launch/launch.js';
import type { Action } from '../script/followed.js';
import { launchesOnMachine } from '../script/script.js';
import { LineIndex } from '../text/line-index.js';
import { readYaml } from '../yaml/document.js';
import type { Tree } from '../yaml/tree.js';
import { resolve, Variables } from './expression.js';
import type { Here, TaskContext } from './modules.js';
import { actionsOf, actionsOfRole, actionsOfRoleNamed, mainOf, readFirst } from './tasks.js';

/** A playbook, or the tasks of a role. What an inventory sets elsewhere is not known: the defaults are read. */
export function readAnsible(masked: LineIndex, given: Context): Launches {
  const file = given.written ?? masked;
  const [document] = readYaml(file);
  const items = document?.root?.items ?? [];
  const plays = items.filter((one) => one.get('hosts') !== null);
  const targets = plays.length > 0 ? plays : [null];
  const launches = targets.flatMap((play) => {
    const scope = given.files.scope();
    const origins: string[] = [];
    const context = { ...given, files: scope, origins };
    const actions =
      play === null
        ? actionsOfTasks(file, document?.root ?? null, context)
        : actionsOfPlay(play, file, context);
    tellInventory(file, scope);
    const name = plays.length > 1 ? (play?.get('hosts')?.text?.text ?? null) : null;
    return launchesOnMachine(file, given, { name, origins, actions }, scope);
  });
  const problems = document?.problem == null ? [] : [document.problem];
  const note = `${file.file}: the inventory may override the defaults, which are judged`;
  return { launches, problems, notes: launches.length === 0 ? [] : [note], rendered: file.text };
}

function actionsOfTasks(file: LineIndex, list: Tree | null, context: TaskContext): Action[] {
  const isInRole = /^(?:tasks|handlers)$/.test(basename(dirname(file.file)));
  const base = isInRole ? new LineIndex(join(dirname(dirname(file.file)), 'x'), '') : file;
  const all = groupVariables('all', ['../..', '../../inventory'], base, context);
  const variables = new Variables(context.steps, all);
  const here: Here = { base, variables, when: null, depth: 0 };
  const isMain = file.file.endsWith('tasks/main.yml') || file.file.endsWith('tasks/main.yaml');
  return isInRole ? actionsOfRole(base, here, context, isMain ? null : list) : actionsOf(list, here, context);
}

function actionsOfPlay(play: Tree, base: LineIndex, context: TaskContext): Action[] {
  const group = play.get('hosts')?.text?.text ?? 'all';
  const folders = ['.', 'inventory', '..', '../inventory'];
  const isGroup = /^\w+$/.test(group) && group !== 'all';
  const variables = new Variables(context.steps, groupVariables('all', folders, base, context)).with(
    ...(isGroup ? groupVariables(group, folders, base, context) : []),
    play.get('vars'),
    ...(play.get('vars_files')?.items ?? []).map(({ text }) =>
      text === null ? null : readFirst([text.text], base, context),
    ),
  );
  const here: Here = { base, variables, when: null, depth: 0 };
  const listed = (name: string) => actionsOf(play.get(name), here, context);
  const roles = (play.get('roles')?.items ?? []).flatMap((role) => {
    const name = role.text ?? resolve(role.get('role') ?? role.get('name'), variables)?.text ?? null;
    const parameters = role.isMap ? [role, role.get('vars')].filter((one) => one !== null) : [];
    return actionsOfRoleNamed(name, { ...here, parameters }, context);
  });
  return [
    ...listed('pre_tasks'),
    ...roles,
    ...listed('tasks'),
    ...listed('post_tasks'),
    ...listed('handlers'),
  ];
}

const besidePlay = ['.', 'inventory', 'inventories', '..', '../inventory', '../..', '../../inventory'];

/** What an inventory sets for single hosts overrides everything that is read here. */
function tellInventory(base: LineIndex, files: Scope): void {
  for (const folder of besidePlay)
    for (const [name, sets] of inventories) {
      const path = join(folder, name);
      const file = files.peek(path, base);
      if ('problem' in file ? file.isFolder !== true || name !== 'host_vars' : !sets.test(file.text))
        continue;
      const reason = `${join(dirname(base.file), path)} may override the defaults for a host: add --check --diff to ansible-playbook, and pass the files that it writes`;
      files.miss({ name: path, decides: 'settings', reason });
    }
}

/** Inventories that set a variable which is not Ansible's own. */
const inIni = /^[^#;\n]*(?<![\w.])(?!ansible_)[a-z]\w*[ \t]*=/m;
const inYaml = /^[ \t]+["']?(?!ansible_|hosts\b|children\b|vars\b)[a-z]\w*["']?:[ \t]+[^\s{#]/m;
const inventories = [
  ['host_vars', /(?!)/],
  ...['hosts', 'hosts.ini', 'inventory', 'inventory.ini'].map((name) => [name, inIni] as const),
  ...['hosts.yml', 'hosts.yaml', 'inventory.yml', 'inventory.yaml'].map((name) => [name, inYaml] as const),
] as const;

function groupVariables(group: string, folders: readonly string[], base: LineIndex, context: TaskContext) {
  const names = [`${group}.yml`, `${group}.yaml`, group, ...mainOf(group), `${group}/vars.yml`];
  return folders.flatMap((folder) => {
    const paths = names.map((name) => `${folder}/group_vars/${name}`);
    return readFirst(paths, base, context) ?? [];
  });
}
