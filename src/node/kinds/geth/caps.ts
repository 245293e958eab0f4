/** Limits on the work of requests (cmd/utils/flags.go; rpc/handler.go, rpc/http.go, eth/filters, internal/ethapi). */
import { capsIn } from '../caps.js';

/** Up to v1.9.15 a call had no limit of gas. bsc searches 5000 blocks where its switch limits them. */
export const caps = capsIn(`
rpc.gascap * 0 >50000000 the gas of a call
rpc.evmtimeout * 0 - the time of a call
rpc.batch-request-limit * 0 - the requests of a batch
rpc.batch-response-max-size * 0 - the bytes that answer a batch
rpc.logquerylimit * 0 - the addresses and topics of a search for logs
rpc.rangelimit * 0 >5000 the blocks of a search for logs
rpc.http-body-limit http - - the size of a request
`);
