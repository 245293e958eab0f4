/** `kaiactl node simulate`. */
import { Command } from 'commander';
import { simulateOptions } from '../node/commands/options/simulate.js';
import { verb } from './verb.js';

const help = `The first line of stdout is JSON: {"http":url|null,"ws":url|null,"ipc":path|null}
and more. Every interface is bound to loopback, whatever the conf says. The ipc
socket is at the conf's DATA_DIR/klay.ipc if that folder is there and has none,
else in a private folder. With -v each message is logged on stderr.

Like a v2.2.1 node
  which modules and methods each interface offers; the unsafe-debug switch,
  rpc.eth.noncompatible, klay as kaia; error codes and texts; params, ids,
  batches, notifications, broken JSON; Host, CORS and Origin checks; content
  types, HTTP methods, sizes, timeouts; subscribing; the socket's mode
Not like a node
  nothing runs: a few reads answer with constants (modules, versions, ids,
  accounts, a block number), all else that would run answers -32000 "not
  simulated"; admin_startHTTP and the like change nothing
  the types of parameters are not checked, only their number
  subscriptions get an id and no event; one connection's messages are answered
  in order; numbers in ids come back as JavaScript prints them
  of the profiler only the index answers; gRPC, p2p and bridge ports stay closed

Examples:
  $ kaiactl node simulate kend.conf
  $ kaiactl node simulate kend.conf --free-ports --env RPC_API=klay,debug
  $ kaiactl node audit kend.conf --simulate`;

export const simulateVerb = verb(() => new Command('simulate').argument('<conf>'), simulateOptions, {
  group: 'node',
  summary: 'the interfaces a conf would open, on loopback, until Ctrl-C',
  after: help,
  run: async (options, host, conf) =>
    (await import('../node/commands/simulate.js')).run({ ...options, conf }, host),
});
