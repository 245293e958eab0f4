/** The verdict on accounts that a running node reports as unlocked, while an interface offers to sign with them. */
import { joinFirst, joinWords } from '../../../util/words.js';
import { type Assumed, bySeverityAndReach, widest } from '../../facts/reach.js';
import type { ListenerKind } from '../../facts/settings.js';
import { advise } from '../../fix/proposal/fix.js';
import type { KindModules } from '../../kinds/kind.js';
import { isOpen, offeredModules } from '../live/answers.js';
import {
  factBlindSpots,
  grpcBlindSpots,
  isUnlockedLeftOut,
  unlockedAccounts,
  unlockedBlindSpots,
} from '../live/blind-spots.js';
import type { Live } from '../live/live.js';
import { relevantEndpoints } from '../live/parts.js';
import { type Draft, decideVerdict, notApplicable, type Verdict } from '../rule/rule.js';
import { unlocksAccount } from './severity.js';

interface Signing extends Assumed {
  readonly kind: ListenerKind;
  /** As reports name it. */
  readonly name: string;
}

/** Undetermined where an interface signs, or may sign, and ipc did not tell which accounts are unlocked. */
export function unlockedWhileRunning(live: Live): Verdict {
  const { nodeKind, release } = live;
  if (nodeKind === null || live.endpoints.length + live.grpc.length === 0) return notApplicable;
  // The releases since one that cannot unlock an account cannot either.
  if (release?.since !== undefined && nodeKind.at(release.since).flags.unlock === null) return notApplicable;
  const signing = signingInterfaces(live, nodeKind);
  const unseen = [
    ...relevantEndpoints(live, 'http', 'ws').flatMap((one) => factBlindSpots(one, 'modules')),
    ...live.grpc.flatMap(grpcBlindSpots),
  ];
  const unlocked = unlockedAccounts(live);
  if (unlocked.length > 0)
    return decideVerdict(signing.length === 0 ? [] : [draft(live, signing, unlocked)], unseen);
  if (isUnlockedLeftOut(live)) return notApplicable;
  return decideVerdict([], signing.length + unseen.length === 0 ? [] : unlockedBlindSpots(live));
}

/** The interfaces that were seen to offer a module that signs. gRPC serves every public module. */
function signingInterfaces(live: Live, { modules }: KindModules): Signing[] {
  const offering = relevantEndpoints(live, 'http', 'ws').filter(
    (one) => isOpen(one) && offeredModules(one).some((name) => modules.signing.includes(name)),
  );
  const grpc = live.grpc.filter(({ listening }) => listening.state === 'seen');
  return [
    ...offering.map(({ endpoint, name, reach }) => ({ ...reach, kind: endpoint.kind, name })),
    ...grpc.map(({ url, reach }) => ({
      ...reach,
      kind: 'grpc' as const,
      name: url.replace(/^http/, 'grpc'),
    })),
  ];
}

/** How many accounts a message and the evidence name. */
const maxNamed = { message: 3, evidence: 20 };

/** Its subject is that of --unlock if the process was started with it: then both are one finding. */
function draft(live: Live, signing: readonly Signing[], unlocked: readonly string[]): Draft {
  const who = widest(signing);
  const { name, reach, because } = who;
  const interfaces = signing.map(({ kind }) => kind);
  const count = unlocked.length;
  const isStarted = live.started !== null && unlocksAccount(live.started);
  const [be, them, their] = count === 1 ? ['is', 'it', 'its'] : ['are', 'them', 'their'];
  return {
    subject: isStarted ? '--unlock' : 'unlocked accounts',
    severity: bySeverityAndReach('critical', reach, who),
    at: { endpoint: name },
    message: `${joinFirst(unlocked, maxNamed.message)} ${be} unlocked, and ${joinWords(interfaces)} can sign with ${them}: whoever calls can spend ${their} funds; ${because}.`,
    fix: advise(
      isStarted
        ? 'Remove --unlock, restart the node and sign elsewhere.'
        : `Lock ${them} with personal.lockAccount over IPC, find out what unlocked ${them}, and sign elsewhere.`,
    ),
    evidence: { interfaces, accounts: unlocked.slice(0, maxNamed.evidence), count, reach, proven: true },
  };
}
