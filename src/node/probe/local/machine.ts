/** This machine: its node processes and its listening sockets, read once per run. */
import { once } from '../../../util/once.js';
import type { ProcessFacts, Socket } from '../../facts/live.js';
import { type Seen, seen } from '../../facts/seen.js';
import { resolveName } from './names.js';
import { type NodePlace, type Processes, processesOf } from './process.js';
import { machineSockets } from './sockets.js';

export interface Machine {
  readonly place: NodePlace;
  /** What its processes run; `not-applicable` elsewhere than on Linux. */
  running(): Seen<Processes>;
  /** Every node process, lowest pid first; `not-applicable` elsewhere than on Linux. */
  processes(): Seen<readonly ProcessFacts[]>;
  /** Every listening socket of kaiactl's own network namespace. */
  sockets(): Promise<Seen<readonly Socket[]>>;
  /** The addresses of a host name. */
  resolve(host: string): Promise<Seen<readonly string[]>>;
}

/** Reads lazily and caches. */
export function machineOf(place: NodePlace): Machine {
  const running = once(() => processesOf(place));
  let sockets: Promise<Seen<readonly Socket[]>> | null = null;
  const names = new Map<string, ReturnType<Machine['resolve']>>();
  return {
    place,
    resolve(host) {
      const known = names.get(host) ?? resolveName(host);
      names.set(host, known);
      return known;
    },
    running,
    processes() {
      const all = running();
      return all.state === 'seen' ? seen(all.value.nodes) : all;
    },
    sockets() {
      sockets ??= machineSockets(place);
      return sockets;
    },
  };
}
