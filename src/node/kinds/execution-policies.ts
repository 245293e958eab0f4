/**
 * Policies of execution clients by role, each limit with the sentence of geth's own pages it comes from (read 2026-11-23).
 * Reth and Erigon have the same interfaces and the same dangers; limits on Host names and origins count where they check them.
 */
import { type Clause, limit, type Policy, type Sentence } from '../facts/policy.js';

const security = 'https://geth.ethereum.org/docs/fundamentals/security';

// biome-ignore format: a sentence a line
const says = {
  trusted: { text: 'Block all traffic to 8545, or whatever custom port has been defined for JSON-RPC requests to the node, except for traffic from explicitly defined trusted machines.', from: security },
  hostile: { text: 'Neither of these endpoints are designed to withstand attacks by hostile clients, nor handle huge amounts of clients/traffic.', from: security },
  signing: { text: 'Increase the risk of attempts to steal funds via spurious signing-requests (depending on what namespaces are exposed).', from: security },
} as const satisfies Record<string, Sentence>;

/** Reads of the chain, of the pool, and of a client's or a fork's own state. */
const reads = ['eth', 'net', 'web3', 'txpool', 'parlia', 'erigon', 'ots'] as const;

/** Reads of the chain, and some more modules. */
function offers(...more: readonly string[]): Clause {
  return {
    modules: limit([...reads, ...more], says.signing),
    reach: limit('private', says.trusted),
    origins: limit('listed', says.hostile),
    hosts: limit('listed', says.hostile),
  };
}

const closed: Clause = { open: limit(false, says.trusted) };
const local: Clause = { reach: limit('loopback', says.trusted) };
/** The collector comes from the network of the operators. */
const metrics: Clause = { reach: limit('private', says.trusted) };

/** The ids of the kinds that share them. */
const kinds = ['geth', 'bsc', 'op-geth', 'reth', 'op-reth', 'erigon'];

function policy(name: string, about: string, rpc: Clause): Policy {
  const { hosts: _, ...ws } = rpc;
  const interfaces = {
    http: rpc,
    https: rpc,
    ws,
    metrics,
    pprof: local,
    grpc: local,
    beacon: local,
    mcp: local,
  };
  return { name, version: 1, kinds, about, interfaces };
}

/** By name. */
export const executionPolicies: Readonly<Record<string, Policy>> = Object.fromEntries(
  [
    policy('rpc-node', 'a node that applications use, behind a proxy that limits them', offers()),
    policy('trace-node', 'a node that also traces, for trusted machines', offers('debug', 'trace')),
    policy('validator-el', 'the execution client of a validator: only its consensus client calls it', closed),
    policy('sequencer', 'a sequencer: its batcher and its proposer call it', offers('miner')),
    policy('dev-node', 'a node for development on the developer’s machine', local),
  ].map((one) => [one.name, one]),
);
