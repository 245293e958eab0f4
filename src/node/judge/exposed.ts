/** Findings about one interface: as severe as what it exposes and whom that reaches. */
import { type Assumed, bySeverityAndReach } from '../facts/reach.js';
import type { Severity } from '../facts/severity.js';
import type { Draft } from './rule.js';

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
