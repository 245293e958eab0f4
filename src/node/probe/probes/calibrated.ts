/**
 * Whether existence probes run nothing and are reliable. Some clients run a method that is called with {}. So only a client
 * that was recognised is probed: one that refuses {} has to reject rpc_modules {} first, another gets calls without a
 * parameter that its methods require. And it must not know a made-up method.
 */
import type { Answer } from '../../../jsonrpc/client.js';
import { unreadable } from '../../../jsonrpc/failure.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind, KindProbes, KindReleases } from '../../kinds/kind.js';
import { anyNode, existenceProbe, nonsenseMethod, parameterProbe } from '../../kinds/request.js';
import { present, type Session } from '../session.js';
import type { FactProbe, PlanLine } from './probe.js';
import { nameUnrecognised, type Recognise } from './recognised.js';

export function probeCalibrated(kinds: readonly Kind[], recognised: Recognise): FactProbe<'calibrated'> {
  return {
    fact: 'calibrated',
    over: ['http', 'ws'],
    depth: 'safe',
    plan: planned(kinds),
    unless: (facts) =>
      recognised(facts) === null
        ? notSeen('not-asked', `no existence probe is sent to ${nameUnrecognised(kinds, facts)}: ${unprobed}`)
        : null,
    async ask(session) {
      const probe = await probeOf(recognised(session.facts), session);
      if ((await session.presence(probe(nonsenseMethod()))) !== 'absent')
        throw unreadable('the node answered a made-up method as if it existed: a proxy may answer for it');
      return true;
    },
  };
}

function planned(kinds: readonly (KindProbes & KindReleases)[]): PlanLine[] {
  const [refusing, others] = [true, false].map((is) =>
    kinds.filter(({ probes }) => probes.refusesNamedParameters === is).map(({ id }) => id),
  ) as [string[], string[]];
  return [
    ...(others.length === 0 ? [] : [[`${madeUp} []`, others.join(' or ')] as const]),
    ['rpc_modules {}', refusing.join(' or ')],
    [`${madeUp} {}`, null, true],
  ];
}

const madeUp = 'kaiactl_<16 hex digits>';
const unprobed = 'modules that are not listed were not probed';

/** The existence probe of a client. @throws {ChannelError} when it does not refuse {} as its kind does */
async function probeOf(kind: KindProbes | null, session: Session) {
  if (kind?.probes.refusesNamedParameters !== true) return parameterProbe;
  const answer = await session.answer(existenceProbe(anyNode.refusal));
  if (answer.kind !== 'error' || answer.code !== present) throw unreadable(whyUnprobed(answer));
  return existenceProbe;
}

function whyUnprobed(answer: Answer): string {
  return answer.kind === 'result'
    ? `the node ran rpc_modules {} and may run other methods called with {}: ${unprobed}`
    : `the node answered rpc_modules {} with error ${answer.code}, so it may run methods called with {}: ${unprobed}`;
}
