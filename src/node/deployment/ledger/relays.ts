/** Forwarders that lead to an interface of a node: its reach is theirs. */

import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../../util/group-by.js';
import { oncePerKey } from '../../../util/once-per.js';
import type { Facts } from '../../facts/facts.js';
import { type Access, openTo, type RelayHop } from '../../facts/hops.js';
import { leadsTo, reachOfBind } from '../../facts/reach.js';
import { isLocal, type Listener, type Settings } from '../../facts/settings.js';
import { narrower, type Reach, wider } from '../../facts/severity.js';
import type { OpenSign } from '../../facts/sign.js';
import { isOwnFilter } from '../../harden/filter.js';
import { kinds } from '../../kinds/index.js';
import { destinationOf, isLoopbackAddress, isSameDestination, portOf } from '../../reach/address.js';
import { unjudgedFilter } from '../../reach/conditions.js';
import { accessThrough, deniesLocal, onMachine, type Where, withoutOwnLogins } from '../../reach/gate.js';
import type { Gate, GatedHop, Unread, WrittenHop } from '../../reach/hop.js';
import { type Chain, chainsTo, type PlacedHop } from '../../reach/solve.js';
import { endpointsIn } from '../../sources/kubernetes/endpoints.js';
import { noFiles } from '../../sources/proxies/directive.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { PlacedIndex } from '../../sources/text/placed.js';
import { isOfSocket } from '../forwards/tunnels.js';
import { portVariableIn, valuesIn } from '../forwards/variables.js';
import { forwardsIn } from '../forwards.js';
import {
  alone,
  locateProgram,
  machineBehind,
  placeOfText,
  reachThrough,
  type Surroundings,
} from '../places.js';
import { type Joined, proxiesIn, proxyForwards } from '../proxies.js';
import { questionAt } from './question.js';

/** A forwarder in a file. */
interface Found extends PlacedHop {
  readonly file: LineIndex;
  /** Who gets through the firewall behind a rule that changes the destination of packets. */
  readonly behind?: Reach;
}

/** A forwarder, and the chains that end with it. */
export interface Relay extends Found {
  readonly chains: readonly Chain<Found>[] | Unread;
  /** The same for the handshakes of WebSockets. */
  readonly upgrades: readonly Chain<Found>[] | Unread;
}

/** What is known of the relays of a node. */
export type Relayed = Required<Pick<Facts, 'signs' | 'hops'>>;

/** The relays of files. */
export interface Relays {
  readonly relays: readonly Relay[];
  /** The files of proxies that were read, with those that they include. */
  readonly files: readonly LineIndex[];
}

/** The forwards of each file by words alone. */
type Written = ReadonlyMap<LineIndex, readonly WrittenHop[]>;

/** The relays of these files. Clients of a relay that leads to another one get through both. */
export function relaysIn(files: readonly LineIndex[], around: Surroundings = alone): Relays {
  // A funnel opens what another command serves to the tailnet.
  const isPublic = files.some(({ text }) => /\btailscale\b.*\bfunnel\b/.test(text));
  const opened = (one: Found) =>
    isPublic && one.program === 'tailscale' ? { ...one, own: openTo('any') } : one;
  const distinct = oncePerName(files, around);
  const written = new Map(distinct.map((file) => [file, forwardsIn(file.text, file.file)]));
  const proxies = proxiesIn(distinct, around);
  const everyHop = [...written.values(), ...proxies.map(({ forwards }) => forwards)].flat();
  const listening = new Set(everyHop.map(({ listens }) => portOf(listens)));
  const ofProxies = new Map(proxies.map((one) => [one.file, proxyRelays(one, listening, around)]));
  const known = proxies
    .filter(({ forwards }) => forwards.length > 0)
    .flatMap(({ file, includes }) => [file, ...includes.values()]);
  const named = namesIn(written, new Set(known.map(around.keyOf)), around);
  const read = groupBy(
    [...ofProxies.values()].flat().filter(({ upstream }) => !named.has(upstream ?? '')),
    ({ file }) => around.keyOf(file),
  );
  const all = distinct
    .flatMap((file) => [
      ...(ofProxies.get(file) ?? []),
      ...otherRelays(file, written.get(file) ?? [], read.get(around.keyOf(file)) ?? [], around),
    ])
    .flatMap((one) => withValues(one, around))
    .map(opened);
  const ofUpgrade = (one: Found) => one.ownUpgrade ?? one.own;
  const [chains, upgrades] = [chainsTo(all), chainsTo(all, ofUpgrade)];
  const relays = all.map((one) => ({
    ...one,
    chains: chains.get(one) ?? [],
    upgrades: upgrades.get(one) ?? [],
  }));
  return { relays, files: known };
}

/** A relay to a port or a socket that is a variable, once for each value that files give it. */
function withValues(relay: Found, { portsOf }: Surroundings): readonly Found[] {
  const { to, file, at } = relay;
  if (to !== null && (!('port' in to) || to.port !== null)) return [relay];
  const words = file.text.slice(at.start, at.end);
  // The last word is the address of a program whose words are read as a whole.
  const last = words.trim().split(/\s+/).at(-1) ?? '';
  const given = to === null ? valuesIn(last, file).map(destinationOf) : [];
  const isKnown = (one: (typeof given)[number]) =>
    one !== null && ('socket' in one || (last.startsWith('$') && 'port' in one && one.port !== null));
  if (given.some(isKnown)) return given.map((one) => ({ ...relay, to: one }));
  const name = portVariableIn(words);
  const ports = name === null ? [] : portsOf(name);
  return ports.length === 0
    ? [relay]
    : ports.map((port) => ({ ...relay, to: { host: to?.host ?? null, port } }));
}

/** The hosts that files name which are not read as a proxy's: an upstream of another file may be meant. */
function namesIn(written: Written, known: ReadonlySet<string>, { keyOf }: Surroundings) {
  const others = [...written].flatMap(([file, forwards]) => (known.has(keyOf(file)) ? [] : forwards));
  return new Set(others.map(({ to }) => (to !== null && 'host' in to && to.port === null ? to.host : null)));
}

/** Each file under the first of its names. */
function oncePerName(files: readonly LineIndex[], { keyOf }: Surroundings): readonly LineIndex[] {
  return [...groupBy(files, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** The relays of a file of a proxy, and of the files that it includes. */
function proxyRelays(
  { file: start, forwards }: Joined,
  listening: ReadonlySet<number>,
  around: Surroundings,
): Found[] {
  const places = oncePerKey((file: LineIndex) =>
    oncePerKey((program: string) => locateProgram(file, program, around)),
  );
  return forwards.map((one) => {
    const file = one.file ?? start;
    const where = places(start)(one.program);
    return foundAt(asked(one), file, 'unread' in where ? where : places(file)(one.program));
  });

  function asked(hop: GatedHop): GatedHop {
    const { gate, upgrade } = hop;
    const of = (one: Gate) => withoutOwnLogins(one, (to) => isSameDestination(to, hop.to), listening);
    return { ...hop, gate: of(gate), ...(upgrade === undefined ? {} : { upgrade: of(upgrade) }) };
  }
}

/** The relays of a file besides those that were read as a proxy's. */
function otherRelays(
  file: LineIndex,
  forwards: readonly WrittenHop[],
  read: readonly Found[],
  around: Surroundings,
): Found[] {
  const machine = machineBehind(around.closed);
  const mayHold = forwards.length > 0 && file.text.includes('ConfigMap');
  const texts = mayHold ? around.texts().filter((one) => one.file.file === file.file) : [];
  const inside = texts.flatMap((one) => {
    const index = new PlacedIndex(one.text);
    const all = proxyForwards(index.text, noFiles);
    return all.map((each) => foundAt(each, index, placeOfText(one, each.program, machine)));
  });
  const ranges = [...read.map(({ at }) => at), ...inside.map((one) => file.range(one.file.span(one.at)))];
  const isRead = ({ at }: WrittenHop) => ranges.some((one) => one.start < at.end && at.start < one.end);
  const others = forwards
    .filter((one) => !isRead(one))
    .flatMap((one) => withSockets(one, file, around))
    .concat(endpointsOf(file, around));
  const { routesLoopback } = around;
  return [
    ...inside,
    ...others.flatMap((one) => {
      const isInside = one.translates === 'loopback';
      if (isInside && routesLoopback === false) return [];
      if (one.translates !== undefined && !(isInside && routesLoopback === null))
        return [translation(one, file, around)];
      const isUnplaced = isContained.test(file.text) && one.from === 'bind';
      return listeningOf(one, file).map((each) =>
        placed(each, file, isUnplaced ? unread : accessBy(each, machine)),
      );
    }),
  ];
}

/** A forwarder once for each value that its file gives the variables of its listening address. */
function listeningOf(one: WrittenHop, file: LineIndex): readonly WrittenHop[] {
  const { listens } = one;
  return listens === null ? [one] : valuesIn(listens, file).map((each) => ({ ...one, listens: each }));
}

function placed(one: WrittenHop, file: LineIndex, own: Access | Unread): Found {
  return {
    ...one,
    file,
    own,
    place: file.span(one.at),
    ports: [portOf(one.listens)],
    names: null,
    deniesLocal: false,
  };
}

function foundAt(one: GatedHop, file: LineIndex, where: Where | Unread): Found {
  if ('unread' in where) return placed(one, file, where);
  const found = placed(one, file, accessThrough(one, where));
  const ports = [...found.ports, ...(one.listens === null ? [] : where.portsOf(one.listens))];
  const isOnMachine = where.reachOfClients === onMachine.reachOfClients;
  const { upgrade, listens } = one;
  return {
    ...found,
    ports,
    names: where.names,
    deniesLocal: isOnMachine && deniesLocal(one.gate),
    ...(upgrade === undefined ? {} : { ownUpgrade: accessThrough({ gate: upgrade, listens }, where) }),
  };
}

function translation(one: WrittenHop, file: LineIndex, around: Surroundings): Found {
  const { host = null, port = null } = one.to !== null && 'host' in one.to ? one.to : {};
  const behind = reachThrough(`${host ?? ''}:${port}`, around.closed);
  return {
    ...placed(one, file, one.translates === 'port' ? onLoopback : openTo(behind)),
    behind,
  };
}

/** Who reaches interfaces by packets to another port or address: those who reach the address of the packets. */
function translated(led: readonly Listener[], { translates }: Relay, behind: Reach): Access {
  const reaches = led.map(({ assumed: _, hops = [], ...bare }) => {
    const { reach } = reachOfBind({ ...bare, hops: hops.filter(({ of }) => of !== 'address') });
    if (translates === 'loopback') return 'any';
    return translates === 'port' || reach === 'loopback' ? reach : 'any';
  });
  return openTo(narrower(reaches.reduce<Reach | null>(wider, null), behind));
}

/** A program of a container listens there. */
const isContained =
  /^[ \t]*(?:services:|["']?kind["']?:|FROM[ \t])|\b(?:docker|podman|nerdctl)[ \t]+(?:run|create)\b/m;

function accessBy({ from, listens }: WrittenHop, machine: Where): Access | Unread {
  if (listens !== null && isLoopbackAddress(listens)) return onLoopback;
  if (from !== 'bind') return from === undefined ? unread : openTo(from);
  if (listens === null || /[$<{%]/.test(listens)) return unread;
  return openTo(machine.reachOf(listens));
}

/**
 * A service of systemd-socket-proxyd, or one that is started for each connection, with the addresses of its socket units:
 * those of its name, and those that name it.
 */
function withSockets(forward: WrittenHop, file: LineIndex, { included }: Surroundings): WrittenHop[] {
  const isAccepted = forward.listens === null && isOfSocket.test(file.text);
  if (forward.program !== 'systemd-socket-proxyd' && !isAccepted) return [forward];
  const nameOf = (path: string) => basename(path).replace(/@?\.(?:service|socket)$/, '');
  const filesIn = (pattern: string) => included(pattern, file) ?? [];
  const listens = filesIn('*.socket').flatMap((socket) => {
    const dropIns = filesIn(`${basename(socket.file)}.d/*.conf`);
    const text = [socket, ...dropIns].map((one) => one.text).join('\n');
    const service = /^[ \t]*Service[ \t]*=[ \t]*(\S+)/m.exec(text)?.[1] ?? socket.file;
    const all = [...text.matchAll(/^[ \t]*ListenStream[ \t]*=[ \t]*(\S*)/gm)].map(([, one = '']) => one);
    return nameOf(service) === nameOf(file.file) ? all.slice(all.lastIndexOf('') + 1) : [];
  });
  if (listens.length === 0) return [forward];
  return listens.map((one) => ({
    ...forward,
    listens: one,
    from: 'bind',
  }));
}

/** The addresses of Endpoints in a file, with those who reach them through their Service, where that is known. */
function endpointsOf(file: LineIndex, { ofKind }: Surroundings): WrittenHop[] {
  return endpointsIn(ofKind('kubernetes'))
    .filter(({ at }) => at.file === file.file)
    .map(({ at, to, reach }) => ({
      at: file.range(at),
      program: 'Endpoints',
      listens: null,
      to,
      ...(reach === null ? {} : { from: reach }),
    }));
}

const unread: Unread = { unread: 'its limits are not read' };
const onLoopback = openTo('loopback');

/** What forwards to the interfaces of a node: the hops that are understood, and an open question for each other one. */
export function relaysOf({ listeners, name, kind }: Settings, relays: readonly Relay[]): Relayed {
  const signs = new Map<string, OpenSign>();
  const hops = relays.flatMap((relay) => {
    const led = listeners.filter(
      (one) => !isOpenToAll(one) && one.state !== 'off' && leadsTo(relay.to, one, name),
    );
    if (led.length === 0) return [];
    const { filter } = relay;
    const isFiltered =
      filter === undefined || kinds.some((one) => one.id === kind && isOwnFilter(filter, one));
    const chains = isFiltered ? chainsOf(led, relay) : { unread: unjudgedFilter };
    if (!('unread' in chains)) return chains.flatMap((one) => hopThrough(relay, one) ?? []);
    for (const listener of led) {
      const sign = signOf(relay, chains.unread, listener);
      const key = `${listener.kind} ${relay.file.file} ${sign.subject}`;
      if (!signs.has(key)) signs.set(key, sign);
    }
    return [];
  });
  return { signs: [...signs.values()], hops: distinct(hops) };
}

/** Who gets to interfaces through a relay: by calls over http, or by the handshakes of ws. */
function chainsOf(led: readonly Listener[], relay: Relay): Relay['chains'] {
  const { chains, upgrades, behind, changes } = relay;
  if (behind !== undefined)
    return [{ access: translated(led, relay, behind), changes, key: '', first: relay, depth: 0 }];
  const all = [
    ...(led.some(({ kind }) => kind === 'ws') ? [upgrades] : []),
    ...(led.some(({ kind }) => kind !== 'ws') ? [chains] : []),
  ];
  return all.find((one) => 'unread' in one) ?? all.flatMap((one) => ('unread' in one ? [] : one));
}

/** An open question: one for each program of a file and interface that it forwards to. */
function signOf({ program, listens, file, at }: Relay, limits: string, { kind, port }: Listener): OpenSign {
  const subject = `${program}:${kind === 'ipc' ? 'ipc' : (port ?? '?')}`;
  const what = kind === 'ipc' ? 'the IPC socket, which offers every module' : kind;
  const where = listens === null ? '' : `, listening on ${listens}`;
  const why = `${program} forwards to ${what}${where}: ${limits}, so who reaches ${kind} is not known`;
  return { ...questionAt(file, file.span(at), 'relayed-interface', subject, why), interface: kind };
}

/** Of equal hops, such as those of several addresses of a server, the first. */
function distinct(hops: readonly RelayHop[]): RelayHop[] {
  const keyOf = ({ because: _, ...hop }: RelayHop) => JSON.stringify(hop);
  return [...groupBy(hops, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** Returns null if it lets no client through that does not reach the interface without it. */
function hopThrough(
  { program, listens, file, at, to, filter, changes: own }: Relay,
  { access: { open, withLogin }, changes, first }: Chain<Found>,
): RelayHop | null {
  const span = file.span(at);
  const where = listens === null ? '' : `, listening on ${listens}`;
  // On loopback it matters where it lets in what the node does not.
  const access = { open: open === 'loopback' && changes === undefined ? null : open, withLogin };
  if (access.open === null && withLogin === null) return null;
  return {
    of: 'relay',
    access,
    at: span,
    to,
    because: `${program} forwards to it (${span.file}:${span.line})${where}${isDeepStrictEqual(own, changes) ? '' : `, behind ${first.program} (${first.place.file}:${first.place.line})`}`,
    ...(filter === undefined ? {} : { filtered: true }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** A forwarder adds nothing to what every address reaches, or to what the operator states. */
function isOpenToAll(listener: Listener): boolean {
  if (listener.assumed !== undefined) return true;
  return !isLocal(listener.kind) && listener.host !== null && reachOfBind(listener).reach === 'any';
}
