/**
 * The node's JSON-RPC namespaces and what someone who reaches them can do.
 * Read in kaiachain/kaia v2.2.1 (node/node.go, node/cn/backend.go, api/, kaiax/); severities are ours.
 */
import type { Launcher } from '../../facts/conf.js';
import type { Severity } from '../../facts/severity.js';

export interface ModuleInfo {
  /** What offering it to any address amounts to. */
  readonly severity: Severity;
  /** True when it can spend, sign, control, rewrite or read what is private. */
  readonly privileged: boolean;
  /** Completes "whoever reaches it can …". */
  readonly does: string;
}

/** Every namespace that has a service; `klay` is `kaia` under its old name. */
export const modules: Readonly<Record<string, ModuleInfo>> = {
  admin: privileged('critical', 'open further interfaces, add and remove peers, and create files'),
  auction: privileged('medium', 'submit bids and read every pending transaction'),
  bootnode: privileged('high', 'rewrite the discovery table'),
  chaindatafetcher: privileged('high', 'stop and redirect the data pipeline'),
  debug: privileged('critical', 'rewind the chain and overwrite files'),
  eth: open('low', 'read the chain and send signed transactions'),
  governance: privileged('critical', 'cast votes that the validator signs'),
  istanbul: privileged('low', 'read the validators and change the candidate list'),
  kaia: open('low', 'read the chain and send signed transactions'),
  mainbridge: privileged('low', 'read what bridges are connected'),
  net: open('info', 'read the network status'),
  personal: privileged('critical', 'import, unlock and use the node’s keys, and guess passwords'),
  rpc: open('info', 'list the modules'),
  subbridge: privileged('critical', 'sign bridge operations with the operator keys, which stay unlocked'),
  txpool: privileged('medium', 'dump every pending transaction'),
  web3: open('low', 'read the node’s version'),
};

/** Names that lists and documents still carry though no service answers to them; `rpc` always answers. */
export const inertModules: Readonly<Record<string, string>> = {
  clique: 'no service of this name exists',
  db: 'no service of this name exists',
  miner: 'the service was removed from the node',
  rpc: 'it answers on every interface, listed or not',
  shh: 'no service of this name exists',
};

/** Modules offered where no list is given (cmd/utils/config.go). */
export const builtInModules = ['eth', 'kaia', 'net', 'web3'] as const;

/** Modules whose methods sign with a node account once it is unlocked. */
export const signingModules: readonly string[] = ['eth', 'kaia', 'personal'];

/** The name a node of this release reports: klay was renamed kaia. */
export function canonicalModule(name: string): string {
  return name === 'klay' ? 'kaia' : name;
}

/** How bad offering a module to any address is on this kind of node; null: not known which kind. */
export function moduleSeverity(name: string, launcher: Launcher | null): Severity {
  const votes = launcher === null || launcher === 'kcnd' || launcher === 'kscnd';
  if (name === 'governance' && !votes) return 'medium'; // only validators cast votes
  return modules[name]?.severity ?? 'info';
}

function privileged(severity: Severity, does: string): ModuleInfo {
  return { severity, privileged: true, does };
}

function open(severity: Severity, does: string): ModuleInfo {
  return { severity, privileged: false, does };
}
