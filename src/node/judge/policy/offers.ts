/** What a node offers per interface, from its settings, a live node or a saved report. */
import { type PolicyInterface, policyInterfaces } from '../../facts/policy.js';
import { type Assumed, reachOfBind } from '../../facts/reach.js';
import type { InterfaceReport, Place, TargetReport } from '../../facts/report.js';
import { type BlindSpot, blindSpot, indeterminate, isLeftOut, isMoot, isRefused } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import type { Kind, KindListeners } from '../../kinds/kind.js';
import { canonicalModule, kindKnown, type NodeSettings } from '../../kinds/node.js';
import { switchAdvice, switchOf } from '../exposure/unsafe-debug.js';
import { accessOf, isAccessOpen, isOpen, modulesOf } from '../live/answers.js';
import { factBlindSpots } from '../live/blind-spots.js';
import type { LiveEndpoint, LivePort } from '../live/interfaces.js';
import type { Live } from '../live/live.js';
import { relevantEndpoints } from '../live/parts.js';
import {
  listenerBlindSpots,
  listenersOn,
  moduleListBlindSpots,
  placeNamed,
  placeOfBind,
  wildcardsOf,
} from '../settings/listeners.js';
import { placeOfFlags } from '../settings/setting.js';

/** A null field: not seen, or the interface has no such list; the `blindSpots` of `Offers` say which. */
export interface Offer {
  readonly kind: PolicyInterface;
  readonly modules: readonly string[] | null;
  /** The place of a module or of the setting that a limit is about. */
  placeOf(what: string): Place;
  readonly reach: Assumed;
  readonly anyOrigin: boolean | null;
  readonly anyHost: boolean | null;
  /** Whether the unsafe methods of debug are disabled, by settings or by proof. */
  readonly unsafeDebugOff: boolean | null;
  /** Advice to disable them, as a clause; null if the release has no switch, or the kind is not known. */
  readonly switchAdvice: string | null;
}

export interface Offers {
  readonly offers: readonly Offer[];
  readonly blindSpots: readonly BlindSpot[];
}

/** The interfaces with a module list. */
const listed = ['http', 'ws', 'https', 'socket'] as const;

export function declaredOffers(settings: NodeSettings): Offers {
  const offers = listenersOn(settings, ...policyInterfaces).flatMap((listener) =>
    declared(settings, listener),
  );
  return {
    offers,
    blindSpots: [
      ...moduleListBlindSpots(settings, ...listed),
      ...listenerBlindSpots(
        settings,
        ...policyInterfaces.filter((kind) => !listed.some((one) => one === kind)),
      ),
    ],
  };
}

function declared(settings: NodeSettings, listener: Listener): Offer[] {
  const { modules } = listener;
  const kind = policyInterfaces.find((one) => one === listener.kind);
  if (kind === undefined) return [];
  const flags = settings.nodeKind.interfaces.flags[kind];
  const flag = settings.nodeKind.probes.unsafeDebug?.flag;
  const off = flag === undefined ? undefined : settings.values[flag];
  return [
    {
      kind,
      modules: kind === 'metrics' || kind === 'pprof' ? [] : modules,
      placeOf: (what) => {
        if (what === 'reach') return placeOfBind(settings, listener);
        const limited = { open: flags.enable, origins: flags.origins, hosts: flags.vhosts }[what];
        const list = limited === undefined ? flags.api : limited;
        return placeNamed(settings, listener, what) ?? placeOfFlags(settings, list, flags.enable);
      },
      reach: kind === 'ipc' ? { reach: 'ipc', because: 'users of this machine' } : reachOfBind(listener),
      ...checkedBy(wildcardsOf(listener), kind, settings.nodeKind),
      unsafeDebugOff: off?.indeterminate == null ? off?.value === true : null,
      switchAdvice: switchAdvice(settings),
    },
  ];
}

/** What a node of this kind checks: a policy cannot ask for more. */
function checkedBy(
  { anyOrigin, anyHost }: Pick<Offer, 'anyOrigin' | 'anyHost'>,
  kind: PolicyInterface,
  nodeKind: KindListeners | null,
): Pick<Offer, 'anyOrigin' | 'anyHost'> {
  const { host = true, wsOrigin = true } = nodeKind?.interfaces.checks ?? {};
  return { anyOrigin: kind === 'ws' && !wsOrigin ? null : anyOrigin, anyHost: host ? anyHost : null };
}

export function liveOffers(live: Live): Offers {
  const endpoints = relevantEndpoints(live, 'http', 'ws', 'ipc');
  return {
    offers: [
      ...endpoints.filter(isOpen).map(proven),
      ...live.metrics.filter(answers).map((port) => ofPort(port)),
    ],
    blindSpots: [...endpoints.flatMap(endpointBlindSpots), ...live.metrics.flatMap(portBlindSpots)],
  };
}

function proven(endpoint: LiveEndpoint): Offer {
  const at = { endpoint: endpoint.name };
  const proof = switchOf(endpoint);
  return {
    kind: endpoint.endpoint.kind,
    modules: modulesOf(endpoint),
    placeOf: () => at,
    reach: endpoint.reach,
    ...checkedBy(
      { anyOrigin: accessOf(endpoint.foreignOrigin), anyHost: accessOf(endpoint.foreignHost) },
      endpoint.endpoint.kind,
      endpoint.nodeKind,
    ),
    unsafeDebugOff: proof === null || proof.state === 'unproven' ? null : proof.state === 'on',
    switchAdvice: switchAdvice(endpoint),
  };
}

function ofPort(port: LivePort): Offer {
  const at = { endpoint: port.url };
  const nothing = {
    modules: [],
    anyOrigin: null,
    anyHost: null,
    unsafeDebugOff: null,
    switchAdvice: null,
  };
  return { kind: port.kind, placeOf: () => at, reach: port.reach, ...nothing };
}

function answers({ metrics, profiler }: LivePort): boolean {
  return isAccessOpen(metrics) || isAccessOpen(profiler);
}

/** An interface that refuses connections is closed; one that does not answer may be open to others. */
function endpointBlindSpots(endpoint: LiveEndpoint): BlindSpot[] {
  if (isRefused(endpoint.modules)) return [];
  if (endpoint.endpoint.kind === 'ipc' || !isOpen(endpoint)) return factBlindSpots(endpoint, 'modules');
  const proof = switchOf(endpoint);
  return [
    ...factBlindSpots(endpoint, 'modules'),
    ...(['foreignOrigin', 'foreignHost'] as const).flatMap((fact) =>
      isMoot(endpoint[fact]) && !isLeftOut(endpoint[fact]) ? [] : factBlindSpots(endpoint, fact),
    ),
    ...(endpoint.reach.lowerBound
      ? [indeterminate(endpoint.name, 'who reaches it beyond this machine is not known')]
      : []),
    ...(proof?.state === 'unproven'
      ? [indeterminate(endpoint.name, proof.reason ?? 'the unsafe-debug switch is not proven')]
      : []),
  ];
}

function portBlindSpots(port: LivePort): BlindSpot[] {
  const { metrics, url } = port;
  if (answers(port) || metrics.state === 'seen' || isRefused(metrics) || isMoot(metrics)) return [];
  return [blindSpot(url, metrics)];
}

/** The interfaces of a node seen open in a saved report; those that were not contacted are blind spots. */
export function reportedOffers({ kind = null, interfaces }: TargetReport, kinds: readonly Kind[]): Offers {
  const rows = interfaces.filter(({ role }) => role === undefined);
  return {
    offers: rows
      .filter(({ state }) => state === 'open')
      .map((row) => reported(row, kindKnown(kinds, { kind }))),
    blindSpots: rows
      .filter(({ state }) => state === 'unreachable' || state === 'not-checked')
      .map(({ endpoint, reason }) => indeterminate(endpoint, reason ?? 'it was not contacted')),
  };
}

function reported(row: InterfaceReport, nodeKind: Kind | null): Offer {
  const { transport, endpoint, modules, reach, access, unsafeDebug } = row;
  const at = { endpoint };
  return {
    kind: transport,
    modules:
      modules === null
        ? null
        : [...new Set(Object.keys(modules).map((name) => canonicalModule({ nodeKind }, name)))],
    placeOf: () => at,
    reach: { reach: reach ?? 'any', because: 'according to the saved report' },
    anyOrigin: access?.foreignOrigin ?? null,
    anyHost: access?.foreignHost ?? null,
    unsafeDebugOff: unsafeDebug == null ? null : unsafeDebug === 'on',
    switchAdvice: switchAdvice({ nodeKind }),
  };
}
