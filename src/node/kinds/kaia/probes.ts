/**
 * The methods that probes call on a Kaia node. A method with {} never runs there and answers -32602 when it exists, -32601
 * when it does not (kaiachain/kaia networks/rpc/json.go:310-327).
 */
import type { Probes } from '../kind.js';
import { existenceMethod, readMethod } from '../request.js';

/** The flag that moves the dangerous part of debug to ipc. */
export const switchFlag = 'rpc.unsafe-debug.disable';

export const probes: Probes = {
  accounts: ['kaia', 'klay', 'eth'].map((module) => ({ module, method: readMethod(`${module}_accounts`) })),
  // One per service group (HandlerT, DebugUtilAPI, UnsafeAPI, DebugStorageCNAPI), each with a required parameter, so
  // that older handlers would not run it either.
  unsafeDebug: {
    flag: switchFlag,
    moved: ['debug_setGCPercent', 'debug_chaindbProperty', 'debug_traceBlockFromFile', 'debug_preimage'].map(
      existenceMethod,
    ),
    stays: existenceMethod('debug_getBlockRlp'),
  },
  // Read-only, and with a required parameter where the namespace has such a method.
  namespaces: [
    'admin_nodeInfo',
    'bootnode_lookup',
    'chaindatafetcher_status',
    'governance_getStakingInfo',
    'istanbul_getValidatorsAtHash',
    'personal_ecRecover',
    'subbridge_getBridgeInformation',
    'txpool_status',
  ].map(existenceMethod),
  // A boot node has no net: a node that lists net is not asked for bootnode.
  excludes: { bootnode: ['net'] },
};
