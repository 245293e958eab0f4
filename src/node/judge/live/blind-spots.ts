/** Why something of a live node was not seen, as blind spots. */
import { listed } from '../../../util/words.js';
import { type BlindSpot, blindSpot, indeterminate, isMoot, notSeen } from '../../facts/seen.js';
import { unknownModules } from '../settings/module-impact.js';
import { isOpen, offeredModules } from './answers.js';
import type { Live, LiveEndpoint, LiveGrpc } from './live.js';

/** What keeps it open whether an interface offers more than it lists: each reason once. */
export function blindToUnlisted(endpoint: LiveEndpoint): BlindSpot[] {
  const { calibrated, methods, name } = endpoint;
  if (!isOpen(endpoint) || isMoot(calibrated)) return [];
  if (calibrated.state !== 'seen') return [blindSpot(name, calibrated)];
  return Object.values(methods).flatMap((one) => (one.state === 'seen' ? [] : [blindSpot(name, one)]));
}

/** Modules of another kind of node, of which nothing is known here. */
export function blindToUnknown(live: Live, endpoint: LiveEndpoint): BlindSpot[] {
  const names = unknownModules(live, offeredModules(endpoint)).slice(0, 20);
  const why = `what whoever calls ${listed(names)} can do is not known here`;
  return names.length === 0 ? [] : [indeterminate(endpoint.name, why)];
}

/** Why it is not known whether a gRPC port that settings open listens. */
export function blindToGrpc({ url, listening }: LiveGrpc): BlindSpot[] {
  return listening.state === 'seen' || isMoot(listening) ? [] : [blindSpot(`grpc ${url}`, listening)];
}

/** Why a fact of an endpoint is missing, as a blind spot; empty when it was seen. */
export function blindTo(
  endpoint: LiveEndpoint,
  fact: 'modules' | 'accounts' | 'foreignHost' | 'foreignOrigin' | 'calibrated' | 'client' | 'fileMode',
): BlindSpot[] {
  const value = endpoint[fact];
  return value.state === 'seen' ? [] : [blindSpot(endpoint.name, value)];
}

/** Why it is not known who else reaches an interface that answered this machine. */
export function blindToReach({ name, bind }: LiveEndpoint): BlindSpot {
  const { code, detail } = bind.state === 'seen' ? notSeen('not-asked', 'not asked') : bind;
  return blindSpot(name, notSeen(code, `who reaches it is not known beyond this machine: ${detail}`));
}

/** A socket that listens, that no settings open, and that could not be asked or speaks neither protocol. */
export function blindToSocket({ address, port }: Live['sockets'][number], node: Live['process']): BlindSpot {
  const listens = `the node’s process listens on ${address} and no settings say what for`;
  const apart = node.state === 'seen' && node.value.network === 'other' ? node.value.pid : null;
  const why =
    apart === null
      ? notSeen('unreadable', `${listens}; neither http nor ws answered`)
      : notSeen(
          'other-namespace',
          `${listens}; it is in a network of its own: nsenter -t ${apart} -n kaiactl node audit pid:${apart}`,
        );
  return blindSpot(`port ${port}`, why);
}
