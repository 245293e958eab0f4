/**
 * The node's JSON-RPC namespaces, and what a client that reaches them can do.
 * Source: the releases of ethereum/go-ethereum (node/api.go, internal/ethapi, eth/). The severities are kaiactl's.
 */
import type { Setting } from '../../facts/settings.js';
import type { Severity } from '../../facts/severity.js';
import { commonModules as common } from '../common-modules.js';
import type { Existing, Module, Period } from '../kind.js';
import type { Flavour } from './flavours.js';
import { holdsAt } from './releases.js';

interface ModuleRow extends Module, Period {
  /** The flavours that have it; absent: all. */
  readonly flavours?: string;
  /** In these releases it is there only with this flag. */
  readonly bySwitch?: Period & { readonly flag: string };
}

const setsMiner = row('medium', 'set the extra data, the gas limit and the lowest gas price of its blocks');

/** Every namespace that has a service. The engine API is on a port of its own, which asks for a token. */
const table: Readonly<Record<string, ModuleRow>> = {
  admin: row(
    'critical',
    'take over the node: open further interfaces, one of them with the engine API and no token, change the peers and create files',
  ),
  debug: common.debug,
  dev: {
    ...row('medium', 'add withdrawals and name the fee recipient of a development chain'),
    bySwitch: { flag: 'dev' },
  },
  eth: common.eth,
  mev: { ...row('medium', 'send bids to the block builder'), flavours: 'b' },
  miner: setsMiner,
  net: common.net,
  parlia: { severity: 'low', privileged: false, does: 'read the validators', flavours: 'b' },
  personal: {
    ...common.personal,
    until: 'v1.14.13',
    bySwitch: { flag: 'rpc.enabledeprecatedpersonal', since: 'v1.11.0' },
  },
  rpc: common.rpc,
  testing: { ...row('medium', 'have the node build blocks'), since: 'v1.17.1', flavours: 'go' },
  txpool: common.txpool,
  web3: common.web3,
};

/** The same modules with what a fork changed. */
const changed: Readonly<Record<string, Readonly<Record<string, Module>>>> = {
  bsc: { miner: common.miner },
  'op-geth': {
    miner: row(
      'medium',
      'set the size of the data that blocks take, which the batcher needs, and the gas limit',
    ),
  },
};

/** Names that lists still contain although no service answers to them; `rpc` always answers. */
export const inertModules: Readonly<Record<string, string>> = {
  clique: 'only networks with Clique had the service, up to geth v1.15.11',
  db: 'no service of this name exists',
  engine: 'it answers on the authenticated port alone',
  les: 'the light client was removed from the node',
  parity: 'no service of this name exists',
  rpc: 'it answers on every interface, listed or not',
  shh: 'no service of this name exists',
  trace: 'no service of this name exists',
};

/** Modules offered where no list is given. */
export const builtInModules: readonly string[] = ['eth', 'net', 'web3'];

export function modulesAt(flavour: Flavour, release: string): Readonly<Record<string, Module>> {
  return Object.fromEntries(
    Object.entries(table)
      .filter(([, { flavours = 'a', ...period }]) => {
        return (flavours === 'a' || flavours.includes(flavour.letter)) && holdsAt(flavour, release, period);
      })
      .map(([name, module]) => [name, changed[flavour.id]?.[name] ?? module]),
  );
}

/**
 * The periods of geth's releases in which the module is there, and in which a flag decides that. Those of all modules for
 * the empty name: a list with nothing else offers them.
 */
export function periodsOfModule(name: string): readonly Period[] {
  if (name === '') return Object.keys(table).flatMap(periodsOfModule);
  const module = moduleNamed(name);
  return module === null ? [] : [module, ...(module.bySwitch === undefined ? [] : [module.bySwitch])];
}

/** The flag without which the module does not exist in a release; null: none. */
export function switchOf(flavour: Flavour, release: string, name: string): string | null {
  const { bySwitch } = moduleNamed(name) ?? {};
  return bySwitch !== undefined && holdsAt(flavour, release, bySwitch) ? bySwitch.flag : null;
}

function moduleNamed(name: string): ModuleRow | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null;
}

/** Which of these modules the program registers under these settings. */
export function existingModules(
  names: readonly string[],
  flagOf: (name: string) => string | null,
  values: Readonly<Record<string, Setting>>,
): Existing {
  const settingOf = (name: string) => values[flagOf(name) ?? ''];
  return {
    sure: names.filter((name) => flagOf(name) === null || settingOf(name)?.value === true),
    maybe: names.filter((name) => settingOf(name)?.indeterminate != null),
  };
}

/**
 * The modules that a list offers (node/rpcstack.go, RegisterApis). A list in which every name is empty offers every
 * module; one in which no name is known offers rpc alone. list null: the built-in list. Returns null where a listed
 * module may not exist.
 */
export function offered({ sure, maybe }: Existing, list: readonly string[] | null): readonly string[] | null {
  const named = (list ?? builtInModules).filter((name) => name !== '');
  const offers = (name: string) => named.length === 0 || name === 'rpc' || named.includes(name);
  return maybe.some(offers) ? null : sure.filter(offers);
}

function row(severity: Severity, does: string): Module {
  return { severity, privileged: true, does };
}
