/** A listed module has no service: misspelt, wrong case, or long gone. Or a live node offers one that nobody knows. */
import type { Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { modulesOf } from '../judge/answers.js';
import { blindTo } from '../judge/blind.js';
import { seenExposed } from '../judge/exposed.js';
import { advise, offerPublic } from '../judge/fix.js';
import { blindOffers, listenersOn, placeOfList, type RpcListener } from '../judge/listeners.js';
import { asked, type LiveEndpoint } from '../judge/live.js';
import { conf, type Draft, foundInEach, type Rule } from '../judge/rule.js';
import { closestModule, foreignModule, formerName, inertModules, modules } from '../kinds/kaia/modules.js';

export const unknownModule: Rule = {
  id: 'unknown-module',
  kinds: ['kaia'],
  perModule: true,
  severity: 'medium',
  title: 'A listed module does not exist.',
  why: `The node compares names letter by letter and drops what it does not know without a word, so a misspelt module is simply missing. miner is still in the comments of the packaged confs though the node has no such service; rpc answers everywhere, listed or not.`,
  fix: 'Correct the name or take it out.',
  examples: {
    bad: conf('RPC_ENABLE=1', 'RPC_API="klay,ETH,net"'),
    good: conf('RPC_ENABLE=1', 'RPC_API="klay,eth,net"'),
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'http', 'ws').flatMap((listener) => declared(settings, listener)),
    blindSpots: blindOffers(settings, 'http', 'ws'),
  }),
  ofLive: (live) =>
    foundInEach(asked(live, 'http', 'ws'), {
      findings: offered,
      blindSpots: (one) => blindTo(one, 'modules'),
    }),
};

/** No node has as many modules; of a longer list the rest is not told one by one. */
const most = 100;

function declared(settings: Settings, listener: RpcListener): Draft[] {
  const { kind } = listener;
  const known = ['', formerName, ...Object.keys(modules)].filter((name) => name !== 'rpc');
  const odd = (listener.listed ?? []).slice(0, most).filter(({ name }) => !known.includes(name));
  return odd.map(({ name, at }) => {
    const { severity, says, instead } = problem(name);
    return {
      subject: `${kind} ${name}`,
      severity,
      at: at ?? placeOfList(settings, kind),
      message: `${kind} lists ${name}, which adds nothing: ${says}.`,
      fix: offerPublic(settings, listener),
      evidence: { interface: kind, module: name, meant: instead },
    };
  });
}

function problem(name: string): { severity: Severity; says: string; instead: string | null } {
  const inert = Object.hasOwn(inertModules, name) ? inertModules[name] : undefined;
  if (inert !== undefined) return { severity: name === 'rpc' ? 'info' : 'low', says: inert, instead: null };
  const instead = closestModule(name);
  const miscased = instead?.toLowerCase() === name.toLowerCase();
  const says = miscased ? 'names are lower case' : 'the node knows no such module and ignores it silently';
  return { severity: 'medium', says: instead === null ? says : `${says}; did you mean ${instead}`, instead };
}

/** What answers is there, whatever this release has: an older release, another node, a patch of somebody's own. */
function offered(endpoint: LiveEndpoint): Draft[] {
  const unknown = (modulesOf(endpoint) ?? []).filter((name) => !Object.hasOwn(modules, name));
  return unknown.slice(0, most).map((name) => {
    const { severity, does } = foreignModule(name);
    return seenExposed(endpoint, {
      about: name,
      severity,
      message: `${endpoint.endpoint.kind} offers ${name}, which no node of this release has: whoever calls it can ${does}`,
      fix: advise('Find out what adds it, and take it out of the list.'),
      evidence: { module: name, proven: true },
    });
  });
}
