/** Drafts about one interface: the severity follows from what it exposes and from who reaches it. */
import { type Assumed, bySeverityAndReach, reachOf } from '../../facts/reach.js';
import type { Listener } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import {
  advise,
  type Fix,
  offerPublic,
  publishLocally,
  switchOff,
  withAlternatives,
} from '../../fix/proposal/fix.js';
import type { Node, NodeSettings } from '../../kinds/node.js';
import { modulesOf } from '../live/answers.js';
import type { LiveEndpoint, LivePort } from '../live/interfaces.js';
import type { Live } from '../live/live.js';
import { readHalvesOf } from '../live/module-differences.js';
import type { EndpointOf } from '../live/parts.js';
import type { Draft } from '../rule/rule.js';
import { isOf, type ListenerOf, placeOfModule } from '../settings/listeners.js';
import { moduleImpact } from '../settings/module-lists.js';
import { nameOf } from '../settings/setting.js';

type Exposure = Pick<Draft, 'at' | 'message' | 'fix' | 'related'> & {
  /** The exposed thing, for the subject: a module or an address. */
  readonly about: string;
  /** The severity if any address reaches it. */
  readonly severity: Severity;
  readonly evidence: Readonly<Record<string, unknown>>;
};

/** The message names who reaches the interface. */
export function exposureDraft(kind: string, { reach, because }: Assumed, what: Exposure): Draft {
  const { about, severity, message, evidence, ...rest } = what;
  return {
    ...rest,
    subject: `${kind} ${about}`,
    severity: bySeverityAndReach(severity, reach),
    message: `${message}; ${because}.`,
    evidence: { interface: kind, ...evidence, reach },
  };
}

export function liveExposureDraft(
  { endpoint, name, reach }: LiveEndpoint,
  what: Omit<Exposure, 'at' | 'related'>,
): Draft {
  return exposureDraft(endpoint.kind, reach, { ...what, at: { endpoint: name } });
}

/** The draft for a module that the settings offer, `what.about`. The fix keeps the public modules of the list. */
export function moduleExposureDraft(
  settings: NodeSettings,
  listener: ListenerOf<'http' | 'ws' | 'grpc'>,
  what: Omit<Exposure, 'at' | 'related' | 'fix'>,
): Draft {
  return exposureDraft(listener.kind, reachOf(listener), {
    ...what,
    at: placeOfModule(settings, listener, what.about),
    fix: isOf(listener, ['http', 'ws'])
      ? offerPublic(settings, listener)
      : switchOff(settings, settings.nodeKind.interfaces.flags[listener.kind].enable),
  });
}

/** What an offered module lets its callers do, as a draft of an exposure. */
export function offer(
  node: Node,
  kind: 'http' | 'ws' | 'grpc',
  name: string,
  offers = `offers ${name}`,
  { severity, does } = moduleImpact(node, kind, name),
) {
  const message = `${kind} ${offers}: whoever calls it can ${does}`;
  return { about: name, severity, message, evidence: { module: name } };
}

/** The draft for a module that a running node was seen to offer. */
export function proven(live: Live, endpoint: EndpointOf<'http' | 'ws'>, name: string): Draft {
  const all = modulesOf(endpoint);
  const unlisted = all?.includes(name) === false;
  const offers = unlisted ? `answers ${name}, which rpc_modules does not list` : undefined;
  const half = readHalvesOf(endpoint)[name];
  const remedy = unlisted
    ? `Find out what offers ${name}.`
    : `Remove ${name} from the list and restart the node.`;
  return liveExposureDraft(endpoint, {
    ...offer(
      live,
      endpoint.endpoint.kind,
      name,
      half === undefined ? offers : `offers a part of ${name}`,
      half,
    ),
    fix: advise(half === undefined ? remedy : 'List the modules that clients need: the list is empty.'),
    evidence: { module: name, proven: true, ...(unlisted ? { unlisted } : {}) },
  });
}

/** How to close a profiler. Monitoring needs the metrics port, which no flag binds (Kaia: metrics/utils/metrics.go). */
export function profilerFix(settings: NodeSettings, { kind, port, container }: Listener): Fix {
  const { metrics, pprof } = settings.nodeKind.interfaces.flags;
  if (kind === 'pprof') return switchOff(settings, pprof.enable);
  const name = metrics.enable === null ? 'it' : nameOf(settings, metrics.enable);
  const firewall = advise(
    `Let a firewall pass only the metrics collector to port ${port ?? '?'}. Where nothing collects metrics, switch ${name} off.`,
  );
  return container?.published == null
    ? firewall
    : withAlternatives(firewall, publishLocally(container.published));
}

/** The fix for a port that answered. debug_startPProf opens the port of --pprof at run time, where no setting names it. */
export function liveProfilerFix({ kind, listener }: LivePort): Fix {
  return advise(
    kind === 'pprof' && listener?.state !== 'on'
      ? 'Close it with debug.stopPProf over IPC, or restart the node, and find out what opened it.'
      : 'Let a firewall pass only the metrics collector. Where nothing collects metrics, switch the port off and restart the node.',
  );
}
