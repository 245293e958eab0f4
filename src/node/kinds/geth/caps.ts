/** Limits on the work of requests (cmd/utils/flags.go; rpc/handler.go, rpc/http.go, eth/filters, internal/ethapi). */
import { both, type Cap } from '../caps.js';

/** Up to v1.9.15 a call had no limit of gas. bsc searches 5000 blocks where its switch limits them. */
// biome-ignore format: a row a line
export const caps: readonly Cap[] = [
  { flag: 'rpc.gascap', limits: 'the gas of a call', on: both, zero: 'unlimited', instead: '50000000' },
  { flag: 'rpc.evmtimeout', limits: 'the time of a call', on: both, zero: 'unlimited' },
  { flag: 'rpc.batch-request-limit', limits: 'the requests of a batch', on: both, zero: 'unlimited' },
  { flag: 'rpc.batch-response-max-size', limits: 'the bytes that answer a batch', on: both, zero: 'unlimited' },
  { flag: 'rpc.logquerylimit', limits: 'the addresses and topics of a search for logs', on: both, zero: 'unlimited' },
  { flag: 'rpc.rangelimit', limits: 'the blocks of a search for logs', on: both, zero: 'unlimited', instead: '5000' },
  { flag: 'rpc.http-body-limit', limits: 'the size of a request', on: ['http'], zero: 'other' },
];
