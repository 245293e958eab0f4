/** A listed module is unknown: misspelt, in the wrong case, removed, or of another release. Or a live node offers one. */
import { mostSevere, type Severity } from '../facts/severity.js';
import { advise, offerPublic } from '../fix/proposal/fix.js';
import { liveExposureDraft } from '../judge/exposure/exposure.js';
import {
  ineffectiveNames,
  listedBlindSpots,
  offeredBlindSpots,
  reachesOutside,
  unknownOffered,
} from '../judge/exposure/unknown-names.js';
import { factBlindSpots } from '../judge/live/blind-spots.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import { relevantEndpoints } from '../judge/live/parts.js';
import { conf, type Draft, foundInEach, kaia, type Rule } from '../judge/rule/rule.js';
import {
  listenersOn,
  moduleListBlindSpots,
  placeOfList,
  type RpcListener,
} from '../judge/settings/listeners.js';
import type { NodeSettings } from '../kinds/node.js';

export const unknownModule: Rule = {
  id: 'unknown-module',
  needs: () => true, // a table of modules
  perModule: true,
  severity: 'medium',
  title: 'A module name is unknown.',
  why: `The node compares module names letter by letter and ignores unknown names, so a misspelt module is missing: a Kaia node does so without a warning, and geth logs an error; reth does not start from v1.8.0 on. Another release may have a module that is not known here; its effect stays undetermined. Comments of Kaia’s packaged confs still mention miner, although the node has no such service. rpc answers everywhere on Kaia and geth, listed or not.`,
  fix: 'Correct the name or remove it, unless the node’s release has the module.',
  ignore: 'If the installed release has the module; --node-version names that release.',
  sources: [kaia('networks/rpc/server.go'), kaia('networks/rpc/endpoints.go'), 'docs/releases.md'],
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,ETH,net"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net"'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'http', 'ws').flatMap((listener) => declared(settings, listener)),
    blindSpots: [
      ...moduleListBlindSpots(settings, 'http', 'ws'),
      ...listenersOn(settings, 'http', 'ws').flatMap((one) => listedBlindSpots(settings, one)),
    ],
  }),
  ofLive: (live) =>
    foundInEach(relevantEndpoints(live, 'http', 'ws'), {
      findings: offered,
      blindSpots: (one) => [...factBlindSpots(one, 'modules'), ...offeredBlindSpots(one)],
    }),
};

function declared(settings: NodeSettings, listener: RpcListener): Draft[] {
  const { kind } = listener;
  const names = ineffectiveNames(settings, listener);
  const fix = names.length === 0 ? advise('') : offerPublic(settings, listener);
  return names.map(({ name, at, severity, says, instead }) => ({
    subject: `${kind} ${name}`,
    severity,
    at: at ?? placeOfList(settings, kind),
    message: `${kind} lists ${name}, ${says}.`,
    fix,
    evidence: { interface: kind, module: name, meant: instead },
  }));
}

/** A module that answers exists, even if no known release has it: an older release, another node, a patched build. */
function offered(endpoint: LiveEndpoint): Draft[] {
  const least: Severity = reachesOutside(endpoint.reach) ? 'medium' : 'info';
  const { nodeKind } = endpoint;
  if (nodeKind === null) return [];
  return unknownOffered(endpoint).map((name) => {
    const { severity, does } = nodeKind.modules.foreign(name);
    const draft = liveExposureDraft(endpoint, {
      about: name,
      severity,
      message: `${endpoint.endpoint.kind} offers ${name}, which no node of this release has: whoever calls it can ${does}`,
      fix: advise('Find out what adds the module, and remove it from the list.'),
      evidence: { module: name, proven: true },
    });
    return { ...draft, severity: mostSevere([draft.severity ?? least, least]) };
  });
}
