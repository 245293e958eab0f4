/** This machine: its node processes and its listening sockets, read once per run. */
import type { ProcessFacts, Socket } from '../../facts/live.js';
import type { Seen } from '../../facts/seen.js';
import { resolveName } from './names.js';
import { type NodePlace, nodeProcesses } from './process.js';
import { machineSockets } from './sockets.js';

export interface Machine {
  readonly place: NodePlace;
  /** Every node process, lowest pid first; `not-applicable` elsewhere than on Linux. */
  processes(): Seen<readonly ProcessFacts[]>;
  /** Every listening socket of kaiactl's own network namespace. */
  sockets(): Promise<Seen<readonly Socket[]>>;
  /** The addresses of a host name. */
  resolve(host: string): Promise<Seen<readonly string[]>>;
}

/** Reads lazily and caches. */
export function machineOf(place: NodePlace): Machine {
  let processes: Seen<readonly ProcessFacts[]> | null = null;
  let sockets: Promise<Seen<readonly Socket[]>> | null = null;
  const names = new Map<string, ReturnType<Machine['resolve']>>();
  return {
    place,
    resolve(host) {
      const known = names.get(host) ?? resolveName(host);
      names.set(host, known);
      return known;
    },
    processes() {
      processes ??= nodeProcesses(place);
      return processes;
    },
    sockets() {
      sockets ??= machineSockets(place);
      return sockets;
    },
  };
}
