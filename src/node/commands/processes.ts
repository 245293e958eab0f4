/** Node processes of this machine as targets, each with the conf that its launcher reads. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import type { ProcessFacts } from '../facts/live.js';
import { seen } from '../facts/seen.js';
import { selectScripted, starterOfProcess } from '../kinds/find.js';
import { valueIn } from '../kinds/flags.js';
import { kinds, programs } from '../kinds/index.js';
import { withKind } from '../kinds/node.js';
import {
  confEndpoints,
  confMetrics,
  lastingPath,
  type Machine,
  machineOf,
  pathInside,
  processOf,
  programOf,
} from '../probe/index.js';
import { openConf, type ReadTarget, readConfOptions } from './conf-options.js';
import type { ConfOptions } from './options/shared.js';
import { unjudgedProcesses } from './unjudged-processes.js';

/** The machine that a command runs on. */
export function machineOfHost({ proc = '/proc', platform }: Host): Machine {
  return machineOf({ proc, platform, kinds });
}

/** The targets that need no process table. */
const otherTargets =
  'Name an endpoint (http://127.0.0.1:8551), a socket (ipc:/var/kend/data/klay.ipc), a conf file or --inventory.';

/**
 * Every visible node process of this machine.
 * @throws {KaiactlError} when the processes cannot be read, or there is none unless `mayBeNone` (exit 2)
 */
export async function runningTargets(
  options: ConfOptions,
  machine: Machine,
  host: Host,
  { mayBeNone = false } = {},
): Promise<ReadTarget[]> {
  const running = machine.running();
  if (running.state !== 'seen')
    throw new KaiactlError(`cannot look for nodes on this machine: ${running.detail}`, {
      hint: otherTargets,
    });
  const { nodes, others, hidden, unreadPrograms } = running.value;
  if (nodes.length + others.length === 0 && hidden === null && !mayBeNone) {
    const unread = `${count(unreadPrograms, 'program')} of other users could not be read: a renamed node is not found; run as root`;
    throw new KaiactlError('no node was found on this machine', {
      notes: [
        `looked through the processes in ${machine.place.proc}: no process runs one of: ${programs.join(' ')}`,
        ...(unreadPrograms === 0 ? [] : [unread]),
      ],
      hint: nameOne,
    });
  }
  const targets = await Promise.all(nodes.map((node) => targetOf(node, options, host)));
  const base = { name: unseenProcesses, role: null, conf: null, endpoints: [], metrics: [] };
  // Any of the processes that could not be seen may be a node.
  const unseen = hidden === null ? [] : [{ ...base, open: { unseen: hidden } }];
  return [...targets, ...unjudgedProcesses(machine).targets, ...unseen];
}

const nameOne =
  'Name one: an endpoint (http://127.0.0.1:8551), a socket (ipc:/var/kend/data/klay.ipc), a conf file, pid:<n>, or --inventory.';

/** An audit of this machine that judged nothing: its clients are only named, or its processes are hidden. */
export function noNodeJudged(): KaiactlError {
  return new KaiactlError('no node of this machine was judged', { hint: nameOne });
}

/** The target that is reported in place of processes that could not be seen. */
export const unseenProcesses = 'this machine';

/** The node process with this pid. @throws {KaiactlError} when it does not exist or is another program (exit 2) */
export async function processTarget(
  pid: number,
  options: ConfOptions,
  machine: Machine,
  host: Host,
): Promise<ReadTarget> {
  const running = machine.processes();
  const known = running.state === 'seen' ? running.value.find((one) => one.pid === pid) : undefined;
  const node = known === undefined ? processOf(pid, machine.place) : seen(known);
  if (node.state !== 'seen')
    throw new KaiactlError(node.detail, {
      hint: node.code === 'not-applicable' ? otherTargets : 'List them with kaiactl node audit.',
    });
  if (launcherOf(node.value) === null) throw noNode(pid, node.value);
  return await targetOf(node.value, options, host);
}

/** A program that cannot be read may be a renamed node. */
function noNode(pid: number, { argv, build }: ProcessFacts): KaiactlError {
  const isUnread = build?.state === 'not-seen' && build.code !== 'not-applicable';
  const known = isUnread ? 'not a node by its name' : 'not a node';
  return new KaiactlError(`process ${pid} is ${visible(programOf(argv), 60)}, ${known}`, {
    notes: isUnread ? [`its program, which would tell, was not read: ${build.detail}`] : [],
    hint: isUnread
      ? 'Run kaiactl as root or as the user of the process.'
      : `A node is one of: ${programs.join(' ')}.`,
  });
}

/** `2 nodes on this machine: /etc/kend/conf/kend.conf (ken, pid 4711), ken in chain/en (pid 902)`. */
export function foundLine(targets: readonly ReadTarget[]): string {
  const names = targets.flatMap(({ name, process: node }) => {
    if (node === undefined) return [];
    const program = visible(programOf(node.argv), 60);
    const known = name.startsWith(program) ? '' : `${program}, `;
    return [`${visible(name)} (${known}pid ${node.pid})`];
  });
  const isHidden = targets.some(({ open }) => open?.unseen !== undefined);
  const found = `${count(names.length, 'node')} on this machine${isHidden ? ', as far as its processes can be seen' : ''}`;
  return names.length === 0 ? `${found}\n` : `${found}: ${names.join(', ')}\n`;
}

async function targetOf(node: ProcessFacts, options: ConfOptions, host: Host): Promise<ReadTarget> {
  const found = confBeside(node);
  const opened = found === null ? { conf: null } : await read(node, found, options, host);
  const { conf } = opened;
  const name = found === null ? (node.name ?? `pid:${node.pid}`) : lastingPath(node, found.path);
  const base = { name, role: null, ...opened, process: node };
  if (conf?.state !== 'seen') return { ...base, conf: null, endpoints: [], metrics: [] };
  const settings = withKind(kinds, conf.value.settings);
  return {
    ...base,
    endpoints: confEndpoints(settings, node.root === '' ? [] : ['ipc']),
    metrics: confMetrics(settings),
  };
}

interface FoundConf {
  readonly path: string;
  readonly launcher: string;
  readonly package: string;
}

/** The conf that its launcher reads: beside the launcher in the tar layout, below /etc for RPM. */
function confBeside(node: ProcessFacts): FoundConf | null {
  const launcher = launcherOf(node);
  if (launcher === null) return null;
  const script = launcherPath(node);
  const folders = [
    ...(script === null || !script.startsWith('/') ? [] : [normalize(join(dirname(script), '..', 'conf'))]),
    `/etc/${launcher}/conf`,
  ];
  for (const folder of folders) {
    const path = pathInside(node.root, join(folder, `${launcher}.conf`));
    if (path !== null && existsSync(path))
      return { path, launcher, package: folder.startsWith('/etc/') ? 'rpm' : 'tar' };
  }
  return null;
}

/** The launcher that starts the program, or the program itself; null if the program is not a node. */
function launcherOf(node: ProcessFacts): string | null {
  const starter = starterOfProcess(kinds, node);
  const named = basename(launcherPath(node) ?? '');
  return starter?.kind.launchers?.names.find((one) => one === named) ?? starter?.launcher ?? null;
}

/** The launcher script: `start` passes its path in a flag; for `start-docker` it is beside the program. */
function launcherPath({ argv }: Pick<ProcessFacts, 'argv'>): string | null {
  const flags = selectScripted(kinds).map(({ launchers }) => launchers.pathFlag);
  return valueIn(argv, flags) ?? argv[0] ?? null;
}

function read(
  node: ProcessFacts,
  { path, launcher, package: from }: FoundConf,
  options: ConfOptions,
  host: Host,
): ReturnType<typeof openConf> {
  const how = readConfOptions(options, kinds);
  const known = { launcher: how.launcher ?? launcher, package: how.package ?? from };
  return openConf(path, { ...how, ...known, shownAs: lastingPath(node, path) }, host);
}
