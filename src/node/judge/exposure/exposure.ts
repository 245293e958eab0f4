/** Drafts about one interface: the severity follows from what it exposes and from who reaches it. */
import { type Assumed, bySeverityAndReach, reachOf, relaysTo } from '../../facts/reach.js';
import type { Evidence } from '../../facts/report.js';
import { isLocal, type Listener, type ListenerKind, type LocalKind } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { advise, offerPublic, switchOff } from '../../fix/proposal/fix.js';
import { moduleImpact } from '../../kinds/impact.js';
import type { Module } from '../../kinds/kind.js';
import type { Node, NodeSettings } from '../../kinds/node.js';
import { modulesOf } from '../live/answers.js';
import type { LiveEndpoint } from '../live/interfaces.js';
import type { Live } from '../live/live.js';
import { publicPartsOf } from '../live/module-differences.js';
import type { EndpointOf } from '../live/parts.js';
import type { Draft } from '../rule/rule.js';
import { isOf, type ListenerOf, placeOfModule } from '../settings/listeners.js';
import { placeOfFlags } from '../settings/setting.js';

type Exposure = Pick<Draft, 'at' | 'message' | 'fix' | 'related'> & {
  /** The exposed thing, for the subject: a module or an address. */
  readonly about: string;
  /** The severity if any address reaches it. */
  readonly severity: Severity;
  readonly evidence: Evidence;
};

/** The message names who reaches the interface. */
export function exposureDraft(kind: ListenerKind, assumed: Assumed, what: Exposure): Draft {
  const { reach, because } = assumed;
  const { about, severity, message, evidence, ...rest } = what;
  return {
    ...rest,
    subject: `${kind} ${about}`,
    severity: bySeverityAndReach(severity, reach, assumed),
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
  listener: ListenerOf<'http' | 'https' | 'ws' | 'socket' | 'grpc' | LocalKind>,
  what: Omit<Exposure, 'at' | 'related' | 'fix'>,
): Draft {
  const { kind } = listener;
  if (isLocal(kind)) {
    const { enable } = settings.nodeKind.interfaces.flags[kind];
    const at =
      relaysTo(listener).find(({ access }) => access.open !== null)?.at ?? placeOfFlags(settings, enable);
    const fix = advise('Remove the relay to the socket, or let it listen where its own users alone connect.');
    return exposureDraft(kind, reachOf(listener), { ...what, at, fix });
  }
  // These two have the list of http.
  const own =
    kind === 'https' || kind === 'socket' ? { ...listener, kind: 'http' as const } : { ...listener, kind };
  return exposureDraft(kind, reachOf(listener), {
    ...what,
    at: placeOfModule(settings, own, what.about),
    fix: isOf(own, ['http', 'ws'])
      ? offerPublic(settings, own)
      : switchOff(settings, settings.nodeKind.interfaces.flags.grpc.enable),
  });
}

/** What an offered module lets its callers do, as a draft of an exposure. */
export function offer(
  node: Node,
  kind: Listener['kind'],
  name: string,
  offers = `offers ${name}`,
  { severity, does }: Pick<Module, 'severity' | 'does'> = moduleImpact(node, name, { kind }),
) {
  const message = `${kind} ${offers}: whoever calls it can ${does}`;
  return { about: name, severity, message, evidence: { module: name } };
}

/** The draft for a module that a running node was seen to offer. */
export function proven(live: Live, endpoint: EndpointOf<'http' | 'ws'>, name: string): Draft {
  const all = modulesOf(endpoint);
  const unlisted = all?.includes(name) === false;
  const offers = unlisted ? `answers ${name}, which rpc_modules does not list` : undefined;
  const half = publicPartsOf(endpoint)[name];
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
