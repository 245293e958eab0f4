/** An account is unlocked for good while an interface offers methods that sign with it. */
import type { ConfFacts } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { LiveFacts } from '../facts/live.js';
import { type Assumed, bySeverityAndReach, reaches, reachOf, reachOfHost } from '../facts/reach.js';
import { type BlindSpot, indeterminate, seenValue } from '../facts/seen.js';
import { blindListeners, forConf, found, indeterminateReason, listed, listenersOn } from '../judge/conf.js';
import { asked, forEither, nameOfEndpoint } from '../judge/live.js';
import type { Rule, Verdict } from '../judge/rule.js';
import { nameOf, placeOf, switchOff } from '../judge/setting.js';
import { signingModules } from '../kinds/kaia/modules.js';

const kinds = ['http', 'ws', 'grpc', 'mainbridge'] as const;

export const unlockedAccount: Rule = {
  id: 'unlocked-account',
  severity: 'critical',
  title: 'An account is unlocked while an interface offers to sign with it.',
  why: `The node has no guard against this: --unlock (or SCSIGNER, which the kscnd launcher turns into --scsigner X --unlock X) keeps the key open for the life of the process, and then klay or eth alone answers sendTransaction and sign to whoever asks. gRPC and the main bridge serve those modules whatever the lists say.`,
  fix: 'Do not unlock on a node others reach: sign elsewhere, or bind the interfaces to loopback.',
  needs: ['conf', 'live'],
  needsAny: true,
  examples: {
    bad: {
      conf: 'RPC_ENABLE=1\nRPC_API="klay,net"\nADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7 --password /etc/kend/pw"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n',
    },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,net"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  check: forEither(forConf(unlockedByConf), lockUnknown),
};

function unlockedByConf(conf: ConfFacts): Verdict {
  const unknown = indeterminateReason(conf, 'unlock');
  const account = conf.settings.unlock?.value ?? null;
  if (unknown === null && (account === null || account === '')) return { ...found([]), applicable: false };
  const signing = signingListeners(conf);
  const unseen = blindListeners(conf, ...kinds);
  const blind =
    unknown === null
      ? unseen
      : signing.length + unseen.length === 0
        ? []
        : [indeterminate('unlock', unknown)];
  const widest = signing.reduce<Assumed | null>(
    (most, { reach }) => (most === null || wider(reach, most) ? reach : most),
    null,
  );
  if (unknown !== null || widest === null) return found([], blind);
  const name = nameOf(conf, 'unlock');
  return found(
    [
      {
        subject: name,
        severity: bySeverityAndReach('critical', widest.reach),
        at: placeOf(conf, 'unlock'),
        message: `${name} keeps an account unlocked while ${listed(signing.map(({ kind }) => kind))} can sign with it: whoever calls can spend its funds; ${widest.because}.`,
        fix:
          name === 'SCSIGNER'
            ? 'SCSIGNER=    (or bind every interface to loopback)'
            : switchOff(conf, ['unlock', null]),
        evidence: { interfaces: signing.map(({ kind }) => kind), reach: widest.reach },
      },
    ],
    blind,
  );
}

/** That a listed account is unlocked shows only when it signs, which is never tried: the question stays open. */
function lockUnknown(live: LiveFacts, facts: Facts): Verdict {
  const listing = asked(live, facts, 'http', 'ws').filter(
    ({ accounts }) => accounts.state === 'seen' && accounts.value.length > 0,
  );
  return {
    findings: [],
    blindSpots: listing.map(
      ({ endpoint, accounts }): BlindSpot => ({
        code: 'not-asked',
        about: nameOfEndpoint(endpoint),
        reason: `it names ${seenValue(accounts)?.length ?? 0} accounts; whether one is unlocked shows only by signing, which is never tried`,
      }),
    ),
    applicable: listing.length > 0,
  };
}

/** The interfaces whose modules sign, with who reaches them. */
function signingListeners(conf: ConfFacts): { kind: string; reach: Assumed }[] {
  return listenersOn(conf, ...kinds)
    .filter(
      ({ kind, modules }) =>
        kind === 'mainbridge' ||
        kind === 'grpc' ||
        modules === null ||
        modules.some((name) => signingModules.includes(name)),
    )
    .map((listener) => ({
      kind: listener.kind,
      reach: listener.kind === 'mainbridge' ? reachOfHost(listener.host) : reachOf(listener),
    }));
}

function wider(a: Assumed, b: Assumed): boolean {
  return reaches.indexOf(a.reach) > reaches.indexOf(b.reach);
}
