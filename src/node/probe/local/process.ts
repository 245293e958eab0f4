/** Node processes on this machine: their arguments, environment and sockets. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { once } from '../../../util/once.js';
import { redactWords } from '../../../util/redact.js';
import type { Names, ProcessFacts, Socket } from '../../facts/live.js';
import { notSeen, type Seen, seen, seenValue } from '../../facts/seen.js';
import { starterOfProcess } from '../../kinds/find.js';
import { valueIn } from '../../kinds/flags.js';
import type { Kind } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import { accepts } from './bind.js';
import { buildInfoOf, type KnownBuilds } from './build-info.js';
import { surroundingsOf } from './namespace.js';
import { readLink, readPids, readStart, readWords } from './proc.js';
import { type Forward, forwardsOf, publishedPorts } from './published.js';
import { type Place, socketsOf, socketsOfUser } from './sockets.js';

/** Where node processes are looked for. */
export interface NodePlace extends Place {
  /** The kinds of node whose programs and environment variables are read. */
  readonly kinds: readonly Kind[];
}

const maxArguments = 1_000;
const maxProcesses = 50_000;
const maxBytes = 1 << 20;

const linuxOnly = notSeen('not-applicable', 'the process table is read on Linux only');

/** Every process that runs a node, by ascending pid; `not-applicable` except on Linux. */
export function nodeProcesses(place: NodePlace): Seen<ProcessFacts[]> {
  if (place.platform !== 'linux') return linuxOnly;
  const pids = readPids(place.proc, maxProcesses);
  if (pids.state !== 'seen') return pids;
  const known: KnownBuilds = new Map();
  const forwards = once(() => forwardsOf(place));
  return seen(
    pids.value
      .flatMap((pid) => programOfPid(pid, place, known))
      .filter((one) => starterOfProcess(place.kinds, one) !== null)
      .map((one) => readProcess(one, place, forwards)),
  );
}

/** The process with this pid; `not-found` when there is none, `not-applicable` except on Linux. */
export function processOf(pid: number, place: NodePlace): Seen<ProcessFacts> {
  if (place.platform !== 'linux') return linuxOnly;
  const [program] = programOfPid(pid, place, new Map());
  return program === undefined
    ? notSeen('not-found', `no process ${pid} can be read on this machine`)
    : seen(readProcess(program, place, () => forwardsOf(place)));
}

/**
 * The process that a conf's launcher started: by the launcher's pid file DATA_DIR/<launcher>.pid, else by the flag
 * or variable of its data folder.
 * Prefers a process with kaiactl's root folder: a container's data folder may have the same path.
 */
export function findProcess(
  settings: NodeSettings,
  nodes: Seen<readonly ProcessFacts[]>,
): Seen<ProcessFacts> {
  const { nodeKind, values, keys } = settings;
  const flag = nodeKind.flags.dataFolder ?? '';
  const folder = values[flag]?.value ?? keys[flag]?.value ?? null;
  if (typeof folder !== 'string' || folder === '')
    return notSeen('not-applicable', 'the conf names no data folder, which identifies the process');
  if (nodes.state !== 'seen') return nodes;
  const program = nodeKind.programOf(settings.launcher);
  const named = pidFrom(join(folder, `${settings.launcher}.pid`));
  const running = nodes.value.filter((node) => {
    const starter = starterOfProcess([nodeKind], node);
    return starter !== null && nodeKind.programOf(starter.launcher) === program;
  });
  const { aliases = [], environment: variables = [] } = nodeKind.flags.ofAnyRelease(flag) ?? {};
  const there = running.filter(({ argv, environment }) => {
    const given = seenValue(environment) ?? {};
    const variable = variables.find((name) => given[name] !== undefined) ?? '';
    return (valueIn(argv, [flag, ...aliases]) ?? given[variable]) === folder;
  });
  const found =
    running.find(({ pid, root }) => pid === named && root === '') ??
    there.find(({ root }) => root === '') ??
    there[0];
  if (found !== undefined) return seen(found);
  return notSeen('not-found', `no process ${program} with data folder ${folder} runs on this machine`);
}

/** The node process of this machine whose sockets accept connections to one of these URLs; null when there is none. */
export function ownerOf(
  urls: readonly string[],
  nodes: Seen<readonly ProcessFacts[]>,
  names: Names = {},
): ProcessFacts | null {
  const here = nodes.state === 'seen' ? nodes.value.filter(({ network }) => network === 'same') : [];
  const isAsked = (socket: Socket) => urls.some((url) => accepts(socket, url, names));
  return here.find(({ sockets }) => seenValue(sockets)?.some(isAsked)) ?? null;
}

/** What a process runs. */
type Program = Required<Pick<ProcessFacts, 'pid' | 'argv' | 'build'>>;

/** None: the process has ended, or belongs to the kernel. */
function programOfPid(pid: number, { proc }: Place, known: KnownBuilds): Program[] {
  const folder = join(proc, String(pid));
  const words = readWords(join(folder, 'cmdline'), maxBytes);
  if (words.state !== 'seen' || words.value.length === 0) return [];
  const argv = words.value.slice(0, maxArguments);
  return [{ pid, argv, build: buildInfoOf(join(folder, 'exe'), known) }];
}

/** The name that a process gives its program. */
export function programOf(words: readonly string[]): string {
  return basename(words[0] ?? '');
}

function pidFrom(path: string): number | null {
  try {
    if (statSync(path).size > 64) return null;
    const [, digits] = /^\s*(\d{1,10})\s*$/.exec(readFileSync(path, 'utf8')) ?? [];
    return digits === undefined ? null : Number(digits);
  } catch {
    return null;
  }
}

/** A process, secrets redacted. */
function readProcess(
  { pid, argv, build }: Program,
  place: NodePlace,
  forwards: () => readonly Forward[],
): ProcessFacts {
  const folder = join(place.proc, String(pid));
  const sockets = socketsOf(pid, place);
  const surroundings = surroundingsOf(folder, place.proc);
  const published = surroundings.network === 'other' ? publishedPorts(folder, forwards()) : [];
  return {
    pid,
    argv: redactWords(argv),
    startedAt: readStart(place.proc, pid),
    environment: environmentOf(folder, place.kinds),
    folder: readLink(join(folder, 'cwd')),
    settings: null,
    sockets,
    ...(sockets.state === 'seen' ? {} : { userSockets: socketsOfUser(pid, place) }),
    build,
    ...surroundings,
    ...(published.length === 0 ? {} : { published }),
  };
}

/** Only the variables from which the node reads flags. */
function environmentOf(folder: string, kinds: readonly Kind[]): ProcessFacts['environment'] {
  const lines = readWords(join(folder, 'environ'), maxBytes);
  if (lines.state !== 'seen') return lines;
  const own = redactWords(
    lines.value.filter(
      (line) => /^[A-Z0-9_]{1,88}=/.test(line) && kinds.some(({ signs }) => signs.variable.test(line)),
    ),
  );
  return seen(
    Object.fromEntries(
      own.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  );
}
