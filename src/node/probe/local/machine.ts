/** This machine as one run sees it: its node processes and its listening sockets, each read once. */
import type { ProcessFacts, Socket } from '../../facts/live.js';
import type { Seen } from '../../facts/seen.js';
import { nodeProcesses } from './process.js';
import { machineSockets, type Place } from './sockets.js';

export interface Machine {
  readonly place: Place;
  /** Every node process, lowest pid first; `not-applicable` elsewhere than on Linux. */
  processes(): Seen<readonly ProcessFacts[]>;
  /** Every listening socket of the network kaiactl itself is in. */
  sockets(): Promise<Seen<readonly Socket[]>>;
}

/** Nothing is read before it is asked for, and nothing twice. */
export function machineOf(place: Place): Machine {
  let processes: Seen<readonly ProcessFacts[]> | null = null;
  let sockets: Promise<Seen<readonly Socket[]>> | null = null;
  return {
    place,
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
