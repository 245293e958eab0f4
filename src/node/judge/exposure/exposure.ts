/** Drafts about one interface: the severity follows from what it exposes and from who reaches it. */
import { type Assumed, bySeverityAndReach, reachOf } from '../../facts/reach.js';
import type { Severity } from '../../facts/severity.js';
import { offerPublic, switchOff } from '../../fix/proposal/fix.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { LiveEndpoint } from '../live/interfaces.js';
import type { Draft } from '../rule/rule.js';
import { isOf, type ListenerOf, placeOfModule } from '../settings/listeners.js';

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
