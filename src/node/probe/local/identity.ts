/** What a restart of a node keeps: its program, data folder, unit, container and user, and the name made of them. */
import { statSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { tryOr } from '../../../util/try-or.js';
import { visible } from '../../../util/visible.js';
import type { ProcessFacts } from '../../facts/live.js';
import { seenValue } from '../../facts/seen.js';
import { starterOfProcess } from '../../kinds/find.js';
import { valueIn } from '../../kinds/flags.js';
import type { Kind, KindWords } from '../../kinds/kind.js';
import { readText, userOf } from './proc.js';

const maxBytes = 1 << 20;

/** Who runs a process: its user, its unit of systemd and its container. */
export function keeperOf(
  folder: string,
  { root, container }: Pick<ProcessFacts, 'root' | 'container'>,
): Pick<ProcessFacts, 'user' | 'unit' | 'containerName'> {
  return {
    user: userName(userOf(folder)),
    unit: unitOf(readCapped(join(folder, 'cgroup'))),
    containerName: root === '' ? null : containerName(folder, root, container),
  };
}

function userName(id: string | null): string | null {
  const line = readCapped('/etc/passwd')
    .split('\n')
    .find((one) => one.split(':')[2] === id);
  return line?.split(':')[0] ?? id;
}

/** The innermost service of a control group; null for a session, and for the manager of a user's services. */
function unitOf(groups: string): string | null {
  const units = groups.match(/[^/\n]+\.service(?=\/|$)/gm) ?? [];
  const unit = units.at(-1);
  return unit === undefined || /^user@\d+\.service$/.test(unit) ? null : unit.replaceAll('\\x2d', '-');
}

/**
 * The compose project and service, its name in Docker, or its configured host name. Docker keeps the first
 * two in config.v2.json, beside the files that it mounts into the container (moby, container/container.go, ToDisk).
 */
function containerName(folder: string, root: string, id: string | null): string | null {
  const [, beside] =
    /\s(\/\S*\/containers\/[0-9a-f]{64})\/(?:hostname|hosts|resolv\.conf)\s/.exec(
      readCapped(join(folder, 'mountinfo')),
    ) ?? [];
  const { Name: name, Config: config } = beside === undefined ? {} : docker(join(beside, 'config.v2.json'));
  const labels = config?.Labels ?? {};
  const [project, service, number] = ['project', 'service', 'container-number'].map(
    (label) => labels[`com.docker.compose.${label}`],
  );
  if (project !== undefined && service !== undefined)
    return `${project}/${service}${number === undefined || number === '1' ? '' : `-${number}`}`;
  if (typeof name === 'string') return name.replace(/^\//, '');
  if (id === null) return null;
  const host = readCapped(join(root, 'etc', 'hostname')).trim();
  return host === '' || id.startsWith(host) ? null : host;
}

interface DockerConfig {
  readonly Name?: string;
  readonly Config?: { readonly Labels?: Readonly<Record<string, string>> | null };
}

function docker(file: string): DockerConfig {
  return tryOr(() => JSON.parse(readCapped(file)) as DockerConfig, {});
}

function readCapped(path: string): string {
  return readText(path, maxBytes, 'utf8');
}

/** The data folder that its arguments or its environment name; null if neither does. */
export function dataFolderOf(
  { flags }: KindWords,
  { argv, environment }: Pick<ProcessFacts, 'argv' | 'environment'>,
): string | null {
  const flag = flags.dataFolder ?? '';
  const { aliases = [], environment: variables = [] } = flags.ofAnyRelease(flag) ?? {};
  const given = seenValue(environment) ?? {};
  const variable = variables.find((name) => given[name] !== undefined) ?? '';
  return valueIn(argv, [flag, ...aliases]) ?? given[variable] ?? null;
}

/**
 * The nodes with their names: the container, else the program with its data folder, its unit or its user. Nodes that share
 * one are told apart by user and container id, last by their order.
 */
export function withNames(kinds: readonly Kind[], nodes: readonly ProcessFacts[]): ProcessFacts[] {
  const parts = nodes.map((node) => [nameProcess(kinds, node), node.user ?? '', node.container ?? '']);
  return nodes.map((node, at) => {
    const [name = '', ...telling] = parts[at] ?? [];
    const rivals = parts.filter((other, index) => index !== at && other[0] === name);
    if (rivals.length === 0) return { ...node, name };
    const marks = telling.filter((mark, index) => rivals.some((other) => other[index + 1] !== mark));
    const same = parts.slice(0, at).filter((other) => other.join('\0') === parts[at]?.join('\0')).length;
    const all = [...marks.filter((mark) => mark !== ''), ...(same === 0 ? [] : [`${same + 1}`])];
    return { ...node, name: all.length === 0 ? name : `${name} (${all.join(', ')})` };
  });
}

function nameProcess(kinds: readonly Kind[], node: ProcessFacts): string {
  const program = visible((node.argv[0] ?? '').replace(/^.*\//, ''), 60);
  if (node.containerName != null) return `${program} in ${visible(node.containerName, 200)}`;
  const starter = starterOfProcess(kinds, node);
  const folder = starter === null ? null : dataFolderOf(starter.kind, node);
  if (folder === null) {
    const keeper = node.unit ?? (node.user == null ? null : `user ${node.user}`);
    return keeper === null ? program : `${program} of ${visible(keeper, 200)}`;
  }
  const own = seenValue(node.folder);
  return `${program} ${visible(isAbsolute(folder) || own === null ? folder : normalize(join(own, folder)), 400)}`;
}

/** A path of a process as a restart keeps it: of this machine, or `container:/path` as `docker cp` has it. */
export function lastingPath(node: ProcessFacts, path: string): string {
  if (node.root === '' || !path.startsWith(`${node.root}/`)) return path;
  const inside = path.slice(node.root.length);
  if (isSameFile(path, inside)) return inside;
  return `${node.containerName ?? node.container ?? node.name ?? `pid ${node.pid}`}:${inside}`;
}

/** Whether the process has a file of this machine at the same place, as in a unit with a mount namespace. */
function isSameFile(path: string, other: string): boolean {
  try {
    const [a, b] = [statSync(path, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
