/** Node processes on this machine: their arguments, environment and sockets. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { once } from '../../../util/once.js';
import { oncePer } from '../../../util/once-per.js';
import { redactWords } from '../../../util/redact.js';
import type { Names, ProcessFacts, Socket } from '../../facts/live.js';
import { type NotSeen, notSeen, type Seen, seen, seenValue } from '../../facts/seen.js';
import { starterOfProcess } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import { type OtherClient, otherOfProcess } from '../../kinds/others.js';
import { accepting } from './bind.js';
import { buildInfoOf, type KnownBuilds } from './build-info.js';
import { dataFolderOf, keeperOf, withNames } from './identity.js';
import { surroundingsOf } from './namespace.js';
import { readLink, readPids, readStart, readText, readWords, userOf } from './proc.js';
import { type Forward, forwardsOf, publishedPorts } from './published.js';
import { type ProcPlace, socketsOf, socketsOfUser } from './sockets.js';

/** Where node processes are looked for. */
export interface NodePlace extends ProcPlace {
  /** The kinds of node whose programs and environment variables are read. */
  readonly kinds: readonly Kind[];
}

const maxArguments = 1_000;
const maxProcesses = 50_000;
const maxBytes = 1 << 20;

const linuxOnly = notSeen('not-applicable', 'the process table is read on Linux only');

/** The processes of this machine that run a node, or a client or companion that is no judged kind, by ascending pid. */
export interface Processes {
  readonly nodes: readonly ProcessFacts[];
  readonly others: readonly OtherProcess[];
  /** Why further processes may run; null if every process was seen. */
  readonly hidden: NotSeen | null;
  /** How many programs could not be read, any of which may be a renamed node. */
  readonly unreadPrograms: number;
}

export interface OtherProcess {
  readonly client: OtherClient;
  readonly process: ProcessFacts;
  /** The variables of its environment that set its interfaces. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Looks through all processes; `not-applicable` except on Linux. */
export function processesOf(place: NodePlace): Seen<Processes> {
  if (place.platform !== 'linux') return linuxOnly;
  const pids = readPids(place.proc, maxProcesses);
  if (pids.state !== 'seen') return pids;
  const known: KnownBuilds = new Map();
  const forwards = once(() => forwardsOf(place));
  const found = pids.value.map((pid) => programOfPid(pid, place, known));
  const programs = found.flatMap((one) => seenValue(one) ?? []);
  const isNode = (one: Program) => starterOfProcess(place.kinds, one) !== null;
  const refused = found.filter((one) => one.state !== 'seen' && one.code === 'not-permitted').length;
  return seen({
    nodes: withNames(
      place.kinds,
      programs.filter(isNode).flatMap((one) => nodeOf(one, place, forwards)),
    ),
    others: programs.filter((one) => !isNode(one)).flatMap((one) => otherOf(one, place, forwards)),
    hidden: hiddenIn(pids.value, refused, place),
    unreadPrograms: programs.filter(({ build }) => build.state !== 'seen' && build.code === 'not-permitted')
      .length,
  });
}

/** As for other clients, flags alone name a node only where the process listens. */
function nodeOf(program: Program, place: NodePlace, forwards: () => readonly Forward[]): ProcessFacts[] {
  const running = readProcess(program, place, forwards);
  const isByFlags = starterOfProcess(place.kinds, program)?.by === 'flags';
  return isByFlags && seenValue(running.sockets)?.length === 0 ? [] : [running];
}

/** Flags alone name a client only where the process listens: a command such as `docker run` has them too. */
function otherOf(program: Program, place: NodePlace, forwards: () => readonly Forward[]): OtherProcess[] {
  const found = otherOfProcess(program.argv, seenValue(program.build));
  if (found === null) return [];
  const { client, by } = found;
  const running = readProcess(program, place, forwards);
  if (by === 'flags' && seenValue(running.sockets)?.length === 0) return [];
  const own = new Set(client.interfaces.flatMap(namesOfSettings));
  const isOwn = (name: string) => own.has(`$${name}`);
  const environment = seenValue(environmentOf(join(place.proc, String(program.pid)), isOwn)) ?? {};
  return [{ client, process: running, environment }];
}

function namesOfSettings({ switches, ...one }: OtherClient['interfaces'][number]): string[] {
  const named = [one.enable, one.disable, one.addr, one.port, one.api, Object.keys(switches)].flat();
  return named.map((name) => name.replace(/=.*/, ''));
}

/** Why a mount option of /proc hides processes of other users; null if it hides none. */
function hiddenIn(pids: readonly number[], refused: number, { proc }: ProcPlace): NotSeen | null {
  const way = 'run as root to see them';
  if (refused > 0)
    return notSeen('not-permitted', `/proc refuses ${refused} processes of other users: ${way}`);
  const mounts = readText(join(proc, 'self', 'mountinfo'), maxBytes);
  const isLimited = /^\S+ \S+ \S+ \/ \/proc .*\bhidepid=(?!0|off)/m.test(mounts);
  if (!isLimited || showsOthers(pids, proc)) return null;
  return notSeen('not-permitted', `/proc hides the processes of other users (hidepid): ${way}`);
}

/** Whether the first process, which every machine and every container has, is shown to its user, root, or to another one. */
function showsOthers(pids: readonly number[], proc: string): boolean {
  if (!pids.includes(1)) return false;
  const [own, first] = ['self', '1'].map((pid) => userOf(join(proc, pid)));
  return own === '0' || own !== first;
}

/** The process with this pid; `not-found` when there is none, `not-applicable` except on Linux. */
export function processOf(pid: number, place: NodePlace): Seen<ProcessFacts> {
  if (place.platform !== 'linux') return linuxOnly;
  const program = programOfPid(pid, place, new Map());
  return program.state === 'seen'
    ? seen(readProcess(program.value, place, () => forwardsOf(place)))
    : notSeen('not-found', `no process ${pid} can be read on this machine`);
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
  const running = startedOf(nodes.value)(nodeKind).filter((one) => one.program === program);
  const there = running.filter((one) => one.folder === folder);
  const found =
    running.find(({ node: { pid, root } }) => pid === named && root === '') ??
    there.find(({ node }) => node.root === '') ??
    there[0];
  if (found !== undefined) return seen(found.node);
  return notSeen('not-found', `no process ${program} with data folder ${folder} runs on this machine`);
}

/** The processes that start a node of a kind, with what each starts and its data folder: looked up once for all confs. */
const startedOf = oncePer((nodes: readonly ProcessFacts[]) =>
  oncePer((kind: Kind) =>
    nodes.flatMap((node) => {
      const starter = starterOfProcess([kind], node);
      if (starter === null) return [];
      return [{ node, program: kind.programOf(starter.launcher), folder: dataFolderOf(kind, node) }];
    }),
  ),
);

/**
 * The node process of this machine whose sockets accept connections to one of these URLs; null when there is none. Of several
 * the kernel prefers the most specific address: a socket on `::` may leave IPv4 to another one.
 */
export function ownerOf(
  urls: readonly string[],
  nodes: Seen<readonly ProcessFacts[]>,
  names: Names = {},
): ProcessFacts | null {
  const here = nodes.state === 'seen' ? nodes.value.filter(({ network }) => network === 'same') : [];
  const asked = urls.map((url) => accepting(url, names));
  const isAsked = (socket: Socket) => asked.some((accepts) => accepts(socket));
  const listening = here.flatMap((node) =>
    (seenValue(node.sockets) ?? []).filter(isAsked).map(({ address }) => ({ node, address })),
  );
  const width = ({ address }: { address: string }) => ['0.0.0.0', '::'].indexOf(address);
  return listening.sort((a, b) => width(a) - width(b))[0]?.node ?? null;
}

/** What a process runs. */
type Program = Required<Pick<ProcessFacts, 'pid' | 'argv' | 'build'>>;

/** `not-found`: the process has ended, or belongs to the kernel. */
function programOfPid(pid: number, { proc }: ProcPlace, known: KnownBuilds): Seen<Program> {
  const folder = join(proc, String(pid));
  const words = readWords(join(folder, 'cmdline'), maxBytes);
  if (words.state !== 'seen') return words;
  if (words.value.length === 0) return notSeen('not-found', 'it has no command line');
  const argv = words.value.slice(0, maxArguments);
  return seen({ pid, argv, build: buildInfoOf(join(folder, 'exe'), known) });
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
    environment: environmentOf(folder, (name) => place.kinds.some(({ signs }) => signs.variable.test(name))),
    folder: readLink(join(folder, 'cwd')),
    settings: null,
    sockets,
    ...(sockets.state === 'seen' ? {} : { userSockets: socketsOfUser(pid, place) }),
    build,
    ...surroundings,
    ...keeperOf(folder, surroundings),
    ...(published.length === 0 ? {} : { published }),
  };
}

/** Only the variables from which the program reads flags. */
function environmentOf(folder: string, isOwn: (name: string) => boolean): ProcessFacts['environment'] {
  const lines = readWords(join(folder, 'environ'), maxBytes);
  if (lines.state !== 'seen') return lines;
  const own = redactWords(
    lines.value.filter((line) => {
      const name = /^([A-Z0-9_]{1,88})=/.exec(line)?.[1];
      return name !== undefined && isOwn(name);
    }),
  );
  return seen(
    Object.fromEntries(
      own.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  );
}
