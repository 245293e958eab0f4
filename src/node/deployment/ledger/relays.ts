/** Forwarders that lead to an interface of a node: its reach is theirs. */
import { basename } from 'node:path';
import { reachOfBind, reachOfHost } from '../../facts/reach.js';
import type { Listener, Settings } from '../../facts/settings.js';
import type { OpenSign } from '../../facts/sign.js';
import type { LineIndex } from '../../sources/text/line-index.js';
import { type Forward, forwardsIn } from '../forwards.js';
import { questionAt } from './question.js';

/** A forwarder that listens more widely than on loopback, in a file. */
export interface Relay extends Forward {
  readonly file: LineIndex;
}

export function relaysIn(file: LineIndex): Relay[] {
  return forwardsIn(file.text)
    .filter(({ isLoopback }) => !isLoopback)
    .map((one) => ({ ...one, file }));
}

/** The open questions of a node: for each interface, one for each program of a file that forwards to it. */
export function relaysOf({ listeners, name }: Settings, relays: readonly Relay[]): OpenSign[] {
  const known = new Set<string>();
  return relays.flatMap((relay) =>
    listeners
      .filter(
        (listener) => listener.state !== 'off' && !isOpenToAll(listener) && leadsTo(relay, listener, name),
      )
      .flatMap((listener): OpenSign[] => {
        const { kind, port } = listener;
        const subject = `${relay.program}:${kind === 'ipc' ? 'ipc' : (port ?? '?')}`;
        const key = `${kind} ${relay.file.file} ${subject}`;
        if (known.has(key)) return [];
        known.add(key);
        const what = kind === 'ipc' ? 'the IPC socket, which offers every module' : kind;
        const where = relay.listens === null ? '' : `, listening on ${relay.listens}`;
        const why = `${relay.program} forwards to ${what}${where}: its limits are not read, so who reaches ${kind} is not known`;
        const question = questionAt(relay.file, relay.file.span(relay.at), 'relayed-interface', subject, why);
        return [{ ...question, interface: kind }];
      }),
  );
}

/** A forwarder adds nothing to what every address reaches, or to what the operator states. */
function isOpenToAll(listener: Listener): boolean {
  if (listener.assumed !== undefined) return true;
  return listener.kind !== 'ipc' && listener.host !== null && reachOfBind(listener).reach === 'any';
}

function leadsTo({ to }: Relay, listener: Listener, name: string | undefined): boolean {
  if (to === null) return false;
  if ('socket' in to) return listener.kind === 'ipc' && isSocket(to.socket, listener.path);
  const { port, container } = listener;
  const ports = [port, container?.published?.port].filter((one) => one != null);
  return to.port !== null && ports.includes(to.port) && mayBeHere(to.host, name);
}

/** Where the data folder is not known, any IPC socket may be that of the node. */
function isSocket(named: string, path: string | null): boolean {
  return path === null ? named.endsWith('.ipc') : basename(named) === basename(path);
}

/** False for the public name of another machine. */
function mayBeHere(host: string | null, name: string | undefined): boolean {
  if (host === null || host === name) return true;
  const bare = host.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$|:/.test(bare)) return reachOfHost(host).reach !== 'any';
  return !bare.includes('.') || /\.(?:local|internal|svc|cluster\.local|localhost)$/.test(bare);
}
