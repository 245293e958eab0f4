/** Processes of clients and companions that are no judged kind of node. They are named, and nothing is sent to them. */
import { visible } from '../../util/visible.js';
import { subjectOf, unjudgedReason } from '../deployment/ledger/unjudged.js';
import type { Socket } from '../facts/live.js';
import { type Reach, reaches, reachOfHost } from '../facts/reach.js';
import { seenValue } from '../facts/seen.js';
import type { OpenSign } from '../facts/sign.js';
import { valueIn } from '../kinds/flags.js';
import { describe, isForPeers, type OpenInterface, summary } from '../kinds/others.js';
import { type Machine, type OtherProcess, programOf, socketsFromHost, type Target } from '../probe/index.js';

export interface UnjudgedProcesses {
  /** One open question for each process that other machines may reach. */
  readonly targets: readonly Target[];
  /** Processes that only this machine reaches: they need no answer. */
  readonly notes: readonly string[];
}

/** The processes of this machine; none where they cannot be read. */
export function unjudgedProcesses(machine: Machine): UnjudgedProcesses {
  const all = (seenValue(machine.running())?.others ?? []).map((one) => ({ ...one, ...opened(one) }));
  const serving = all.filter(({ interfaces }) => interfaces.length > 0);
  const idle = all.filter(({ interfaces }) => interfaces.length === 0);
  // A launcher, such as npx, has the words of the process that it started.
  const alone = idle.filter(({ client }) => !serving.some((one) => one.client === client));
  const [local, open] = [true, false].map((is) =>
    serving.filter(({ interfaces }) => interfaces.every(({ isLoopback }) => isLoopback) === is),
  ) as [typeof all, typeof all];
  return {
    targets: open.map((one) => {
      const isShared = open.filter((other) => nameClient(other) === nameClient(one)).length > 1;
      const port = isShared ? ` :${one.interfaces[0]?.port}` : '';
      return targetOf(`${nameClient(one)}${port}`, signOf(one));
    }),
    notes: [
      ...local.map((one) => `${nameClient(one)} runs here, on loopback only · not judged`),
      ...alone.map((one) => `${nameClient(one)} runs here, and opens no interface · not judged`),
    ],
  };
}

interface Opened {
  readonly interfaces: readonly OpenInterface[];
  readonly reach: Reach;
  /** How its sockets are known. */
  readonly way: string;
}

/** What a process opens: the sockets that it has, but those for peers; if they cannot be read, what its words open. */
function opened({ client, process: running, environment }: OtherProcess): Opened {
  const words = running.argv.slice(1);
  const described = describe(client, words, new Map(Object.entries(environment)), running.container !== null);
  const sockets = seenValue(running.sockets);
  if (sockets === null) {
    const way = 'its sockets cannot be read: run as root or as its user';
    return {
      interfaces: described,
      reach: described.some(({ isLoopback }) => !isLoopback) ? 'any' : 'loopback',
      way,
    };
  }
  const isKnown = ({ port }: Socket) => described.some((one) => one.port === port);
  const asked = sockets.filter((one) => isKnown(one) || !isForPeers(client, words, one.port));
  const outside = socketsFromHost(running, asked);
  const interfaces = asked.map((socket, at): OpenInterface => {
    const known = described.find(({ port }) => port === socket.port);
    const { address, port } = outside[at] ?? socket;
    const isLoopback = reachOfHost(address).reach === 'loopback';
    const unknown = { name: 'an interface', modules: null, switches: [] };
    return { ...(known ?? unknown), bind: address, port, isLoopback };
  });
  const reached = interfaces.map(({ bind }) => reachOfHost(bind).reach);
  const reach = [...reached].sort((a, b) => reaches.indexOf(b) - reaches.indexOf(a))[0] ?? 'loopback';
  return { interfaces, reach, way: running.network === 'other' ? 'in a network namespace of its own' : '' };
}

function signOf({ client, process: running, interfaces, reach, way }: OtherProcess & Opened): OpenSign {
  const subject = subjectOf(client.name, reach === 'any', interfaces);
  const shown = `process ${running.pid}: ${summary(client, interfaces, way)}`;
  const reason = unjudgedReason(shown, subject);
  return { rule: 'unjudged-node', subject, at: null, source: null, reason, comments: [] };
}

function targetOf(name: string, sign: OpenSign): Target {
  return { name, role: null, conf: null, endpoints: [], metrics: [], open: { signs: [sign] } };
}

const dataFolders =
  'datadir data-dir data-path data.dir data_dir dataDir data-base-path home db-dir chaindata db.datadir BaseDbPath database.dbPath db'.split(
    ' ',
  );

/** The client, and what stays after a restart: its data folder, its container or its program. */
function nameClient({ client, process: { argv, container } }: OtherProcess): string {
  const folder = valueIn(argv.slice(1), dataFolders);
  const program = programOf(argv);
  const where = folder ?? (container === null ? program : `container ${container}`);
  return where === client.name ? client.name : `${client.name} (${visible(where, 100)})`;
}
