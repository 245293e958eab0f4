/** A listed module has no service: misspelt, wrong case, or long gone. Or a live node offers one that nobody knows. */

import { closest } from '../../util/closest.js';
import type { ListedModule, Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import { modulesOf } from '../judge/answers.js';
import { blindTo } from '../judge/blind.js';
import { exposed } from '../judge/exposed.js';
import { advise, listPublic, namesOf } from '../judge/fix.js';
import { blindListeners, blindLists, type ListenerOf, listenersOn } from '../judge/listeners.js';
import { asked, type LiveEndpoint } from '../judge/live.js';
import type { Draft, Rule } from '../judge/rule.js';
import { placeOf } from '../judge/setting.js';
import { listenerFlags } from '../kinds/kaia/interfaces.js';
import { foreignModules, formerName, inertModules, modules } from '../kinds/kaia/modules.js';

const names = [...Object.keys(modules), formerName];
/** No node has as many modules; of a longer list the rest is not told one by one. */
const most = 100;

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
      (listener.listed ?? []).slice(0, most).flatMap((one) => draft(settings, listener, one)),
    ),
    blindSpots: [...blindListeners(settings, 'http', 'ws'), ...blindLists(settings, 'http', 'ws')],
  }),
  ofLive: (live) => {
    const endpoints = asked(live, 'http', 'ws');
    return {
      findings: endpoints.flatMap((endpoint) =>
        (modulesOf(endpoint) ?? [])
          .filter((name) => !Object.hasOwn(modules, name))
          .slice(0, most)
          .map((name) => offered(endpoint, name)),
      ),
      blindSpots: endpoints.flatMap((endpoint) => blindTo(endpoint, 'modules')),
      applicable: endpoints.length > 0,
    };
  },
};

/** What answers is there, whatever this release has: an older release, another node, a patch of somebody's own. */
function offered({ endpoint: { kind }, name: at, reach }: LiveEndpoint, name: string): Draft {
  const known = Object.hasOwn(foreignModules, name) ? foreignModules[name] : undefined;
  const does = known === undefined ? 'do what nobody here knows' : known.does;
  return exposed(kind, reach, {
    about: name,
    severity: known?.severity ?? 'medium',
    at: { endpoint: at },
    message: `${kind} offers ${name}, which no node of this release has: whoever calls it can ${does}`,
    fix: advise('Find out what adds it, and take it out of the list.'),
    evidence: { module: name, proven: true },
  });
}

function draft(settings: Settings, listener: ListenerOf<'http' | 'ws'>, { name, at }: ListedModule): Draft[] {
  if (name === '' || name === formerName || (Object.hasOwn(modules, name) && name !== 'rpc')) return [];
  const { api, enable } = listenerFlags[listener.kind];
  const { severity, says, instead } = problem(name);
  return [
    {
      subject: `${listener.kind} ${name}`,
      severity,
      at: at ?? placeOf(settings, api, enable),
      message: `${listener.kind} lists ${name}, which adds nothing: ${says}.`,
      fix: listPublic(settings, api, namesOf(listener)),
      evidence: { interface: listener.kind, module: name, meant: instead },
    },
  ];
}

function problem(name: string): { severity: Severity; says: string; instead: string | null } {
  const inert = Object.hasOwn(inertModules, name) ? inertModules[name] : undefined;
  if (inert !== undefined) return { severity: name === 'rpc' ? 'info' : 'low', says: inert, instead: null };
  const near = closest(name, names);
  if (near?.toLowerCase() === name.toLowerCase()) {
    return { severity: 'medium', says: `names are lower case; did you mean ${near}`, instead: near };
  }
  const hint = near === null ? '' : `; did you mean ${near}`;
  return {
    severity: 'medium',
    says: `the node knows no such module and ignores it silently${hint}`,
    instead: near,
  };
}
