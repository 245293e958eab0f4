/** What the three wildcard rules share on a live node: a stranger was let in. */

import { isMoot } from '../../facts/seen.js';
import { isKnown } from '../../kinds/index.js';
import { switchOf } from '../exposure/unsafe-debug.js';
import { advise } from '../fix/fix.js';
import { modulesOf, stoodOpen } from '../live/answers.js';
import { blindTo } from '../live/blind-spots.js';
import { asked, type Live, type LiveEndpoint } from '../live/live.js';
import { type Draft, foundInEach, type Verdict } from '../rule/rule.js';
import { accessSeverity } from './severity.js';
import { worth } from './wildcard.js';

interface Question {
  readonly kind: 'http' | 'ws';
  readonly fact: 'foreignHost' | 'foreignOrigin';
  /** The variable of a Kaia node that decides it: the subject, as the conf's finding has it. */
  readonly variable: string;
  /** What decides it on any node: `origins`. */
  readonly list: string;
  readonly message: string;
}

/** One finding for each endpoint that let a stranger in; blind where that could not be seen. */
export function openAccess(live: Live, ask: Question): Verdict {
  return foundInEach(
    asked(live, ask.kind).filter((one) => !isMoot(one[ask.fact])),
    {
      findings: (one) => (stoodOpen(one[ask.fact]) ? [draft(live, one, ask)] : []),
      blindSpots: (one) => blindTo(one, ask.fact),
    },
  );
}

function draft(live: Live, endpoint: LiveEndpoint, ask: Question): Draft {
  const { name, bound } = endpoint;
  return {
    subject: isKnown(live) ? ask.variable : `${ask.kind} ${ask.list}`,
    severity: accessSeverity(bound.reach, {
      modules: modulesOf(endpoint),
      unsafeDebug: switchOf(endpoint)?.state ?? 'unproven',
      unlocked: false,
      kind: live,
    }),
    at: { endpoint: name },
    message: `${ask.kind}: ${ask.message}${worth(bound)}.`,
    fix: advise(
      `Name ${isKnown(live) ? `in ${ask.variable} ` : ''}only the ${ask.list} that need it, and restart the node.`,
    ),
    evidence: { interface: ask.kind, proven: true, bound: bound.reach },
  };
}
