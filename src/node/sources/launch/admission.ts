/** Who reaches the listeners of a node, by the ports that its container publishes and the limits of its unit. */
import { isContainerOnly, reachOfHost, widest } from '../../facts/reach.js';
import type { Way } from '../../facts/relays.js';
import {
  type Admission,
  isLocal,
  type Listener,
  type MissingFile,
  type PortKind,
} from '../../facts/settings.js';
import { flagsOf } from '../../kinds/interfaces.js';
import { shown } from '../text/unknown.js';
import type { Container, Launch, Published } from './launch.js';

type TcpListener = Listener & { readonly kind: PortKind };

/** The listener with the published ports of its container, or the limit of its unit. */
export function admitted(listener: Listener, launch: Launch): Listener {
  const { container, admits } = launch;
  if (isLocal(listener.kind)) return listener;
  const limit = admits?.(listener.port, listener.host) ?? null;
  if (limit !== null) return { ...listener, limit };
  if (container === null) return listener;
  const tcp = { ...listener, kind: listener.kind };
  const all = publishedFor(tcp, launch, container);
  const ways = all.flatMap((one) => (one.asksLogin === true ? [wayOf(one, listener.port)] : []));
  const admission = admissionBy(all, container);
  return { ...listener, container: admission, ...(ways.length === 0 ? {} : { ways }) };
}

/** A published port that asks for a login. */
function wayOf({ host, reach = reachOfHost(host).reach, because, at }: Published, port: number | null): Way {
  return { reach, because, at, to: { host: null, port }, login: true };
}

/** The published ports of a listener. Where its port is not known, the usual one is judged. */
function publishedFor({ kind, port }: TcpListener, launch: Launch, { published }: Container) {
  const written = port === null ? writtenPort(kind, launch) : null;
  const known = port ?? launch.kind.interfaces.defaultPort(kind);
  return published.filter((one) =>
    one.unsure === undefined
      ? one.port === null || one.port === known
      : written !== null && nameOf(one.unsure) === nameOf(written),
  );
}

/** Who reaches a listener without a login. */
function admissionBy(published: readonly Published[], { published: _, ...network }: Container): Admission {
  const all = published.filter(({ asksLogin }) => asksLogin !== true);
  if (all.length === 0) return { published: null, ...network };
  const { open } = widest(all.map((one) => ({ ...reachOfHost(one.host), ...one, open: one })));
  const { hostPort, unsure: __, ...rest } = open;
  return { published: { ...rest, port: hostPort }, ...network };
}

/** `$PORT` and `${PORT}` are the same. */
function nameOf(reference: string): string {
  return reference.replace(/^["']?\$\{?(\w+)\}?["']?$/, '$1');
}

/** The port of a listener as its flag or its variable has it; null: neither is among the words. */
function writtenPort(listener: TcpListener['kind'], { kind, start, environment }: Launch): string | null {
  const name = flagsOf(kind.interfaces, listener).port;
  const flag = name === null ? null : kind.flags.ofAnyRelease(name);
  if (name === null || start.kind !== 'binary') return null;
  const names = new Set([name, ...(flag?.aliases ?? [])]);
  const at = start.words.findLastIndex(({ text }) => names.has(flagIn(text)?.[1] ?? ''));
  const word = start.words[at];
  if (word === undefined) {
    const value = (flag?.environment ?? []).flatMap((one) => environment.get(one)?.value ?? []).at(0);
    return value === undefined ? null : shown(value);
  }
  const [own = ''] = flagIn(word.text) ?? [];
  const value = own.endsWith('=') ? word.slice(own.length) : start.words[at + 1];
  return value === undefined ? null : shown(value);
}

function flagIn(word: string): RegExpExecArray | null {
  return /^--?([\w.-]+)=?/.exec(word);
}

/** A port that is published, where it is not known whether it is the one of a listener. */
export function unsureOf(listener: Listener, { container }: Launch): MissingFile[] {
  const { kind, port, state } = listener;
  const isUnpublished = listener.container?.published === null && !isContainerOnly(listener);
  if (!isUnpublished || state !== 'on') return [];
  const one = container?.published.find(({ unsure }) => port === null || unsure !== undefined);
  if (one === undefined) return [];
  const place = `${one.at.file}:${one.at.line}`;
  const reason =
    port === null
      ? `the port of ${kind} cannot be known offline, and ${place} publishes ${one.unsure ?? `port ${one.port}`}`
      : `${place} publishes a port that cannot be known offline: it may be ${port}, the port of ${kind}`;
  return [{ name: null, decides: 'reach', reason }];
}
