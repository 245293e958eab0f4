/** JSON-RPC namespaces that mean the same on every kind of node; severities are ours. */
import type { Severity } from '../facts/severity.js';

/** What is known of a module. */
export interface CommonModule {
  /** The severity where any address reaches it. */
  readonly severity: Severity;
  /** True when it can spend, sign, control, rewrite or read private data. */
  readonly privileged: boolean;
  /** Completes "whoever calls it can …". */
  readonly does: string;
}

export const commonModules = {
  admin: privileged('critical', 'open further interfaces, add and remove peers, and create files'),
  anvil: privileged('high', 'rewrite the state of a development server'),
  debug: privileged('critical', 'rewind the chain and overwrite files'),
  dev: privileged('high', 'control a development chain'),
  engine: privileged('critical', 'decide which chain the node follows'),
  eth: open('low', 'read the chain and send signed transactions'),
  evm: privileged('high', 'set the clock and rewind the chain of a development server'),
  hardhat: privileged('high', 'rewrite the state of a development server'),
  miner: privileged('high', 'start and stop the making of blocks and say who is paid'),
  net: open('info', 'read the network status'),
  personal: privileged('critical', 'import, unlock and use the node’s keys, and guess passwords'),
  rpc: open('info', 'list the modules'),
  txpool: privileged('medium', 'dump every pending transaction'),
  web3: open('low', 'read the node’s version'),
} as const satisfies Readonly<Record<string, CommonModule>>;

function privileged(severity: Severity, does: string): CommonModule {
  return { severity, privileged: true, does };
}

function open(severity: Severity, does: string): CommonModule {
  return { severity, privileged: false, does };
}
