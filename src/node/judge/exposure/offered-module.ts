/** A module that an interface offers. */

import { advise } from '../../fix/proposal/fix.js';
import type { Node } from '../../kinds/node.js';
import { modulesOf } from '../live/answers.js';
import type { Live } from '../live/live.js';
import { readHalvesOf } from '../live/module-differences.js';
import type { EndpointOf } from '../live/parts.js';
import type { Draft } from '../rule/rule.js';
import { moduleImpact } from '../settings/module-impact.js';
import { liveExposureDraft } from './exposure.js';

/** What an offered module lets its callers do, as a draft of an exposure. */
export function offer(
  node: Node,
  kind: 'http' | 'ws' | 'grpc',
  name: string,
  offers = `offers ${name}`,
  { severity, does } = moduleImpact(node, kind, name),
) {
  const message = `${kind} ${offers}: whoever calls it can ${does}`;
  return { about: name, severity, message, evidence: { module: name } };
}

/** The draft for a module that a running node was seen to offer. */
export function proven(live: Live, endpoint: EndpointOf<'http' | 'ws'>, name: string): Draft {
  const all = modulesOf(endpoint);
  const unlisted = all?.includes(name) === false;
  const offers = unlisted ? `answers ${name}, which rpc_modules does not list` : undefined;
  const half = readHalvesOf(endpoint)[name];
  const remedy = unlisted
    ? `Find out what offers ${name}.`
    : `Remove ${name} from the list and restart the node.`;
  return liveExposureDraft(endpoint, {
    ...offer(
      live,
      endpoint.endpoint.kind,
      name,
      half === undefined ? offers : `offers a part of ${name}`,
      half,
    ),
    fix: advise(half === undefined ? remedy : 'List the modules that clients need: the list is empty.'),
    evidence: { module: name, proven: true, ...(unlisted ? { unlisted } : {}) },
  });
}
