/**
 * The node's JSON-RPC namespaces, and what a client that reaches them can do.
 * Source: the releases of kaiachain/kaia (node/node.go, node/cn/backend.go, api/, kaiax/). The severities are kaiactl's.
 */
import { oncePerKey } from '../../../util/once-per.js';
import type { Settings } from '../../facts/settings.js';
import {
  commonModules as common,
  existingIn,
  type ModuleForm,
  type ModuleRow,
  moduleForms,
  open,
  privilegedModule,
  type Registered,
} from '../common-modules.js';
import { historyOf } from '../history.js';
import type { Existing, Module, Modules, NodeIdentity } from '../kind.js';
import { isBootNode, isConsensusNode, isValidator, type Launcher } from './names.js';
import { holdsAt, latest, type Period, type ReleaseId, releases } from './releases.js';

export interface ModuleInfo extends ModuleForm, Period {
  /** The nodes whose program has the service; absent for every node. */
  readonly of?: 'node' | 'boot' | 'consensus';
}

// biome-ignore format: a row a line
const table: readonly ModuleRow<ReleaseId, Omit<ModuleInfo, keyof ModuleForm> & Registered>[] = [
  ['admin', common.admin],
  ['auction', privilegedModule('medium', 'submit bids and read every pending transaction'), { of: 'consensus', unlessSwitch: 'auction.disable', since: 'kaia/v2.1.0' }],
  ['bootnode', privilegedModule('high', 'rewrite the discovery table'), { of: 'boot' }],
  ['chaindatafetcher', privilegedModule('high', 'stop and redirect the data pipeline'), { of: 'node', bySwitch: ['chaindatafetcher'], since: 'klaytn/v1.5.2' }],
  ['debug', common.debug],
  ['eth', common.eth, { of: 'node', since: 'klaytn/v1.8.0' }],
  ['governance', privilegedModule('critical', 'cast votes that the validator signs'), { of: 'node' }],
  ['istanbul', privilegedModule('low', 'read the validators and change the candidate list'), { of: 'node' }],
  ['kaia', open('low', common.eth.does)],
  ['mainbridge', privilegedModule('low', 'read what bridges are connected'), { of: 'node', bySwitch: ['mainbridge'] }],
  ['net', common.net, { of: 'node' }],
  ['personal', common.personal, { of: 'node' }],
  ['rpc', common.rpc],
  ['subbridge', privilegedModule('critical', 'sign bridge operations with the operator keys, which stay unlocked'), { of: 'node', bySwitch: ['subbridge'] }],
  ['txpool', common.txpool, { of: 'node' }],
  ['web3', common.web3],
];

export const moduleHistory = historyOf(releases, () => moduleForms(table));

/** Every namespace that has a service; `klay` is `kaia` under its old name. */
export const modules: Readonly<Record<string, ModuleInfo>> = Object.fromEntries(
  moduleHistory.rows().map((form) => [form.name, form]),
);

/** Names that lists and documents still contain although no service answers to them; `rpc` always answers. */
// biome-ignore format: a row a line
export const inertModules: Readonly<Record<string, string>> = {
  clique: 'no service of this name exists',
  db: 'no service of this name exists',
  miner: 'the service was removed from the node',
  rpc: 'it answers on every interface, listed or not',
  shh: 'no service of this name exists',
};

/** Modules of older releases and of other nodes, which no node of this release has. */
// biome-ignore format: a row a line
const foreignModules: Readonly<Record<string, Pick<ModuleInfo, 'severity' | 'does'>>> = {
  evm: common.evm,
  miner: common.miner,
  unsafedebug: { severity: 'critical', does: 'rewind the chain and overwrite files' },
};

/** Modules offered where no list is given (cmd/utils/config.go). */
export const builtInModules = ['eth', 'kaia', 'net', 'web3'] as const;

/** When no service of debug is Public. */
export const withoutPublicDebug: Period = { since: 'klaytn/v1.10.0', until: 'kaia/v1.0.3' };
/** The block and state readers of api/ up to klaytn v1.9.1, and kaiax/gasless from kaia v2.0.0. */
// biome-ignore format: a row a line
const publicDebug: readonly (readonly [ReleaseId, Pick<Module, 'severity' | 'does'>])[] = [
  ['klaytn/v1.5.0', { severity: 'medium', does: 'have the node dump the whole state, which keeps it busy' }],
  ['klaytn/v1.10.0', { severity: 'info', does: 'call nothing, since none of its services is Public' }],
  ['kaia/v2.0.0', { severity: 'info', does: 'read how the node treats transactions without a fee' }],
];

/** What the Public services of admin (node.AdminNodeAPI) and of debug do. */
export function publicPartsAt(release: string): Modules['publicParts'] {
  const debug = latest(release, publicDebug) as Module;
  return { admin: { severity: 'low', does: 'read the node’s peers, addresses and folders' }, debug };
}

/** The modules that the program of a launcher registers under some settings. */
export function existingModulesAt(release: string) {
  const formsOf = oncePerKey((launcher: Launcher) => {
    const of = isBootNode(launcher)
      ? ['boot']
      : ['node', ...(isConsensusNode(launcher) ? ['consensus'] : [])];
    const forms = Object.values(modules).filter((form) => of.includes(form.of ?? of[0] ?? ''));
    return forms.filter(({ name }) => existsAt(release, name));
  });
  return (launcher: Launcher, values: Settings['values']): Existing => existingIn(formsOf(launcher), values);
}

/** Whether some program of the release has the module. */
export function existsAt(release: string, name: string): boolean {
  return Object.hasOwn(modules, name) && holdsAt(release, modules[name] ?? {});
}

/** The release from which `kaia` is a name of the module in lists; before, `klay` alone is. */
export const renamedSince: ReleaseId = 'kaia/v0.9.0';

/** The module that a name in a list means at a release; null if there is none. */
export function listedModule(release: string, name: string): string | null {
  const canonical = canonicalModule(name);
  const isName = name !== 'kaia' || holdsAt(release, { since: renamedSince });
  return isName && existsAt(release, canonical) ? canonical : null;
}

/** Modules whose methods sign with a node account once it is unlocked. */
export const signingModules: readonly string[] = ['eth', 'kaia', 'personal'];

/**
 * The methods of eth and kaia that use an account of the node: where one is unlocked, any client can spend from it.
 * api/api_public_transaction_pool.go and api/api_ethereum.go.
 */
// biome-ignore format: a table, its lines filled by hand
export const signingMethods = [
  'resend', 'sendTransaction', 'sendTransactionAsFeePayer', 'sign', 'signTransaction', 'signTransactionAsFeePayer',
] as const;

/** The former name of the module `kaia`; lists may still contain it. */
export const formerName = 'klay';

/** The severity of a module that no node of this release has. */
export function foreignModule(name: string): Pick<ModuleInfo, 'severity' | 'does'> {
  const known = Object.hasOwn(foreignModules, name) ? foreignModules[name] : undefined;
  return known ?? { severity: 'medium', does: 'do what kaiactl does not know' };
}

/** The name a node of this release reports: klay was renamed kaia. */
export function canonicalModule(name: string): string {
  return name === formerName ? 'kaia' : name;
}

/** A module as it is on this node; null if there is no such module. */
export function moduleOn(node: NodeIdentity, name: string): Module | null {
  const canonical = canonicalModule(name);
  const known = Object.hasOwn(modules, canonical) ? modules[canonical] : undefined;
  if (known === undefined) return null;
  return canonical === 'governance' && !isValidator(node)
    ? {
        ...known,
        severity: 'medium',
        does: 'cast votes, which this node does not sign since it is no validator',
      }
    : known;
}

/** Modules of validators, where the node may be a validator. */
export function likelyModules(node: NodeIdentity, names: readonly string[]): readonly string[] {
  return isValidator(node) ? names.filter((name) => modules[name]?.of === 'consensus') : [];
}
