/** What someone who gets in to an interface can do at worst: what an access rule is worth. */

import type { Reach } from '../../facts/reach.js';
import type { Settings } from '../../facts/settings.js';
import { mostSevere, type Severity } from '../../facts/severity.js';
import { isKnown, kindOf, moduleOn } from '../../kinds/index.js';
import type { NodeIdentity } from '../../kinds/kind.js';
import { type SwitchState, switchSeverity } from '../exposure/unsafe-debug.js';

export interface Behind {
  /** null: not known which. */
  readonly modules: readonly string[] | null;
  /** The unsafe-debug switch, for an interface that offers debug. */
  readonly unsafeDebug: SwitchState;
  /** True when an account is unlocked. */
  readonly unlocked: boolean;
  readonly kind: NodeIdentity;
}

/**
 * How bad a rule that lets every web page in is. Where any address gets in anyway it adds nothing but a relay; else it
 * makes browsers a way in, and is at least medium and as bad as the worst that is offered behind it.
 */
export function accessSeverity(bound: Reach, behind: Behind): Severity {
  if (bound === 'any') return 'low';
  return mostSevere(['medium', ...(behind.modules ?? []).map((name) => worth(name, behind))]);
}

function worth(name: string, { unsafeDebug, unlocked, kind }: Behind): Severity {
  if (name === 'debug' && isKnown(kind)) return switchSeverity[unsafeDebug];
  if (unlocked && kind.kind !== null && kindOf(kind.kind).modules.signing.includes(name)) return 'critical';
  const known = moduleOn(kind, name);
  return known?.privileged === true ? known.severity : 'low';
}

/** True when the settings keep an account unlocked. */
export function unlocks({ values }: Settings): boolean {
  const { value = null } = values.unlock ?? {};
  return value !== null && value !== '';
}
