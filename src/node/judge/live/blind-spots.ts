/** Blind spots: facts of a live node that were not seen, with the reason. */
import { joinFirst, joinWords } from '../../../util/words.js';
import {
  type BlindSpot,
  blindSpot,
  indeterminate,
  isLeftOut,
  isMoot,
  isRefused,
  notSeen,
} from '../../facts/seen.js';
import { unknownModules } from '../settings/module-lists.js';
import { isOpen, offeredModules } from './answers.js';
import type { LiveEndpoint, LiveGrpc } from './interfaces.js';
import type { Live } from './live.js';

/** Why it is unknown which modules an interface offers, and the effect of those not known here. */
export function moduleBlindSpots(live: Live, endpoint: LiveEndpoint): BlindSpot[] {
  return [
    ...factBlindSpots(endpoint, 'modules'),
    ...unlistedBlindSpots(endpoint),
    ...unknownModuleBlindSpots(live, endpoint),
  ];
}

/** Why it is unknown whether an interface offers modules that it does not list. */
export function unlistedBlindSpots(endpoint: LiveEndpoint): BlindSpot[] {
  const { calibrated, methods, name } = endpoint;
  if (!isOpen(endpoint) || isMoot(calibrated)) return [];
  if (calibrated.state !== 'seen') return [blindSpot(name, calibrated)];
  return Object.values(methods).flatMap((one) => (one.state === 'seen' ? [] : [blindSpot(name, one)]));
}

/** Offered modules whose effect is not known here. */
function unknownModuleBlindSpots(live: Live, endpoint: LiveEndpoint): BlindSpot[] {
  const names = unknownModules(live, offeredModules(endpoint)).slice(0, 20);
  const why = `the effect of ${joinWords(names)} is not known here`;
  return names.length === 0 ? [] : [indeterminate(endpoint.name, why)];
}

/** Why it is unknown whether a gRPC port of the settings listens. */
export function grpcBlindSpots({ url, listening }: LiveGrpc): BlindSpot[] {
  return listening.state === 'seen' || isMoot(listening) ? [] : [blindSpot(`grpc ${url}`, listening)];
}

/** Why a fact of an endpoint is missing; empty if it was seen. */
export function factBlindSpots(
  endpoint: LiveEndpoint,
  fact: 'modules' | 'accounts' | 'foreignHost' | 'foreignOrigin' | 'calibrated' | 'client' | 'fileMode',
): BlindSpot[] {
  const value = endpoint[fact];
  return value.state === 'seen' ? [] : [blindSpot(endpoint.name, value)];
}

/** Why it is unknown who else reaches an interface that answered this machine. */
export function reachBlindSpot({ name, bind }: Pick<LiveEndpoint, 'name' | 'bind'>): BlindSpot {
  const { code, detail } = bind.state === 'seen' ? notSeen('not-asked', 'not asked') : bind;
  return blindSpot(name, notSeen(code, `who reaches it is not known beyond this machine: ${detail}`));
}

/** A listening socket that no settings open, and that was not asked or speaks neither http nor ws. */
export function socketBlindSpot(
  { address, port }: Live['sockets'][number],
  node: Live['process'],
): BlindSpot {
  const listens = `the node’s process listens on ${address}, and no settings explain it`;
  const apart = node.state === 'seen' && node.value.network === 'other' ? node.value.pid : null;
  const why =
    apart === null
      ? notSeen(
          'unreadable',
          `${listens}; neither http, ws nor a profiler answered there, or it may be for peers and was not asked`,
        )
      : notSeen(
          'other-namespace',
          `${listens}; the process is in another network namespace: run nsenter -t ${apart} -n kaiactl node audit pid:${apart}`,
        );
  return blindSpot(`port ${port}`, why);
}

/** The interfaces that answered and all that the process is known to have; null if its sockets were read. */
export function interfaceCount({ process: node, endpoints, metrics, grpc, engine, unmatched }: Live) {
  if (node.state !== 'seen' || node.value.sockets.state === 'seen') return null;
  const facts = [
    ...endpoints.map(({ modules }) => modules),
    ...metrics.map((port) => port.metrics),
    ...grpc.map(({ listening }) => listening),
    ...engine.map(({ answer }) => answer),
  ].filter((fact) => !isRefused(fact) && !isMoot(fact));
  const looked = facts.filter(({ state }) => state === 'seen').length;
  return { looked, all: facts.length + unmatched.length };
}

/** Sockets that may be the process's, where its own could not be read. */
export function unmatchedBlindSpots(live: Live): BlindSpot[] {
  const { process: node, unmatched } = live;
  const count = interfaceCount(live);
  if (count === null || node.state !== 'seen') return [];
  const { pid, sockets, userSockets } = node.value;
  if (sockets.state === 'seen' || sockets.code !== 'not-permitted') return [];
  const others = unmatched.map(({ port }) => String(port));
  const [port, is] = others.length === 1 ? ['port', 'is'] : ['ports', 'are'];
  const why =
    userSockets?.state === 'seen'
      ? `${port} ${joinFirst(others, 5)} ${is} open by its user and may be its own`
      : 'its sockets cannot be read';
  if (others.length === 0 && userSockets?.state === 'seen') return [];
  const reason = `${count.looked} of ${count.all} interfaces of this process looked at: ${why}; run as root or as the node’s user`;
  return [blindSpot(`process ${pid}`, notSeen('not-permitted', reason))];
}

/** The accounts that the node reports as unlocked, without duplicates. Only its ipc interface tells. */
export function unlockedAccounts({ endpoints }: Pick<Live, 'endpoints'>): string[] {
  return [...new Set(endpoints.flatMap(({ unlocked }) => (unlocked.state === 'seen' ? unlocked.value : [])))];
}

/**
 * Why it is unknown which accounts are unlocked. Empty if ipc told, or if the node lists no account: it lists every key
 * of its key store, locked or not.
 */
export function unlockedBlindSpots({ endpoints }: Pick<Live, 'endpoints'>): BlindSpot[] {
  const hasNone = endpoints.some(
    ({ accounts, nodeKind }) => nodeKind !== null && accounts.state === 'seen' && accounts.value.length === 0,
  );
  const ipc = endpoints.filter(({ endpoint }) => endpoint.kind === 'ipc');
  if (hasNone || ipc.some(({ unlocked }) => unlocked.state === 'seen')) return [];
  return ipc.length === 0
    ? [blindSpot(null, unaskedIpc)]
    : ipc.flatMap(({ name, unlocked }) => (unlocked.state === 'seen' ? [] : [blindSpot(name, unlocked)]));
}

/** Whether an option kept kaiactl from asking for accounts. */
export function isUnlockedLeftOut({ endpoints }: Pick<Live, 'endpoints'>): boolean {
  return endpoints.some(({ accounts, unlocked }) => [accounts, unlocked].some(isLeftOut));
}

const unaskedIpc = notSeen(
  'not-asked',
  'only IPC tells which accounts are unlocked: audit the conf or process (pid:N) on its machine, or name its socket as ipc in the inventory',
);
