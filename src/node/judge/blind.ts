/** Why something of a live node was not seen, as blind spots. */
import { type BlindSpot, blindSpot, isMoot } from '../facts/seen.js';
import { isOpen } from './answers.js';
import type { Live, LiveEndpoint } from './live.js';

/** What keeps it open whether an interface offers more than it lists: each reason once. */
export function blindToUnlisted(endpoint: LiveEndpoint): BlindSpot[] {
  const { calibrated, methods, name } = endpoint;
  if (!isOpen(endpoint) || isMoot(calibrated)) return [];
  if (calibrated.state !== 'seen') return [blindSpot(name, calibrated)];
  return Object.values(methods).flatMap((one) => (one.state === 'seen' ? [] : [blindSpot(name, one)]));
}

/** Why it is not known whether a gRPC port that settings open listens. */
export function blindToGrpc({ grpc }: Live): BlindSpot[] {
  return grpc.flatMap(({ url, listening }) =>
    listening.state === 'seen' || isMoot(listening) ? [] : [blindSpot(`grpc ${url}`, listening)],
  );
}

/** Why a fact of an endpoint is missing, as a blind spot; empty when it was seen. */
export function blindTo(
  endpoint: LiveEndpoint,
  fact: 'modules' | 'accounts' | 'foreignHost' | 'foreignOrigin' | 'calibrated' | 'client',
): BlindSpot[] {
  const value = endpoint[fact];
  return value.state === 'seen' ? [] : [blindSpot(endpoint.name, value)];
}
