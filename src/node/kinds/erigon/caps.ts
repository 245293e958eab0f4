/** Limits on the work of requests (cmd/utils/flags.go, node/cli/flags.go; rpc/jsonrpc). */
import { both, type Cap } from '../caps.js';

/** For the filters of subscriptions, 0 is the node's own value and no limit. */
// biome-ignore format: a row a line
export const caps: readonly Cap[] = [
  { flag: 'rpc.gascap', limits: 'the gas of a call', on: both, zero: 'unlimited' },
  { flag: 'rpc.evmtimeout', limits: 'the time of a call', on: both, zero: 'other' },
  { flag: 'rpc.batch.limit', limits: 'the requests of a batch', on: both, zero: 'other' },
  { flag: 'rpc.returndata.limit', limits: 'the bytes that a call returns', on: both, zero: 'other' },
  { flag: 'trace.maxtraces', limits: 'the traces of a search', on: both, zero: 'other' },
  { flag: 'ots.search.max.pagesize', limits: 'the results of a search', on: both, zero: 'other' },
];
