/** What a node offers, interface by interface: by its settings, or as it was seen. */

import type { PolicyInterface } from '../../facts/policy.js';
import { type Assumed, reachOfBind } from '../../facts/reach.js';
import type { InterfaceReport, Place, Report } from '../../facts/report.js';
import { type BlindSpot, blindSpot, indeterminate, isMoot, isRefused } from '../../facts/seen.js';
import type { Listener, Settings } from '../../facts/settings.js';
import { canonicalModule, listenerFlags, olderKind } from '../../kinds/index.js';
import { switchOf } from '../exposure/unsafe-debug.js';
import { isOpen, letIn, modulesOf, stoodOpen } from '../live/answers.js';
import { blindTo } from '../live/blind-spots.js';
import { asked, type Live, type LiveEndpoint, type LivePort } from '../live/live.js';
import {
  blindListeners,
  blindOffers,
  letsStrangersIn,
  listenersOn,
  placeNamed,
} from '../settings/listeners.js';
import { placeOf } from '../settings/setting.js';

/** null: it was not seen, or there is no such thing at this interface; `blindSpots` of all say which. */
export interface Offer {
  readonly kind: PolicyInterface;
  /** As findings name it: `http`. */
  readonly at: Place;
  readonly modules: readonly string[] | null;
  /** Where a module is listed. */
  moduleAt(name: string): Place;
  readonly reach: Assumed;
  readonly anyOrigin: boolean | null;
  readonly anyHost: boolean | null;
  /** True when the unsafe part of debug is proven or set to be off. */
  readonly unsafeDebugOff: boolean | null;
}

export interface Offers {
  readonly offers: readonly Offer[];
  readonly blindSpots: readonly BlindSpot[];
}

/** The flag behind which debug's dangerous half is off. */
const switchFlag = 'rpc.unsafe-debug.disable';

export function offersOfSettings(settings: Settings): Offers {
  const kinds = ['http', 'ws', 'grpc', 'metrics', 'pprof', 'ipc'] as const;
  const offers = listenersOn(settings, ...kinds).flatMap((listener) => declared(settings, listener));
  return {
    offers,
    blindSpots: [
      ...blindOffers(settings, 'http', 'ws'),
      ...blindListeners(settings, 'grpc', 'metrics', 'pprof', 'ipc'),
    ],
  };
}

function declared(settings: Settings, listener: Listener): Offer[] {
  const { kind, modules } = listener;
  if (kind === 'mainbridge') return [];
  const flags = listenerFlags(settings)[kind];
  const at = placeOf(settings, flags.enable);
  const off = settings.values[switchFlag];
  const list = 'api' in flags ? placeOf(settings, flags.api, flags.enable) : at;
  return [
    {
      kind,
      at,
      modules: kind === 'metrics' || kind === 'pprof' ? [] : modules,
      moduleAt: (name) => placeNamed(settings, listener, name) ?? list,
      reach: kind === 'ipc' ? { reach: 'ipc', because: 'users of this machine' } : reachOfBind(listener),
      ...letsStrangersIn(listener),
      unsafeDebugOff: off?.indeterminate == null ? off?.value === true : null,
    },
  ];
}

export function offersOfLive(live: Live): Offers {
  const endpoints = asked(live, 'http', 'ws', 'ipc');
  return {
    offers: [
      ...endpoints.filter(isOpen).map(proven),
      ...live.metrics.filter(answers).map((port) => ofPort(port)),
    ],
    blindSpots: [...endpoints.flatMap(blindAt), ...live.metrics.flatMap(blindPort)],
  };
}

function proven(endpoint: LiveEndpoint): Offer {
  const at = { endpoint: endpoint.name };
  const proof = switchOf(endpoint);
  return {
    kind: endpoint.endpoint.kind,
    at,
    modules: modulesOf(endpoint),
    moduleAt: () => at,
    reach: endpoint.reach,
    anyOrigin: letIn(endpoint.foreignOrigin),
    anyHost: letIn(endpoint.foreignHost),
    unsafeDebugOff: proof === null || proof.state === 'unproven' ? null : proof.state === 'on',
  };
}

function ofPort(port: LivePort): Offer {
  const at = { endpoint: port.url };
  const nothing = { modules: [], anyOrigin: null, anyHost: null, unsafeDebugOff: null };
  return { kind: port.kind, at, moduleAt: () => at, reach: port.reach, ...nothing };
}

function answers({ metrics, profiler }: LivePort): boolean {
  return stoodOpen(metrics) || stoodOpen(profiler);
}

/** An interface nobody listens at is closed; one that does not answer may be open to others. */
function blindAt(endpoint: LiveEndpoint): BlindSpot[] {
  if (isRefused(endpoint.modules)) return [];
  if (endpoint.endpoint.kind === 'ipc' || !isOpen(endpoint)) return blindTo(endpoint, 'modules');
  const proof = switchOf(endpoint);
  return [
    ...blindTo(endpoint, 'modules'),
    ...(isMoot(endpoint.foreignOrigin) ? [] : blindTo(endpoint, 'foreignOrigin')),
    ...(isMoot(endpoint.foreignHost) ? [] : blindTo(endpoint, 'foreignHost')),
    ...(endpoint.reach.lowerBound
      ? [indeterminate(endpoint.name, 'who reaches it is not known beyond this machine')]
      : []),
    ...(proof?.state === 'unproven'
      ? [indeterminate(endpoint.name, proof.reason ?? 'the unsafe-debug switch is not proven')]
      : []),
  ];
}

function blindPort(port: LivePort): BlindSpot[] {
  const { metrics, url } = port;
  if (answers(port) || metrics.state === 'seen' || isRefused(metrics) || isMoot(metrics)) return [];
  return [blindSpot(url, metrics)];
}

/** What a saved report saw; an interface that was only read from a conf is not known well enough. */
export function offersOfReport({ targets }: Pick<Report, 'targets'>): Offers {
  const rows = targets.flatMap(({ interfaces }) => interfaces);
  return {
    offers: targets.flatMap(({ kind = olderKind, interfaces }) =>
      interfaces.filter(({ state }) => state === 'open').map((row) => reported(row, kind)),
    ),
    blindSpots: rows
      .filter(({ state }) => state === 'unreachable' || state === 'not-checked')
      .map(({ endpoint, reason }) => indeterminate(endpoint, reason ?? 'it was not asked')),
  };
}

function reported(row: InterfaceReport, nodeKind: string | null): Offer {
  const { transport, endpoint, modules, reach, access, unsafeDebug } = row;
  const at = { endpoint };
  return {
    kind: transport,
    at,
    modules:
      modules === null
        ? null
        : [...new Set(Object.keys(modules).map((name) => canonicalModule({ kind: nodeKind }, name)))],
    moduleAt: () => at,
    reach: { reach: reach ?? 'any', because: 'the report says so' },
    anyOrigin: access?.foreignOrigin ?? null,
    anyHost: access?.foreignHost ?? null,
    unsafeDebugOff: unsafeDebug == null ? null : unsafeDebug === 'on',
  };
}
