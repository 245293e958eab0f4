/** Whether a namespace exists that rpc_modules does not list: a gateway may answer rpc_modules itself. */
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import { commonModule } from '../../kinds/common-modules.js';
import { kinds } from '../../kinds/index.js';
import type { Kind } from '../../kinds/kind.js';
import { type ExistenceMethod, namespaceOf } from '../../kinds/request.js';
import { existence, unlessForeign } from './existence.js';
import type { MethodProbe } from './probe.js';

export const namespaces: readonly MethodProbe[] = kinds.flatMap((kind) =>
  kind.probes.namespaces.map((method) => probeOf(kind, method)),
);

function probeOf(kind: Kind, method: ExistenceMethod): MethodProbe {
  const name = namespaceOf(method);
  const excluded = [name, ...(kind.probes.excludes[name] ?? [])];
  return existence(
    method,
    `${excluded.join(' and ')} ${excluded.length > 1 ? 'are' : 'is'} not listed`,
    (facts) =>
      isListed(facts, excluded)
        ? notSeen('not-applicable', `${excluded.join(' or ')} is listed`)
        : commonModule(name) === null
          ? unlessForeign(kind, facts)
          : null,
  );
}

function isListed({ modules }: EndpointFacts, names: readonly string[]): boolean {
  return modules.state === 'seen' && names.some((name) => Object.hasOwn(modules.value, name));
}
