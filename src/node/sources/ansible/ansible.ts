/** Reads playbooks and tasks of Ansible with the defaults that are beside them. */
import { basename, dirname, join, posix } from 'node:path';
import { callsOf, placesOf, valuesOf } from '../calls/calls.js';
import type { Files } from '../launch/files.js';
import type { Context, Launches } from '../launch/launch.js';
import type { Action } from '../script/followed.js';
import { launchesOnMachine } from '../script/script.js';
import { LineIndex } from '../text/line-index.js';
import { type Placed, PlacedIndex } from '../text/placed.js';
import { pairOf, wordsOf } from '../text/words.js';
import { mapTree, textTree } from '../yaml/composed.js';
import { readYaml } from '../yaml/document.js';
import type { Tree } from '../yaml/tree.js';
import { resolve, Variables } from './expression.js';
import type { Here, TaskContext } from './modules.js';
import { actionsOf, actionsOfRole, actionsOfRoleNamed, mainOf, readFirst } from './tasks.js';

/**
 * A playbook, or the tasks of a role, with the variables of each command of the folder that runs it.
 * https://docs.ansible.com/ansible/latest/playbook_guide/playbooks_variables.html#understanding-variable-precedence
 */
export function readAnsible(masked: LineIndex, given: Context): Launches {
  const file = given.written ?? masked;
  const [document] = readYaml(file);
  const items = document?.root?.items ?? [];
  const plays = items.filter((one) => one.get('hosts') !== null);
  const targets = plays.length > 0 ? plays : [null];
  const runs = [{ extra: null, by: null }, ...extrasOf(file, given.files)];
  const launches = targets.flatMap((play) =>
    runs.flatMap(({ extra, by }) => {
      const scope = given.files.scope();
      const origins: string[] = [];
      const outside = { extra, given: (name: string, at: Placed) => scope.outside(name, at) };
      const context = { ...given, files: scope, origins, outside };
      const actions =
        play === null
          ? actionsOfTasks(file, document?.root ?? null, context)
          : actionsOfPlay(play, file, context);
      const own = plays.length > 1 ? (play?.get('hosts')?.text?.text ?? null) : null;
      const name = by === null ? own : [own, `with ${by}`].filter((one) => one !== null).join(' ');
      return launchesOnMachine(file, given, { name, origins, actions }, scope);
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
    const given = valuesOf(call.words, /^(?:-e|--extra-vars)$/);
    if (at === undefined || given.length === 0) return [];
    files.heard(call.by.file);
    const trees = given.flatMap((value) => {
      if (!value.text.startsWith('@')) return extraIn(value) ?? [];
      const place = placesOf(call, value.text.slice(1))[at];
      const read =
        place && files.peek(posix.relative(posix.dirname(place.from.file), place.path), place.from);
      if (read === undefined || 'problem' in read) return [];
      files.use(read, 'environment');
      files.heard(read.file);
      return readYaml(read)[0]?.root ?? [];
    });
    const entries = trees.flatMap((tree) => tree.entries);
    return [
      { extra: mapTree(call.by.span({ start: 0, end: 0 }), entries), by: posix.basename(call.by.file) },
    ];
  });
}

/** `name=value other=value`, or a map in YAML or JSON. */
function extraIn(value: Placed): Tree | null {
  if (/^\s*\{/.test(value.text)) return readYaml(new PlacedIndex(value))[0]?.root ?? null;
  const pairs = wordsOf(value).map(pairOf);
  return mapTree(
    value.span(),
    pairs.map(([name, text]) => ({ key: value.as(name), value: text === null ? null : textTree(text) })),
  );
}

function actionsOfTasks(file: LineIndex, list: Tree | null, context: TaskContext): Action[] {
  const isInRole = /^(?:tasks|handlers)$/.test(basename(dirname(file.file)));
  const base = isInRole ? new LineIndex(join(dirname(dirname(file.file)), 'x'), '') : file;
  const all = groupVariables('all', ['../..', '../../inventory'], base, context);
  const variables = new Variables(context.steps, all, context.outside);
  const here: Here = { base, variables, when: null, depth: 0 };
  const isMain = file.file.endsWith('tasks/main.yml') || file.file.endsWith('tasks/main.yaml');
  return isInRole ? actionsOfRole(base, here, context, isMain ? null : list) : actionsOf(list, here, context);
}

function actionsOfPlay(play: Tree, base: LineIndex, context: TaskContext): Action[] {
  const group = play.get('hosts')?.text?.text ?? 'all';
  const folders = ['.', 'inventory', '..', '../inventory'];
  const isGroup = /^\w+$/.test(group) && group !== 'all';
  const ofGroups = [
    ...groupVariables('all', folders, base, context),
    ...(isGroup ? groupVariables(group, folders, base, context) : []),
  ];
  const variables = new Variables(context.steps, ofGroups, context.outside).with(
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

function groupVariables(group: string, folders: readonly string[], base: LineIndex, context: TaskContext) {
  const names = [`${group}.yml`, `${group}.yaml`, group, ...mainOf(group), `${group}/vars.yml`];
  return folders.flatMap((folder) => {
    const paths = names.map((name) => `${folder}/group_vars/${name}`);
    return readFirst(paths, base, context) ?? [];
  });
}
