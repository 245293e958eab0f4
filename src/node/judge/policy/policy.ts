/** Compares what a node offers with a policy. */
import { joinWords } from '../../../util/words.js';
import type { Clause, Limit, Policy, Sentence } from '../../facts/policy.js';
import { reaches } from '../../facts/reach.js';
import { advise } from '../../fix/proposal/fix.js';
import type { Kind, KindModules } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { Live } from '../live/live.js';
import type { Draft, Verdict } from '../rule/rule.js';
import { declaredOffers, liveOffers, type Offer, type Offers } from './offers.js';

/** One violation of a limit. */
interface Breach {
  /** The last word of the subject: a module, or the name of the limit. */
  readonly what: string;
  readonly message: string;
  readonly fix: string;
  readonly limit: Limit<unknown> | null;
}

export function judgeSettings(settings: NodeSettings, policy: Policy): Verdict {
  return against(policy, declaredOffers(settings), settings.nodeKind);
}

export function judgeLive(live: Live, policy: Policy): Verdict {
  return against(policy, liveOffers(live), live.nodeKind);
}

function against(policy: Policy, { offers, blindSpots }: Offers, nodeKind: Kind | null): Verdict {
  const findings = offers.flatMap((offer) =>
    breaches(offer, policy, nodeKind).map((breach) => draft(offer, breach, policy)),
  );
  return { findings, blindSpots };
}

/** The policy closes every interface that it does not name, except ipc, which is always open. */
function breaches(offer: Offer, policy: Policy, nodeKind: Kind | null): Breach[] {
  const clause = policy.interfaces[offer.kind] ?? (offer.kind === 'ipc' ? {} : closed);
  if (clause.open?.value === false) {
    const message = `${offer.kind} is open`;
    const fix = `Switch ${offer.kind} off, or allow it in the policy.`;
    return [{ what: 'open', message, fix, limit: clause.open }];
  }
  return [
    ...beyondModules(offer, clause, nodeKind),
    ...beyondReach(offer, clause),
    ...beyondAccess(offer, clause),
  ];
}

export const closed: Clause = { open: { value: false, says: null } };

function beyondModules(offer: Offer, clause: Clause, nodeKind: KindModules | null): Breach[] {
  const { kind, modules, unsafeDebugOff, switchAdvice } = offer;
  const { modules: limit } = clause;
  const allowed = limit?.value ?? modules ?? [];
  // A policy may be for several kinds of node.
  const has = (name: string) => nodeKind === null || nodeKind.modules.listed(name) !== null;
  const over = (modules ?? []).filter((name) => name !== 'rpc' && !allowed.includes(name));
  const unsafe = clause['unsafe-debug'];
  const exposed = unsafe?.value === 'disabled' && unsafeDebugOff === false && modules?.includes('debug');
  return [
    ...over.map((name) => ({
      what: name,
      message: `${kind} offers ${name}; allowed are ${joinWords(allowed.filter(has))}`,
      fix: `Remove ${name} from the list of ${kind}, or allow it in the policy.`,
      limit: limit ?? null,
    })),
    ...(exposed && unsafe !== undefined
      ? [
          {
            what: 'unsafe-debug',
            message: `${kind} offers debug with its unsafe methods enabled`,
            fix: `Remove debug from the list of ${kind}${switchAdvice === null ? '' : `, or ${switchAdvice}`}.`,
            limit: unsafe,
          },
        ]
      : []),
  ];
}

function beyondReach({ kind, reach }: Offer, { reach: limit }: Clause): Breach[] {
  if (limit === undefined || reaches.indexOf(reach.reach) <= reaches.indexOf(limit.value)) return [];
  const message = `${kind}: ${reach.because}; allowed is ${limit.value}`;
  const fix = `Bind ${kind} to an address with a smaller reach, or state with --assume-reach who reaches it through the firewall.`;
  return [{ what: 'reach', message, fix, limit }];
}

function beyondAccess({ kind, anyOrigin, anyHost }: Offer, { origins, hosts }: Clause): Breach[] {
  const all = [
    { what: 'origins', limit: origins, any: anyOrigin, who: 'any origin' },
    { what: 'hosts', limit: hosts, any: anyHost, who: 'any Host name' },
  ];
  return all.flatMap(({ what, limit, any, who }) =>
    limit?.value === 'listed' && any === true
      ? [
          {
            what,
            message: `${kind} accepts ${who}`,
            fix: `List only the ${what} that need access.`,
            limit,
          },
        ]
      : [],
  );
}

function draft(offer: Offer, { what, message, fix, limit }: Breach, policy: Policy): Draft {
  return {
    subject: `${offer.kind} ${what}`,
    at: offer.placeOf(what === 'unsafe-debug' ? 'debug' : what),
    message: `${message}; policy ${policy.name}, version ${policy.version}.${quoted(limit?.says ?? null)}`,
    fix: advise(fix),
    evidence: { interface: offer.kind, policy: policy.name, version: policy.version },
  };
}

function quoted(sentence: Sentence | null): string {
  return sentence === null ? '' : ` “${sentence.text}” (${sentence.from})`;
}
