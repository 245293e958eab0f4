/** Limits on the work of requests (crates/node/core/src/args/rpc_server.rs). There is none on the requests of a batch. */
import { both, type Cap } from '../caps.js';

// biome-ignore format: a row a line
export const caps: readonly Cap[] = [
  { flag: 'rpc.gascap', limits: 'the gas of a call', on: both, zero: 'other', usual: '50000000' },
  { flag: 'rpc.evm-memory-limit', limits: 'the memory of a call', on: both, zero: 'other' },
  { flag: 'rpc.max-blocks-per-filter', limits: 'the blocks of a search for logs', on: both, zero: 'unlimited' },
  { flag: 'rpc.max-logs-per-response', limits: 'the logs of an answer', on: both, zero: 'unlimited' },
  { flag: 'rpc.max-trace-filter-blocks', limits: 'the blocks of a search for traces', on: both, zero: 'other' },
  { flag: 'rpc.max-simulate-blocks', limits: 'the blocks of a simulation', on: both, zero: 'other' },
  { flag: 'rpc.proof-permits', limits: 'the proofs that are made at a time', on: both, zero: 'other' },
  { flag: 'rpc.max-request-size', limits: 'the size of a request', on: both, zero: 'other' },
  { flag: 'rpc.max-response-size', limits: 'the size of an answer', on: both, zero: 'other' },
  { flag: 'rpc.max-connections', limits: 'the connections', on: both, zero: 'other' },
  { flag: 'rpc.max-subscriptions-per-connection', limits: 'the subscriptions of a connection', on: both, zero: 'other' },
];
