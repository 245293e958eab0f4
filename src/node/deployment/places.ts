/** Proxies in containers: who reaches the ports that their files listen on. */
import { basename } from 'node:path';
import { type PortGate, reachBehind } from '../facts/firewall.js';
import { reachOfClients } from '../facts/reach.js';
import type { SourceKind } from '../facts/settings.js';
import { narrower, type Reach, wider } from '../facts/severity.js';
import { isLoopbackAddress, portOf } from '../reach/address.js';
import { onMachine, type Where } from '../reach/gate.js';
import type { Unread } from '../reach/hop.js';
import type { MountingContainer } from '../sources/compose/compose.js';
import type { MountedText } from '../sources/kubernetes/config-maps.js';
import type { Container } from '../sources/launch/launch.js';
import type { LineIndex } from '../sources/text/line-index.js';
import { Placed } from '../sources/text/placed.js';

/** What a folder has besides the file of a proxy. */
export interface Surroundings {
  /** The text of a file beside another one, by the end of its path; null if it is not there. */
  readonly textOf: (path: string, file: LineIndex) => string | null;
  /** The files that a path or a pattern of a file names; null if they are not there, or it is not known which. */
  readonly included: (path: string, from: LineIndex) => readonly LineIndex[] | null;
  /** The same for all paths of a file. */
  readonly keyOf: (file: LineIndex) => string;
  /** The ports that the rules in force on its machine close. */
  readonly closed: readonly PortGate[];
  /** The texts of the folder's ConfigMaps. */
  readonly texts: () => readonly MountedText[];
  /** The containers of the folder's compose files. */
  readonly containers: () => readonly MountingContainer[];
  /** Whether a path that one file names is another file, or a folder above it. */
  readonly leadsTo: (path: string, from: LineIndex, file: LineIndex) => boolean;
  /** The ports that files of settings give a variable. */
  readonly portsOf: (variable: string) => readonly number[];
  /** The files of a kind. */
  readonly ofKind: (kind: SourceKind) => readonly LineIndex[];
  /** Whether the kernel routes packets to addresses of loopback (route_localnet); null if not known. */
  readonly routesLoopback: boolean | null;
}

/** A file that was named alone. */
export const alone: Surroundings = {
  textOf: () => null,
  included: () => null,
  keyOf: ({ file }) => file,
  closed: [],
  texts: () => [],
  containers: () => [],
  leadsTo: () => false,
  portsOf: () => [],
  ofKind: () => [],
  routesLoopback: null,
};

/** Images and folders of a program. */
function namesOf(program: string): RegExp {
  return new RegExp(program === 'nginx' ? 'nginx|openresty' : program, 'i');
}

/** The containers that mount a file of a program, or of any. */
export function mountersOf(
  file: LineIndex,
  { containers, leadsTo }: Surroundings,
  name = /^/,
): readonly MountingContainer[] {
  return containers().filter(({ image, mounts }) =>
    mounts.some(({ target, source }) => {
      if (source instanceof Placed || 'problem' in source || !(name.test(image) || name.test(target)))
        return false;
      return leadsTo(source.path, source.from, file);
    }),
  );
}

/** Kinds of files that start containers. */
const containing: readonly SourceKind[] = ['compose', 'kubernetes', 'dockerfile'];

/** Where a program reads this file; or why that is not known, as a clause. */
export function locateProgram(file: LineIndex, program: string, around: Surroundings): Where | Unread {
  const name = namesOf(program);
  const own = mountersOf(file, around, name);
  const machine = machineBehind(around.closed);
  if (own.length > 0) return inContainers(own, machine);
  const mentions = ({ text }: LineIndex) =>
    text.includes(basename(file.file)) ||
    [...text.matchAll(/^[ \t-]*(?:image:|FROM)[ \t]*(\S+)/gim)].some(([, image = '']) => name.test(image));
  const other = containing.flatMap(around.ofKind).find(mentions);
  if (other === undefined) return machine;
  return { unread: `${basename(other.file)} names it, and no container there is known to mount the file` };
}

/** Where a program reads a text of a ConfigMap; or why that is not known, as a clause. */
export function placeOfText({ by }: MountedText, program: string, machine: Where): Where | Unread {
  const own = by.filter(({ image }) => namesOf(program).test(image));
  return own.length > 0
    ? inContainers(own, machine)
    : { unread: 'no container among the files is known to mount it' };
}

function inContainers(all: readonly Pick<MountingContainer, 'container'>[], machine: Where): Where {
  return inAny(all.map(({ container }) => inContainer(container) ?? machine));
}

/** Null if it is on the network of the machine. Docker's own address may replace that of a client: a list with private addresses then admits every client. */
function inContainer(container: Container | null): Where | null {
  if (container === null) return null;
  const { published, network, names = null } = container;
  const ofPort = (listens: string) =>
    published.filter(({ to, access }) => access.open !== null && (to === null || to === portOf(listens)));
  return {
    reachOf(listens) {
      if (isLoopbackAddress(listens)) return 'loopback';
      const found = ofPort(listens).map(({ access }) => access.open);
      return found.reduce<Reach | null>(wider, network === null ? 'loopback' : 'private');
    },
    reachOfClients: (clients) => (reachOfClients(clients) === 'loopback' ? 'loopback' : 'any'),
    portsOf: (listens) => ofPort(listens).flatMap(({ port }) => port ?? []),
    names,
  };
}

function inAny(all: readonly Where[]): Where {
  const widest = (of: (one: Where) => Reach | null) => all.map(of).reduce(wider, null);
  return {
    reachOf: (listens) => widest((one) => one.reachOf(listens)),
    reachOfClients: (clients) => widest((one) => one.reachOfClients(clients)),
    portsOf: (listens) => all.flatMap((one) => one.portsOf(listens)),
    names: all.some(({ names }) => names === null) ? null : all.flatMap(({ names }) => names ?? []),
  };
}

/** On a machine, behind its firewall. */
export function machineBehind(closed: readonly PortGate[]): Where {
  return {
    ...onMachine,
    reachOf: (listens) => narrower(onMachine.reachOf(listens), reachThrough(listens, closed)),
  };
}

/** Who gets through the firewall to an address. */
export function reachThrough(listens: string, closed: readonly PortGate[]): Reach {
  const [, host = '', port] = /^(?:(.*):)?(\d+)$/.exec(listens) ?? [];
  return port === undefined ? 'any' : reachBehind(closed, host, Number(port));
}
