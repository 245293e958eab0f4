/** Findings about one interface: as severe as what it exposes and whom that reaches. */
import { type Assumed, bySeverityAndReach, reachOf } from '../../facts/reach.js';
import type { Settings } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { listenerFlags } from '../../kinds/index.js';
import { offerPublic, turnOff } from '../fix/fix.js';
import type { LiveEndpoint } from '../live/live.js';
import type { Draft } from '../rule/rule.js';
import { isOf, type ListenerOf, placeOfModule } from '../settings/listeners.js';

/** What an interface exposes. */
type Exposed = Pick<Draft, 'at' | 'message' | 'fix' | 'related'> & {
  /** What of the interface it is about: a module, an address. */
  readonly about: string;
  /** How bad it is for any address. */
  readonly severity: Severity;
  readonly evidence: Readonly<Record<string, unknown>>;
};

/** The draft of a finding: who reaches the interface is said in its message and decides its severity. */
export function exposed(kind: string, { reach, because }: Assumed, what: Exposed): Draft {
  const { about, severity, message, evidence, ...rest } = what;
  return {
    ...rest,
    subject: `${kind} ${about}`,
    severity: bySeverityAndReach(severity, reach),
    message: `${message}; ${because}.`,
    evidence: { interface: kind, ...evidence, reach },
  };
}

/** The same for what an endpoint was seen to expose. */
export function seenExposed(
  { endpoint, name, reach }: LiveEndpoint,
  what: Omit<Exposed, 'at' | 'related'>,
): Draft {
  return exposed(endpoint.kind, reach, { ...what, at: { endpoint: name } });
}

/** The same for a module that the settings offer, `what.about`; by itself the fix leaves what everyone may call. */
export function moduleExposed(
  settings: Settings,
  listener: ListenerOf<'http' | 'ws' | 'grpc'>,
  what: Omit<Exposed, 'at' | 'related' | 'fix'>,
): Draft {
  return exposed(listener.kind, reachOf(listener), {
    ...what,
    at: placeOfModule(settings, listener, what.about),
    fix: isOf(listener, ['http', 'ws'])
      ? offerPublic(settings, listener)
      : turnOff(settings, listenerFlags(settings)[listener.kind].enable),
  });
}
