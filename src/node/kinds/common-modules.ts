/** JSON-RPC namespaces that mean the same on every kind of node; severities are ours. */
import type { Period } from '../facts/release.js';
import type { Settings } from '../facts/settings.js';
import type { Severity } from '../facts/severity.js';
import type { Existing, Module } from './kind.js';

export const commonModules = {
  admin: privilegedModule('critical', 'open further interfaces, add and remove peers, and create files'),
  anvil: privilegedModule('high', 'rewrite the state of a development server'),
  debug: privilegedModule('critical', 'rewind the chain and overwrite files'),
  dev: privilegedModule('high', 'control a development chain'),
  engine: privilegedModule('critical', 'decide which chain the node follows'),
  eth: open('low', 'read the chain and send signed transactions'),
  evm: privilegedModule('high', 'set the clock and rewind the chain of a development server'),
  hardhat: privilegedModule('high', 'rewrite the state of a development server'),
  miner: privilegedModule('medium', 'start and stop the making of blocks and say who is paid'),
  net: open('info', 'read the network status'),
  personal: privilegedModule('critical', 'import, unlock and use the node’s keys, and guess passwords'),
  rpc: open('info', 'list the modules'),
  txpool: privilegedModule('medium', 'dump every pending transaction'),
  web3: open('low', 'read the node’s version'),
} as const satisfies Readonly<Record<string, Module>>;

/** A module that can spend, sign, control, rewrite or read private data. */
export function privilegedModule(severity: Severity, does: string): Module {
  return { severity, privileged: true, does };
}

/** A module for every client. */
export function open(severity: Severity, does: string): Module {
  return { severity, privileged: false, does };
}

/** A module on a node of an unknown kind; null if it is not known to mean the same everywhere. */
export function commonModule(name: string): Module | null {
  return Object.hasOwn(commonModules, name) ? commonModules[name as keyof typeof commonModules] : null;
}

/** Which settings have a program register a module. */
export interface Registered {
  /** One of these flags; absent if it needs none. */
  readonly bySwitch?: readonly string[];
  /** The flag with which it is not registered. */
  readonly unlessSwitch?: string;
}

/** A module of a release. */
export type ModuleForm = Module & Registered & { readonly name: string };

/** Which of these modules a program registers under some settings. */
export function existingIn(forms: readonly ModuleForm[], values: Settings['values']): Existing {
  const isUnknown = (flag: string) => values[flag]?.indeterminate != null;
  const isOn = (flag: string) => {
    const value = values[flag]?.value;
    return (
      value === true ||
      (typeof value === 'number' ? value > 0 : typeof value === 'string' && /[1-9]/.test(value))
    );
  };
  const named = (test: (form: ModuleForm) => boolean) =>
    forms.flatMap((form) => (test(form) ? [form.name] : [])).sort();
  const isSure = ({ bySwitch, unlessSwitch = '' }: ModuleForm) =>
    (bySwitch?.some(isOn) ?? true) && !isOn(unlessSwitch) && !isUnknown(unlessSwitch);
  const isPossible = ({ bySwitch, unlessSwitch = '' }: ModuleForm) =>
    !isOn(unlessSwitch) && (bySwitch?.some((flag) => isOn(flag) || isUnknown(flag)) ?? true);
  return { sure: named(isSure), maybe: named((form) => isPossible(form) && !isSure(form)) };
}

/** A row of a table of modules: one for each form of a module, with its period and what else is known of it. */
export type ModuleRow<Tag extends string, More = unknown> = readonly [
  name: string,
  module: Module,
  more?: Period<Tag> & More,
];

/** The forms in a table of modules. */
export function moduleForms<Tag extends string, More>(table: readonly ModuleRow<Tag, More>[]) {
  return table.map(([name, module, more]) => ({ name, ...module, ...(more as Period<Tag> & More) }));
}
