/** A listed module has no service: misspelt, wrong case, or long gone. Or a live node offers one that nobody knows. */

import { closest } from '../../util/closest.js';
import type { ListedModule, Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { modulesOf } from '../judge/answers.js';
import { blindTo } from '../judge/blind.js';
import { seenExposed } from '../judge/exposed.js';
import { advise, listPublic, namesOf } from '../judge/fix.js';
import { blindOffers, type ListenerOf, listenersOn } from '../judge/listeners.js';
import { asked, type LiveEndpoint } from '../judge/live.js';
import { type Draft, foundInEach, type Rule } from '../judge/rule.js';
import { placeOf } from '../judge/setting.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { foreignModules, formerName, inertModules, modules } from '../kinds/kaia/modules.js';

export const unknownModule: Rule = {
  id: 'unknown-module',
  perModule: true,
  severity: 'medium',
  title: 'A listed module does not exist.',
  why: `The node compares names letter by letter and drops what it does not know without a word, so a misspelt module is simply missing. miner is still in the comments of the packaged confs though the node has no such service; rpc answers everywhere, listed or not.`,
  fix: 'Correct the name or take it out.',
  examples: {
    bad: { conf: 'RPC_ENABLE=1\nRPC_API="klay,ETH,net"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
    good: { conf: 'RPC_ENABLE=1\nRPC_API="klay,eth,net"\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n' },
  },
  on: 'either',
  ofSettings: (settings) => ({
    findings: listenersOn(settings, 'http', 'ws').flatMap((listener) =>
      (listener.listed ?? []).slice(0, most).flatMap((one) => declared(settings, listener, one)),
    ),
    blindSpots: blindOffers(settings, 'http', 'ws'),
  }),
  ofLive: (live) =>
    foundInEach(asked(live, 'http', 'ws'), {
      findings: (one) =>
        (modulesOf(one) ?? [])
          .filter((name) => !Object.hasOwn(modules, name))
          .slice(0, most)
          .map((name) => offered(one, name)),
      blindSpots: (one) => blindTo(one, 'modules'),
    }),
};

/** No node has as many modules; of a longer list the rest is not told one by one. */
const most = 100;

function declared(
  settings: Settings,
  listener: ListenerOf<'http' | 'ws'>,
  { name, at }: ListedModule,
): Draft[] {
  if (name === '' || name === formerName || (Object.hasOwn(modules, name) && name !== 'rpc')) return [];
  const { kind } = listener;
  const { api, enable } = listenerFlags[kind];
  const { severity, says, instead } = problem(name);
  return [
    {
      subject: `${kind} ${name}`,
      severity,
      at: at ?? placeOf(settings, api, enable),
      message: `${kind} lists ${name}, which adds nothing: ${says}.`,
      fix: listPublic(settings, api, namesOf(listener)),
      evidence: { interface: kind, module: name, meant: instead },
    },
  ];
}

function problem(name: string): { severity: Severity; says: string; instead: string | null } {
  const inert = Object.hasOwn(inertModules, name) ? inertModules[name] : undefined;
  if (inert !== undefined) return { severity: name === 'rpc' ? 'info' : 'low', says: inert, instead: null };
  const instead = closest(name, [...Object.keys(modules), formerName]);
  const meant = instead === null ? '' : `; did you mean ${instead}`;
  const miscased = instead?.toLowerCase() === name.toLowerCase();
  const says = miscased ? 'names are lower case' : 'the node knows no such module and ignores it silently';
  return { severity: 'medium', says: says + meant, instead };
}

/** What answers is there, whatever this release has: an older release, another node, a patch of somebody's own. */
function offered(endpoint: LiveEndpoint, name: string): Draft {
  const known = Object.hasOwn(foreignModules, name) ? foreignModules[name] : undefined;
  const does = known?.does ?? 'do what nobody here knows';
  return seenExposed(endpoint, {
    about: name,
    severity: known?.severity ?? 'medium',
    message: `${endpoint.endpoint.kind} offers ${name}, which no node of this release has: whoever calls it can ${does}`,
    fix: advise('Find out what adds it, and take it out of the list.'),
    evidence: { module: name, proven: true },
  });
}
