/** A listed module has no service: misspelt, wrong case, long gone, or of another release. Or a live node offers one. */
import type { Settings } from '../facts/settings.js';
import { mostSevere, type Severity } from '../facts/severity.js';
import { seenExposed } from '../judge/exposure/exposure.js';
import {
  blindToListed,
  blindToOffered,
  oddity,
  oddNames,
  unknownOffered,
} from '../judge/exposure/unknown-modules.js';
import { advise, offerPublic } from '../judge/fix/fix.js';
import { blindTo } from '../judge/live/blind-spots.js';
import { asked, type LiveEndpoint } from '../judge/live/live.js';
import { conf, type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';
import { blindOffers, listenersOn, placeOfList, type RpcListener } from '../judge/settings/listeners.js';
import { isBeyondMachine } from '../judge/settings/unknown-names.js';
import { kindOf, olderKind } from '../kinds/index.js';

export const unknownModule: Rule = {
  id: 'unknown-module',
  kinds: ['kaia'],
  perModule: true,
  severity: 'medium',
  title: 'A listed module is not known.',
  why: `The node compares names letter by letter and drops what it does not know without a word, so a misspelt module is simply missing. Another release may have a module that is not known here; what it then does stays open. miner is still in the comments of the packaged confs though the node has no such service; rpc answers everywhere, listed or not.`,
  fix: 'Correct the name or take it out, unless the node’s release has it.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,ETH,net"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net"'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'http', 'ws').flatMap((listener) => declared(settings, listener)),
    blindSpots: [
      ...blindOffers(settings, 'http', 'ws'),
      ...listenersOn(settings, 'http', 'ws').flatMap((one) => blindToListed(kindOf(settings.kind), one)),
    ],
  }),
  ofLive: (live) =>
    foundInEach(asked(live, 'http', 'ws'), {
      findings: offered,
      blindSpots: (one) => [...blindTo(one, 'modules'), ...blindToOffered(one)],
    }),
};

function declared(settings: Settings, listener: RpcListener): Draft[] {
  const { kind } = listener;
  const node = kindOf(settings.kind);
  const fix = offerPublic(settings, listener);
  return oddNames(node.modules, listener).map(({ name, at }) => {
    const { severity, says, instead } = oddity(node, name);
    return {
      subject: `${kind} ${name}`,
      severity,
      at: at ?? placeOfList(settings, kind),
      message: `${kind} lists ${name}, ${says}.`,
      fix,
      evidence: { interface: kind, module: name, meant: instead },
    };
  });
}

/** What answers is there, whatever this release has: an older release, another node, a patch of somebody's own. */
function offered(endpoint: LiveEndpoint): Draft[] {
  const least: Severity = isBeyondMachine(endpoint.reach) ? 'medium' : 'info';
  const { foreign } = kindOf(endpoint.kind ?? olderKind).modules;
  return unknownOffered(endpoint).map((name) => {
    const { severity, does } = foreign(name);
    const draft = seenExposed(endpoint, {
      about: name,
      severity,
      message: `${endpoint.endpoint.kind} offers ${name}, which no node of this release has: whoever calls it can ${does}`,
      fix: advise('Find out what adds it, and take it out of the list.'),
      evidence: { module: name, proven: true },
    });
    return { ...draft, severity: mostSevere([draft.severity ?? least, least]) };
  });
}
