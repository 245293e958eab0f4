/** Whether a namespace answers that rpc_modules does not list: a gateway can answer that from a file. */
import { namespaceMethods, namespaceOf } from '../../../jsonrpc/methods.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import { commonModules } from '../../kinds/common-modules.js';
import { existence, unlessForeign } from './existence.js';

/** A boot node has no net, so that a node which lists it is not one: the request is spared. */
export const namespaces = namespaceMethods.map((method) => {
  const name = namespaceOf(method);
  const excluded = name === 'bootnode' ? [name, 'net'] : [name];
  return existence(
    method,
    `${excluded.join(' and ')} ${excluded.length > 1 ? 'are' : 'is'} not listed`,
    (facts) =>
      isListed(facts, excluded)
        ? notSeen('not-applicable', `${excluded.join(' or ')} is listed`)
        : Object.hasOwn(commonModules, name)
          ? null
          : unlessForeign(facts),
  );
});

function isListed({ modules }: EndpointFacts, names: readonly string[]): boolean {
  return modules.state === 'seen' && names.some((name) => Object.hasOwn(modules.value, name));
}
