/** Limits on the work of requests (cmd/utils/config.go; api/, networks/rpc/, node/cn/config.go, node/cn/filters). */
import { both, type Cap } from '../caps.js';

/** A call has no limit of gas by default: the one to set is geth’s. */
// biome-ignore format: a row a line
export const caps: readonly Cap[] = [
  { flag: 'rpc.gascap', limits: 'the gas of a call', on: both, zero: 'unlimited', instead: '50000000' },
  { flag: 'rpc.evmtimeout', limits: 'the time of a call', on: both, zero: 'unlimited', usual: '5s' },
  { flag: 'rpcexecutiontimeout', limits: 'the time of a request', on: ['http'], zero: 'other' },
  { flag: 'api.filter.getLogs.deadline', limits: 'the time of a search for logs', on: both, zero: 'other' },
  { flag: 'api.filter.getLogs.maxitems', limits: 'the logs that a search finds', on: both, zero: 'other' },
  { flag: 'maxRequestContentLength', limits: 'the size of a request', on: ['http'], zero: 'other' },
  { flag: 'wsmaxconnections', limits: 'the connections', on: ['ws'], zero: 'other' },
  { flag: 'wsmaxsubscriptionperconn', limits: 'the subscriptions of a connection', on: ['ws'], zero: 'other' },
];
