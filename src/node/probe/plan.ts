/** What an audit would send, without sending it. */
import type { Address } from '../../jsonrpc/endpoint.js';
import { endpointName } from '../../jsonrpc/endpoint.js';
import { alwaysPresent, unsafeDebugMethods } from '../../jsonrpc/methods.js';
import { foreignHost, foreignOrigin } from './access-checks.js';
import { metricsPaths } from './metrics.js';
import type { Target } from './target.js';
import type { Depth } from './unprobed.js';

/** One message, and the condition under which it is left out. */
export interface Planned {
  readonly endpoint: string;
  readonly message: string;
  readonly when: string | null;
}

/** Every message a target could be sent, in order. */
export function planOf(target: Target, depth: Depth): Planned[] {
  const endpoints = target.endpoints.flatMap(({ address }) =>
    messages(address, depth).map(([message, when = null]) => ({
      endpoint: endpointName(address.endpoint),
      message,
      when,
    })),
  );
  const ports = depth === 'none' ? [] : target.metrics;
  const looks = ports.flatMap(({ url }) =>
    metricsPaths.map((path) => ({ endpoint: url, message: `GET ${path}, headers only`, when: null })),
  );
  return [...endpoints, ...looks];
}

type Line = readonly [message: string, when?: string];

function messages(address: Address, depth: Depth): Line[] {
  const { kind } = address.endpoint;
  const reads: Line[] = [
    ['rpc_modules []'],
    ['web3_clientVersion []', 'web3 is offered'],
    ['net_version []', 'net is offered'],
  ];
  if (depth === 'none' || kind === 'ipc') return reads;
  const debug = 'debug is offered';
  return [
    ...reads,
    ['kaia_accounts [] (or klay_, eth_)', 'kaia, klay or eth is offered'],
    ['kaiactl_<16 hex digits> {}'],
    kind === 'http' ? [`rpc_modules {}, Host: ${foreignHost}`] : ['rpc_modules {}', 'debug is not offered'],
    ...(kind === 'http' ? ([['rpc_modules {}', 'refused above, debug not offered']] as const) : []),
    ...[alwaysPresent, ...unsafeDebugMethods].map((method): Line => [`${method} {}`, debug]),
    kind === 'http' ? [`OPTIONS, Origin: ${foreignOrigin}`] : [`a handshake, Origin: ${foreignOrigin}`],
  ];
}
