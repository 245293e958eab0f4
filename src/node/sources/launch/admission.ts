/** Who reaches the listeners of a node, by the ports that its container publishes and the limits of its unit. */
import { isContainerOnly, isUnpublished } from '../../facts/reach.js';
import { isLocal, type Listener, type MissingFile, type PortKind } from '../../facts/settings.js';
import { showText } from '../text/unknown.js';
import type { Container, Launch } from './launch.js';

type TcpListener = Listener & { readonly kind: PortKind };

/** The listener with the published ports of its container, or with what its unit puts before its address. */
export function admitListener(listener: Listener, launch: Launch): Listener {
  const { container, admits } = launch;
  const { kind, port, host } = listener;
  if (isLocal(kind)) return listener;
  const own = admits?.(port, host) ?? null;
  if (own !== null) return { ...listener, hops: [own] };
  if (container === null) return listener;
  const { published: _, ...place } = container;
  const hops = publishedFor({ ...listener, kind }, launch, container);
  return { ...listener, container: place, ...(hops.length === 0 ? {} : { hops }) };
}

/** The published ports of a listener. Where its port is not known, the usual one is judged. */
function publishedFor({ kind, port }: TcpListener, launch: Launch, { published }: Container) {
  const written = port === null ? writtenPort(kind, launch) : null;
  const known = port ?? launch.kind.interfaces.defaultPort(kind);
  return published.filter((one) =>
    one.unsure === undefined
      ? one.to === null || one.to === known
      : written !== null && variableName(one.unsure) === variableName(written),
  );
}

/** `$PORT` and `${PORT}` are the same. */
function variableName(reference: string): string {
  return reference.replace(/^["']?\$\{?(\w+)\}?["']?$/, '$1');
}

/** The port of a listener as its flag or its variable has it; null if neither is among the words. */
function writtenPort(listener: TcpListener['kind'], { kind, start, environment }: Launch): string | null {
  const name = kind.interfaces.flags[listener].port;
  const flag = name === null ? null : kind.flags.ofAnyRelease(name);
  if (name === null || start.kind !== 'binary') return null;
  const names = new Set([name, ...(flag?.aliases ?? [])]);
  const at = start.words.findLastIndex(({ text }) => names.has(flagIn(text)?.[1] ?? ''));
  const word = start.words[at];
  if (word === undefined) {
    const value = (flag?.environment ?? []).flatMap((one) => environment.get(one)?.value ?? []).at(0);
    return value === undefined ? null : showText(value);
  }
  const [own = ''] = flagIn(word.text) ?? [];
  const value = own.endsWith('=') ? word.slice(own.length) : start.words[at + 1];
  return value === undefined ? null : showText(value);
}

function flagIn(word: string): RegExpExecArray | null {
  return /^--?([\w.-]+)=?/.exec(word);
}

/** A port that is published, where it is not known whether it is the one of a listener. */
export function unsureOf(listener: Listener, { container }: Launch): MissingFile[] {
  const { kind, port, state } = listener;
  if (!isUnpublished(listener) || isContainerOnly(listener) || state !== 'on') return [];
  const one = container?.published.find(({ unsure }) => port === null || unsure !== undefined);
  if (one === undefined) return [];
  const place = `${one.at.file}:${one.at.line}`;
  const reason =
    port === null
      ? `the port of ${kind} cannot be known offline, and ${place} publishes ${one.unsure ?? `port ${one.to}`}`
      : `${place} publishes a port that cannot be known offline: it may be ${port}, the port of ${kind}`;
  return [{ name: null, decides: 'reach', reason }];
}
