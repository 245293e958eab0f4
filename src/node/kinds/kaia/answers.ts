/** How a Kaia node answers. Loaded by the simulator only. */
import type { Settings, SettingValue } from '../../facts/settings.js';
import { type Answers, chainResults, commonResults, hex, type NodeState, plainWire } from '../answers.js';
import type { Kind } from '../kind.js';
import { flagsAt } from './flags.js';
import { networkIds } from './interfaces.js';
import { type Service, services } from './methods.js';
import { formerName } from './modules.js';
import { isBootNode, launcherNamed } from './names.js';
import { releases } from './releases.js';

/** What of the settings and the release decides which services there are. */
export interface Traits {
  /** rpc.unsafe-debug.disable is set. */
  readonly unsafeDebugGone: boolean;
  /** That switch leaves ipc its methods, as from klaytn v1.12.1 on. */
  readonly keepsIpc: boolean;
  /** rpc.eth.noncompatible: eth_ methods are looked up among kaia's. */
  readonly ethIsKaia: boolean;
  /** Only the services of the node package and of the bootnode. */
  readonly bootNode: boolean;
  /** --gasless.disable: its two debug methods are not registered. */
  readonly noGasless: boolean;
  /** A node before the renaming: the namespace is `klay`, and kaia_ is unknown. */
  readonly klay: boolean;
  /** A method without parameters runs although its params are an object, as up to klaytn v1.9.1. */
  readonly takesObjects: boolean;
}

export function answersOf(kind: Kind, settings: Settings): Answers {
  const { unsafeDebug } = kind.probes;
  const read = (flag: string): SettingValue | null => settings.values[flag]?.value ?? null;
  const fallback = (flag: string) => Number(flagsAt(releases.newest.id).fallback(flag));
  /** A count; the node's default if the value is unknown or not a count. */
  const count = (flag: string): number => {
    const value = Number(read(flag) ?? fallback(flag));
    return Number.isSafeInteger(value) && value >= 0 ? value : fallback(flag);
  };
  const identity = String(read('identity') ?? '');
  // The node replaces a timeout below one second by its default.
  const seconds = count('rpcexecutiontimeout') || fallback('rpcexecutiontimeout');
  const bytes = count('maxRequestContentLength');
  return {
    client: ['Klaytn', ...(identity === '' ? [] : [identity]), kind.release.tag, 'linux-amd64/go1.25.3'].join(
      '/',
    ),
    chainId: read('kairos') === true ? networkIds.kairos : count('networkid'),
    accounts: String(read('unlock') ?? '').match(/0x[0-9a-fA-F]{40}/g) ?? [],
    limits: {
      httpBytes: bytes,
      wsBytes: bytes,
      executionMs: seconds * 1000,
      connections: count('wsmaxconnections'),
      subscriptions: count('wsmaxsubscriptionperconn'),
    },
    ...answersWith({
      unsafeDebugGone: read('rpc.unsafe-debug.disable') === true,
      keepsIpc: unsafeDebug?.keepsIpc ?? false,
      ethIsKaia: read('rpc.eth.noncompatible') === true,
      bootNode: isBootNode(launcherNamed(settings.launcher)),
      noGasless: read('gasless.disable') === true,
      klay: kind.modules.listed('kaia') === null,
      // The new request handler came with the switch.
      takesObjects: unsafeDebug === null,
    }),
  };
}

/** The part of the answers that is the same for every node with these traits. */
export function answersWith(traits: Traits): Pick<Answers, 'services' | 'aliases' | 'results' | 'wire'> {
  const { klay, ethIsKaia, keepsIpc, unsafeDebugGone, takesObjects } = traits;
  const own = klay ? formerName : 'kaia';
  return {
    services(transport, modules) {
      const offered = new Set(['rpc', ...modules]);
      const isSwitchedOff = unsafeDebugGone && (transport !== 'ipc' || !keepsIpc);
      return services
        .filter((service) => offered.has(service.namespace) && isRegistered(service, traits, isSwitchedOff))
        .map((service) => (service.namespace === 'kaia' ? { ...service, namespace: own } : service));
    },
    aliases: {
      methods: { [formerName]: own, ...(ethIsKaia ? { eth: own } : {}) },
      subscriptions: { [formerName]: own },
    },
    results,
    wire: {
      ...plainWire,
      takesObjects,
      ignoresParams: true,
      isCompact: false,
      needsVersion: false,
      noNotifications: -32000,
      sharesPort: false,
      allowsOrigin: (entry, origin) => entry === origin,
      metrics: mux,
      pprof: mux,
    },
  };
}

/** Go's default mux, which metrics and profiler share; the port of --pprof serves it too. */
const mux = {
  metrics: {
    path: '/metrics',
    type: 'text/plain; version=0.0.4; charset=utf-8',
    gauge: 'klaytn_blockchain_head_blocknumber',
  },
  profiler: true,
} as const;

const ofBootNode = /^(node\.|debug\.|kbn |rpc\.)/;

function isRegistered(
  { name, unsafeDebugOnly }: Service,
  { bootNode, noGasless }: Traits,
  isSwitchedOff: boolean,
): boolean {
  if (bootNode && !ofBootNode.test(name)) return false;
  if (name.endsWith(' GaslessAPI')) return !noGasless;
  return unsafeDebugOnly !== true || !isSwitchedOff;
}

const results: Answers['results'] = {
  ...commonResults,
  ...chainResults('kaia'),
  ...chainResults(formerName),
  kaia_clientVersion: (node) => node.client,
  klay_clientVersion: (node) => node.client,
  kaia_chainID: (node) => hex(node.chainId),
  klay_chainID: (node) => hex(node.chainId),
  net_networkID: (node) => node.chainId,
  personal_listAccounts: (node) => node.accounts,
  personal_listWallets: (node) => node.accounts.map((address) => wallet(node, address)),
};

/** A keystore has one wallet for each account. */
function wallet({ unlocked }: NodeState, address: string): unknown {
  const url = `keystore:///var/kend/data/keystore/${address}`;
  const status = unlocked.includes(address) ? 'Unlocked' : 'Locked';
  return { url, status, accounts: [{ address, url }] };
}
