/** Limits on the work of requests (cmd/utils/flags.go, node/cli/flags.go; rpc/jsonrpc). */
import { capsIn } from '../caps.js';

/** For the filters of subscriptions, 0 is the node's own value and no limit. */
export const caps = capsIn(`
rpc.gascap * 0 - the gas of a call
rpc.evmtimeout * - - the time of a call
rpc.batch.limit * - - the requests of a batch
rpc.returndata.limit * - - the bytes that a call returns
trace.maxtraces * - - the traces of a search
ots.search.max.pagesize * - - the results of a search
`);
