/** Forwarders that lead to an interface of a node: its reach is theirs. */

import { basename } from 'node:path';
import { groupBy } from '../../../util/group-by.js';
import { oncePerKey } from '../../../util/once-per.js';
import type { Facts } from '../../facts/facts.js';
import { leadsTo, mayBeHere, reachOfBind } from '../../facts/reach.js';
import type { Way } from '../../facts/relays.js';
import { isLocal, type Listener, type Settings } from '../../facts/settings.js';
import type { Reach } from '../../facts/severity.js';
import type { OpenSign } from '../../facts/sign.js';
import { isOwnFilter } from '../../harden/filter.js';
import { kinds } from '../../kinds/index.js';
import { endpointsIn } from '../../sources/kubernetes/endpoints.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { PlacedIndex } from '../../sources/text/placed.js';
import { isLoopbackAddress, portOf } from '../forwards/address.js';
import { portVariableIn } from '../forwards/variables.js';
import { type Forward, forwardsIn } from '../forwards.js';
import {
  alone,
  deniesLocal,
  type Joined,
  machineBehind,
  narrower,
  noFiles,
  onMachine,
  type Passage,
  type ProxyForward,
  passageOf,
  placeOf,
  placeOfText,
  proxiesIn,
  proxyForwards,
  reachThrough,
  type Surroundings,
  unjudgedFilter,
  type Where,
  wider,
} from '../proxies.js';
import { questionAt } from './question.js';

/** A forwarder in a file. */
export interface Relay extends Forward, Pick<ProxyForward, 'filter' | 'upstream'> {
  readonly file: LineIndex;
  /** Who gets through, also by way of other relays that lead to it. */
  readonly passage: Passage | Unread;
  /** True where it denies proxies that lead to it on loopback. */
  readonly deniesLocal?: boolean;
  /** The ports that lead to it on its machine. */
  readonly ports: readonly number[];
  /** True where it may limit requests by method. */
  readonly limitsMethods?: boolean;
  /** Who gets through the firewall behind a rule that changes the destination of packets. */
  readonly behind?: Reach;
}

/** What is known of the relays of a node, and of the firewall before it. */
export type Relayed = Required<Pick<Facts, 'signs' | 'ways'>> & Pick<Facts, 'closed'>;

/** The relays of files. */
export interface Relays {
  readonly relays: readonly Relay[];
  /** The files of proxies that were read, with those that they include. */
  readonly files: readonly LineIndex[];
}

/** The relays of these files. Clients of a relay that leads to another one get through both. */
export function relaysIn(files: readonly LineIndex[], around: Surroundings = alone): Relays {
  // A funnel opens what another command serves to the tailnet.
  const isPublic = files.some(({ text }) => /\btailscale\b.*\bfunnel\b/.test(text));
  const opened = (one: Relay) =>
    isPublic && one.program === 'tailscale'
      ? { ...one, passage: { open: 'any' as const, withLogin: null } }
      : one;
  const distinct = oncePerName(files, around);
  const proxies = proxiesIn(distinct, around);
  const ofProxies = new Map(proxies.map((one) => [one.file, proxyRelays(one, around)]));
  const known = proxies
    .filter(({ forwards }) => forwards.length > 0)
    .flatMap(({ file, includes }) => [file, ...includes.values()]);
  const named = namesIn(distinct, new Set(known.map(around.keyOf)), around);
  const read = groupBy(
    [...ofProxies.values()].flat().filter(({ upstream }) => !named.has(upstream ?? '')),
    ({ file }) => around.keyOf(file),
  );
  let relays = distinct
    .flatMap((file) => [
      ...(ofProxies.get(file) ?? []),
      ...otherRelays(file, read.get(around.keyOf(file)) ?? [], around),
    ])
    .flatMap((one) => withPorts(one, around))
    .map(opened);
  const byPort = groupBy(relays, ({ to }) =>
    to !== null && 'port' in to && mayBeHere(to.host) ? to.port : null,
  );
  const places = new Map(relays.map((one, at) => [one, at]));
  for (let round = 0; round < maxChain; round += 1)
    relays = relays.map((relay) => {
      const outer = relay.ports.flatMap((port) => byPort.get(port) ?? []);
      return outer.reduce((inner, one) => behind(inner, relays[places.get(one) ?? -1] ?? one), relay);
    });
  return { relays, files: known };
}

/** A relay to a port that is a variable, once for each value that files give it. */
function withPorts(relay: Relay, { portsOf }: Surroundings): readonly Relay[] {
  const { to, file, at } = relay;
  if (to !== null && (!('port' in to) || to.port !== null)) return [relay];
  const name = portVariableIn(file.text.slice(at.start, at.end));
  const ports = name === null ? [] : portsOf(name);
  return ports.length === 0
    ? [relay]
    : ports.map((port) => ({ ...relay, to: { host: to?.host ?? null, port } }));
}

/** Proxies one behind the other. */
const maxChain = 5;

/** The hosts that files name which are not read as a proxy's: an upstream of another file may be meant. */
function namesIn(files: readonly LineIndex[], known: ReadonlySet<string>, { keyOf }: Surroundings) {
  const others = files.filter((file) => !known.has(keyOf(file))).flatMap(({ text }) => forwardsIn(text));
  return new Set(others.map(({ to }) => (to !== null && 'host' in to && to.port === null ? to.host : null)));
}

/** Each file under the first of its names. */
function oncePerName(files: readonly LineIndex[], { keyOf }: Surroundings): readonly LineIndex[] {
  return [...groupBy(files, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** The relays of a file of a proxy, and of the files that it includes. */
function proxyRelays({ file: start, includes, forwards }: Joined, around: Surroundings): Relay[] {
  const places = oncePerKey((file: LineIndex) =>
    oncePerKey((program: string) => placeOf(file, program, around)),
  );
  const limitsMethods = [start, ...includes.values()].some(({ text }) => byMethod.test(text));
  return forwards.map((one) => {
    const file = one.file ?? start;
    const where = places(start)(one.program);
    return { ...relayOf(one, file, 'unread' in where ? where : places(file)(one.program)), limitsMethods };
  });
}

/** The relays of a file besides those that were read as a proxy's. */
function otherRelays(file: LineIndex, read: readonly Relay[], around: Surroundings): Relay[] {
  const forwards = forwardsIn(file.text);
  const machine = machineBehind('', around.closedAt(file));
  const mayHold = forwards.length > 0 && file.text.includes('ConfigMap');
  const texts = mayHold ? around.texts().filter((one) => one.file.file === file.file) : [];
  const inside = texts.flatMap((one) => {
    const index = new PlacedIndex(one.text);
    const all = proxyForwards(index.text, noFiles);
    return all.map((each) => relayOf(each, index, placeOfText(one, each.program, machine)));
  });
  const ranges = [...read.map(({ at }) => at), ...inside.map((one) => file.range(one.file.span(one.at)))];
  const isRead = ({ at }: Forward) => ranges.some((one) => one.start < at.end && at.start < one.end);
  const others = forwards
    .filter((one) => !isRead(one))
    .flatMap((one) => withSockets(one, file, around))
    .map((one) => withService(one, file, around));
  return [
    ...inside,
    ...others.map((one) => {
      if (one.translates !== undefined) return translation(one, file, around);
      const passage = isContained.test(file.text) && one.from === 'bind' ? unread : passageBy(one, machine);
      return { ...one, file, passage, ports: [portOf(one.listens)] };
    }),
  ];
}

function relayOf(one: ProxyForward, file: LineIndex, where: Where | Unread): Relay {
  const own = portOf(one.listens);
  if ('unread' in where) return { ...one, file, passage: where, ports: [own] };
  const ports = [own, ...(one.listens === null ? [] : where.portsOf(one.listens))];
  const isOnMachine = where.reachOfClients === onMachine.reachOfClients;
  return {
    ...one,
    file,
    passage: passageOf(one, where),
    ports,
    deniesLocal: isOnMachine && deniesLocal(one.gate),
  };
}

function translation(one: Forward, file: LineIndex, around: Surroundings): Relay {
  const { host = null, port = null } = one.to !== null && 'host' in one.to ? one.to : {};
  const behind = reachThrough('', `${host ?? ''}:${port}`, around.closedAt(file));
  const passage = one.translates === 'port' ? onLoopback : { open: behind, withLogin: null };
  return { ...one, file, passage, behind, ports: [portOf(one.listens)] };
}

/** Who reaches interfaces by packets to another port or address: those who reach the address of the packets. */
function translated(led: readonly Listener[], { translates }: Relay, behind: Reach): Passage {
  const reaches = led.map(({ limit: _, assumed: __, ...bare }) => {
    const { reach } = reachOfBind(bare);
    return translates === 'port' || reach === 'loopback' ? reach : 'any';
  });
  return { open: narrower(reaches.reduce<Reach | null>(wider, null), behind), withLogin: null };
}

/** A program of a container listens there. */
const isContained =
  /^[ \t]*(?:services:|["']?kind["']?:|FROM[ \t])|\b(?:docker|podman|nerdctl)[ \t]+(?:run|create)\b/m;

function passageBy({ isLoopback, from, listens }: Forward, machine: Where): Relay['passage'] {
  if (isLoopback) return onLoopback;
  if (from !== 'bind') return from === undefined ? unread : { open: from, withLogin: null };
  if (listens === null || /[$<{%]/.test(listens)) return unread;
  return { open: machine.reachOf(listens), withLogin: null };
}

/** A service of systemd-socket-proxyd with the addresses of its socket unit. */
function withSockets(forward: Forward, file: LineIndex, { textOf }: Surroundings): Forward[] {
  if (forward.program !== 'systemd-socket-proxyd') return [forward];
  const text = textOf(basename(file.file).replace(/@?\.service$/, '.socket'), file) ?? '';
  const all = [...text.matchAll(/^[ \t]*ListenStream[ \t]*=[ \t]*(\S*)/gm)].map(
    ([, address = '']) => address,
  );
  const listens = all.slice(all.lastIndexOf('') + 1);
  if (listens.length === 0) return [forward];
  return listens.map((one) => ({
    ...forward,
    listens: one,
    isLoopback: isLoopbackAddress(one),
    from: 'bind',
  }));
}

/** Endpoints with those who reach them through their Service, where that is known. */
function withService(forward: Forward, file: LineIndex, { ofKind }: Surroundings): Forward {
  if (forward.program !== 'Endpoints') return forward;
  const { line } = file.span(forward.at);
  const own = endpointsIn(ofKind('kubernetes')).find(
    ({ at }) => at.file === file.file && at.line <= line && line <= at.endLine,
  );
  return own == null || own.reach === null ? forward : { ...forward, from: own.reach };
}

type Unread = Extract<ProxyForward['gate'], { readonly unread: string }>;
const unread: Unread = { unread: 'its limits are not read' };
const onLoopback: Passage = { open: 'loopback', withLogin: null };

/** A relay that another one leads to, whose clients seem to come from its machine. */
function behind(inner: Relay, outer: Relay): Relay {
  const [own, before] = [inner.passage, outer.passage];
  if (inner.file === outer.file && inner.at === outer.at) return inner;
  const isOnLoopback = outer.to !== null && 'host' in outer.to && isLoopbackAddress(outer.to.host ?? '');
  if (inner.deniesLocal === true && isOnLoopback) return inner;
  if ('unread' in own || (own.open === null && own.withLogin === null)) return inner;
  if ('unread' in before) {
    const { file, line } = outer.file.span(outer.at);
    return {
      ...inner,
      passage: { unread: `${outer.program} leads to it (${file}:${line}): ${before.unread}` },
    };
  }
  const { open, withLogin } = before;
  return {
    ...inner,
    passage: {
      open: own.open === null ? null : wider(own.open, open),
      withLogin: wider(own.withLogin, own.withLogin === null ? withLogin : wider(open, withLogin)),
    },
  };
}

/** What forwards to the interfaces of a node: the ways that are understood, and an open question for each other one. */
export function relaysOf({ listeners, name, kind }: Settings, relays: readonly Relay[]): Relayed {
  const signs = new Map<string, OpenSign>();
  const ways = relays.flatMap((relay) => {
    const led = listeners.filter(
      (one) => !isOpenToAll(one) && one.state !== 'off' && leadsTo(relay.to, one, name),
    );
    if (led.length === 0) return [];
    const { filter } = relay;
    const isFiltered =
      filter === undefined || kinds.some((one) => one.id === kind && isOwnFilter(filter, one));
    const passage = isFiltered ? passageTo(led, relay) : { unread: unjudgedFilter };
    if (!('unread' in passage)) return waysThrough(relay, passage);
    for (const listener of led) {
      const sign = signOf(relay, passage.unread, listener);
      const key = `${listener.kind} ${relay.file.file} ${sign.subject}`;
      if (!signs.has(key)) signs.set(key, sign);
    }
    return [];
  });
  return { signs: [...signs.values()], ways: distinct(ways) };
}

/** Limits by method are read for calls over http, which are POST requests; a WebSocket begins with GET. */
function passageTo(led: readonly Listener[], relay: Relay): Relay['passage'] {
  const { passage, limitsMethods, file, behind } = relay;
  if (behind !== undefined) return translated(led, relay, behind);
  const mayLimit = limitsMethods ?? byMethod.test(file.text);
  const isLimited = !('unread' in passage) && passage.open !== 'any' && mayLimit;
  return isLimited && led.some(({ kind }) => kind === 'ws')
    ? { unread: 'it may limit requests by method, and a WebSocket begins with GET' }
    : passage;
}

const byMethod = /\b(?:limit_except|request_method|limitexcept|meth\w*)\b|<limit\b/i;

/** An open question: one for each program of a file and interface that it forwards to. */
function signOf({ program, listens, file, at }: Relay, limits: string, { kind, port }: Listener): OpenSign {
  const subject = `${program}:${kind === 'ipc' ? 'ipc' : (port ?? '?')}`;
  const what = kind === 'ipc' ? 'the IPC socket, which offers every module' : kind;
  const where = listens === null ? '' : `, listening on ${listens}`;
  const why = `${program} forwards to ${what}${where}: ${limits}, so who reaches ${kind} is not known`;
  return { ...questionAt(file, file.span(at), 'relayed-interface', subject, why), interface: kind };
}

/** Of equal ways, such as those of several addresses of a server, the first. */
function distinct(ways: readonly Way[]): Way[] {
  const keyOf = ({ because: _, ...way }: Way) => JSON.stringify(way);
  return [...groupBy(ways, keyOf).values()].flatMap(([first]) => first ?? []);
}

function waysThrough({ program, listens, file, at, to, filter }: Relay, { open, withLogin }: Passage): Way[] {
  const span = file.span(at);
  const where = listens === null ? '' : `, listening on ${listens}`;
  const because = `${program} forwards to it (${span.file}:${span.line})${where}`;
  const way = { because, at: span, to, ...(filter === undefined ? {} : { filtered: true as const }) };
  return [
    ...(open === null || open === 'loopback' ? [] : [{ ...way, reach: open }]),
    ...(withLogin === null ? [] : [{ ...way, reach: withLogin, login: true as const }]),
  ];
}

/** A forwarder adds nothing to what every address reaches, or to what the operator states. */
function isOpenToAll(listener: Listener): boolean {
  if (listener.assumed !== undefined) return true;
  return !isLocal(listener.kind) && listener.host !== null && reachOfBind(listener).reach === 'any';
}
