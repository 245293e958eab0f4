/** What the three wildcard rules share on a live node: a stranger was let in. */

import { isMoot } from '../../facts/seen.js';
import { kinds } from '../../kinds/index.js';
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
  /** Which list of the interface decides it. */
  readonly setting: 'origins' | 'vhosts';
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
  const setting = settingOf(live, ask);
  return {
    subject: setting ?? `${ask.kind} ${ask.list}`,
    severity: accessSeverity(bound.reach, {
      modules: modulesOf(endpoint),
      unsafeDebug: switchOf(endpoint)?.state ?? 'unproven',
      unlocked: false,
      kind: live,
    }),
    at: { endpoint: name },
    message: `${ask.kind}: ${ask.message}${worth(bound)}.`,
    fix: advise(
      `Name ${setting === null ? '' : `in ${setting} `}only the ${ask.list} that need it, and restart the node.`,
    ),
    evidence: { interface: ask.kind, proven: true, bound: bound.reach },
  };
}

/** The variable or the flag that sets the list: the subject, as the conf's finding has it. null: it is an unknown kind of node. */
function settingOf(live: Live, { kind: wire, setting }: Question): string | null {
  const kind = kinds.find(({ id }) => id === live.kind);
  if (kind === undefined) return null;
  const { http, ws } = kind.interfaces.flags;
  const flag = wire === 'http' ? http[setting] : ws.origins;
  const { launchers, usualLauncher } = kind;
  const carrying = launchers?.variablesByFlag(usualLauncher, launchers.packages[0] ?? '').get(flag);
  return carrying?.name ?? `--${flag}`;
}
