/** Limits on the work of requests (crates/node/core/src/args/rpc_server.rs). There is none on the requests of a batch. */
import { capsIn } from '../caps.js';

export const caps = capsIn(`
rpc.gascap * - =50000000 the gas of a call
rpc.evm-memory-limit * - - the memory of a call
rpc.max-blocks-per-filter * 0 - the blocks of a search for logs
rpc.max-logs-per-response * 0 - the logs of an answer
rpc.max-trace-filter-blocks * - - the blocks of a search for traces
rpc.max-simulate-blocks * - - the blocks of a simulation
rpc.proof-permits * - - the proofs that are made at a time
rpc.max-request-size * - - the size of a request
rpc.max-response-size * - - the size of an answer
rpc.max-connections * - - the connections
rpc.max-subscriptions-per-connection * - - the subscriptions of a connection
`);
