/** Whether a namespace answers that rpc_modules does not list: a gateway can answer that from a file. */
import { namespaceMethods, namespaceOf } from '../../../jsonrpc/methods.js';
import type { EndpointFacts } from '../../facts/live.js';
import { notSeen } from '../../facts/seen.js';
import { existence } from './existence.js';

export const namespaces = namespaceMethods.map((method) => {
  const name = namespaceOf(method);
  return existence(method, `${name} is not listed`, ({ modules }: EndpointFacts) =>
    modules.state === 'seen' && Object.hasOwn(modules.value, name)
      ? notSeen('not-applicable', `${name} is listed`)
      : null,
  );
});
