/** JSON-RPC namespaces that mean the same on every kind of node; severities are ours. */
import { pairs } from '../../util/pairs.js';
import type { Severity } from '../facts/severity.js';
import type { Module } from './kind.js';

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
} as const satisfies Readonly<Record<string, Module>>;

function privileged(severity: Severity, does: string): Module {
  return { severity, privileged: true, does };
}

function open(severity: Severity, does: string): Module {
  return { severity, privileged: false, does };
}

/** A module on a node of an unknown kind; null: it is not known to mean the same everywhere. */
export function commonModule(name: string): Module | null {
  return Object.hasOwn(commonModules, name) ? commonModules[name as keyof typeof commonModules] : null;
}

/**
 * Reads a table of modules: the name, the severity, after `open` that of one that is not privileged, facts as `field=value`,
 * and after a colon what it can do. Deeper lines continue it. One without a severity means the same on every kind of node.
 */
export function modulesOf<M extends Module>(table: string): Readonly<Record<string, M>> {
  const line = /^ *(\w+)( open)?(?: (\w+)(?= |:))?((?: \w+=[^\s:]+)*)(?:: (.+))?$/gm;
  const rows = table.replaceAll('\n    ', ' ').matchAll(line);
  return Object.fromEntries(
    [...rows].map(([, name = '', opens, severity, facts = '', does]) => {
      const own = { severity, privileged: opens === undefined, does };
      return [
        name,
        { ...(severity === undefined ? commonModule(name) : own), ...Object.fromEntries(pairs(facts)) } as M,
      ];
    }),
  );
}
