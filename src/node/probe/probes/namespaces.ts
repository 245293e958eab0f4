/** Whether a namespace exists that rpc_modules does not list: a gateway may answer rpc_modules itself. */
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import type { Kind } from '../../kinds/kind.js';
import { type ExistenceMethod, namespaceOf } from '../../kinds/request.js';
import type { Asking } from './existence.js';

export function namespaces(kind: Kind): Asking[] {
  return kind.probes.namespaces.map((method) => asking(kind, method));
}

function asking(kind: Kind, method: ExistenceMethod): Asking {
  const name = namespaceOf(method);
  const excluded = [name, ...(kind.probes.excludes[name] ?? [])];
  return {
    kind,
    method,
    when: `${excluded.join(' and ')} ${excluded.length > 1 ? 'are' : 'is'} not listed`,
    unless: (facts) =>
      isListed(facts, excluded) ? notSeen('not-applicable', `${excluded.join(' or ')} is listed`) : null,
  };
}

function isListed({ modules }: EndpointFacts, names: readonly string[]): boolean {
  return modules.state === 'seen' && names.some((name) => Object.hasOwn(modules.value, name));
}
