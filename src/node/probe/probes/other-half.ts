/** Whether a node offers whole modules, where its release has halves of them for a list without a name. */
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind } from '../../kinds/kind.js';
import type { Asking } from './existence.js';

export function otherHalf(kind: Kind): Asking[] {
  const method = kind.probes.otherHalf;
  const isHalved = ({ client, modules }: EndpointFacts) => {
    const release = client.state === 'seen' ? kind.evidence.ofClient(client.value) : null;
    const halves = release === null ? null : kind.at(release.until).modules.readHalves;
    const listed = modules.state === 'seen' ? modules.value : {};
    return halves !== null && Object.keys(halves).every((name) => Object.hasOwn(listed, name));
  };
  const unless = (facts: EndpointFacts) =>
    isHalved(facts) ? null : notSeen('not-applicable', 'its release or its modules leave no doubt');
  const when = 'its release may offer only halves of admin and debug';
  return method === null ? [] : [{ kind, method, when, unless }];
}
