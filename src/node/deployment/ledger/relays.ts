/** Forwarders that lead to an interface of a node: its reach is theirs. */
import type { Facts } from '../../facts/facts.js';
import { leadsTo, reachOfBind } from '../../facts/reach.js';
import type { Way } from '../../facts/relays.js';
import type { Listener, Settings } from '../../facts/settings.js';
import type { OpenSign } from '../../facts/sign.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { type Forward, forwardsIn } from '../forwards.js';
import { type Passage, type ProxyForward, proxyForwards } from '../proxies.js';
import { questionAt } from './question.js';

/** A forwarder that listens more widely than on loopback, in a file. */
export interface Relay extends Forward {
  readonly file: LineIndex;
  /** Who gets through, where the format of its file is read. */
  readonly passage?: ProxyForward['passage'];
}

/** What is known of the relays of a node. */
export type Relayed = Required<Pick<Facts, 'signs' | 'ways'>>;

export function relaysIn(file: LineIndex): Relay[] {
  const forwards = forwardsIn(file.text);
  const read = forwards.length === 0 ? [] : proxyForwards(file.text);
  const isRead = ({ at }: Forward) => read.some((one) => one.at.start < at.end && at.start < one.at.end);
  return [...read, ...forwards.filter((one) => !isRead(one))]
    .filter(({ isLoopback }) => !isLoopback)
    .map((one) => ({ ...one, file }));
}

/** What forwards to the interfaces of a node: the ways that are understood, and an open question for each other one. */
export function relaysOf({ listeners, name }: Settings, relays: readonly Relay[]): Relayed {
  const signs = new Map<string, OpenSign>();
  const ways = relays.flatMap((relay) => {
    const led = listeners.filter(
      (one) => !isOpenToAll(one) && one.state !== 'off' && leadsTo(relay.to, one, name),
    );
    const { passage } = relay;
    if (passage !== undefined && !('unread' in passage))
      return led.length === 0 ? [] : waysThrough(relay, passage);
    for (const listener of led) {
      const sign = signOf(relay, listener);
      const key = `${listener.kind} ${relay.file.file} ${sign.subject}`;
      if (!signs.has(key)) signs.set(key, sign);
    }
    return [];
  });
  return { signs: [...signs.values()], ways };
}

/** An open question: one for each program of a file and interface that it forwards to. */
function signOf({ program, listens, file, at, passage }: Relay, { kind, port }: Listener): OpenSign {
  const subject = `${program}:${kind === 'ipc' ? 'ipc' : (port ?? '?')}`;
  const what = kind === 'ipc' ? 'the IPC socket, which offers every module' : kind;
  const where = listens === null ? '' : `, listening on ${listens}`;
  const limits = passage !== undefined && 'unread' in passage ? passage.unread : 'its limits are not read';
  const why = `${program} forwards to ${what}${where}: ${limits}, so who reaches ${kind} is not known`;
  return { ...questionAt(file, file.span(at), 'relayed-interface', subject, why), interface: kind };
}

function waysThrough({ program, listens, file, at, to }: Relay, { open, withLogin }: Passage): Way[] {
  const span = file.span(at);
  const where = listens === null ? '' : `, listening on ${listens}`;
  const because = `${program} forwards to it (${span.file}:${span.line})${where}`;
  return [
    ...(open === null ? [] : [{ reach: open, because, at: span, to }]),
    ...(withLogin === null ? [] : [{ reach: withLogin, because, at: span, to, login: true as const }]),
  ];
}

/** A forwarder adds nothing to what every address reaches, or to what the operator states. */
function isOpenToAll(listener: Listener): boolean {
  if (listener.assumed !== undefined) return true;
  return listener.kind !== 'ipc' && listener.host !== null && reachOfBind(listener).reach === 'any';
}
