/**
 * The methods that probes call on a Kaia node. A method with {} never runs there and answers -32602 when it exists, -32601
 * when it does not (kaiachain/kaia networks/rpc/json.go:310-327).
 */
import type { Probes, UnsafeDebug } from '../kind.js';
import { plainProbes } from '../plain.js';
import { existenceMethod, readMethod } from '../request.js';
import { holdsAt } from './releases.js';

/** The flag that moves the dangerous part of debug to ipc. */
const switchFlag = 'rpc.unsafe-debug.disable';

export function probesAt(release: string): Probes {
  return { ...probes, unsafeDebug: unsafeDebugAt(release) };
}

/**
 * One method per service group (HandlerT, DebugStorageCNAPI, DebugUtilAPI, UnsafeAPI), each with a required parameter, so
 * that older handlers would not run it either. Up to klaytn v1.12.0 the trace methods stay registered with the switch on.
 */
function unsafeDebugAt(release: string): UnsafeDebug | null {
  if (!holdsAt(release, { since: 'klaytn/v1.10.0' })) return null;
  const keepsIpc = holdsAt(release, { since: 'klaytn/v1.12.1' });
  const traces = keepsIpc ? ['debug_traceBlockFromFile'] : [];
  const moved = ['debug_setGCPercent', 'debug_chaindbProperty', ...traces, 'debug_preimage'];
  return {
    flag: switchFlag,
    keepsIpc,
    moved: moved.map(existenceMethod),
    stays: existenceMethod('debug_getBlockRlp'),
  };
}

// biome-ignore format: a table, its lines filled by hand
const namespaces = [
  'admin_nodeInfo', 'bootnode_lookup', 'chaindatafetcher_status', 'governance_getStakingInfo', 'istanbul_getValidatorsAtHash',
  'personal_ecRecover', 'subbridge_getBridgeInformation', 'txpool_status',
];

const probes: Omit<Probes, 'unsafeDebug'> = {
  ...plainProbes,
  accounts: ['kaia', 'klay', 'eth'].map((module) => ({ module, method: readMethod(`${module}_accounts`) })),
  // Answers url, status and accounts of each wallet (api/api_personal.go, ListWallets).
  wallets: { module: 'personal', method: readMethod('personal_listWallets') },
  // Read-only, and with a required parameter where the namespace has such a method.
  namespaces: namespaces.map(existenceMethod),
  // A boot node has no net: a node that lists net is not asked for bootnode.
  excludes: { bootnode: ['net'] },
  logged: false,
};
