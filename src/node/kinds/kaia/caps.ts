/** Limits on the work of requests (cmd/utils/config.go; api/, networks/rpc/, node/cn/config.go, node/cn/filters). */
import { capsIn } from '../caps.js';

/** A call has no limit of gas by default: the one to set is geth’s. */
export const caps = capsIn(`
rpc.gascap * 0 >50000000 the gas of a call
rpc.evmtimeout * 0 =5s the time of a call
rpcexecutiontimeout http - - the time of a request
api.filter.getLogs.deadline * - - the time of a search for logs
api.filter.getLogs.maxitems * - - the logs that a search finds
maxRequestContentLength http - - the size of a request
wsmaxconnections ws - - the connections
wsmaxsubscriptionperconn ws - - the subscriptions of a connection
`);
