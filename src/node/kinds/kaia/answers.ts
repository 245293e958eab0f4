/** How a Kaia node answers. Loaded by the simulator only. */
import type { Settings, SettingValue } from '../../facts/settings.js';
import { type Answers, chainResults, commonResults, hex, type NodeState, plainWire } from '../answers.js';
import type { KindModules, KindProbes, KindReleases } from '../kind.js';
import { flagsAt } from './flags.js';
import { networkIds } from './interfaces.js';
import { type Service, services } from './methods.js';
import { formerName } from './modules.js';
import { isBootNode, launcherNamed } from './names.js';
import { releases } from './releases.js';

export function answersOf(
  { release, probes: { unsafeDebug }, modules }: KindReleases & KindModules & KindProbes,
  { launcher, values }: Pick<Settings, 'launcher' | 'values'>,
): Answers {
  const read = (flag: string): SettingValue | null => values[flag]?.value ?? null;
  const fallback = (flag: string) => Number(flagsAt(releases.newest.id).fallback(flag));
  /** A count; the node's default if the value is unknown or not a count. */
  const count = (flag: string): number => {
    const value = Number(read(flag) ?? fallback(flag));
    return Number.isSafeInteger(value) && value >= 0 ? value : fallback(flag);
  };
  const identity = read('identity') ? `${read('identity')}/` : '';
  // The node replaces a timeout below one second by its default.
  const seconds = count('rpcexecutiontimeout') || fallback('rpcexecutiontimeout');
  const bytes = count('maxRequestContentLength');
  // Before the renaming, kaia_ is unknown.
  const own = modules.listed('kaia') === null ? formerName : 'kaia';
  const isGone = (transport: string) =>
    read('rpc.unsafe-debug.disable') === true && (transport !== 'ipc' || unsafeDebug?.keepsIpc !== true);
  const isBoot = isBootNode(launcherNamed(launcher));
  const isRegistered = ({ isOnBoot, unlessSwitch = '' }: Service) =>
    read(unlessSwitch) !== true && (!isBoot || isOnBoot === true);
  return {
    client: `Klaytn/${identity}${release.tag}/linux-amd64/go1.25.3`,
    chainId: read('kairos') === true ? networkIds.kairos : count('networkid'),
    accounts: String(read('unlock') ?? '').match(/0x[0-9a-fA-F]{40}/g) ?? [],
    limits: {
      httpBytes: bytes,
      wsBytes: bytes,
      executionMs: seconds * 1000,
      connections: count('wsmaxconnections'),
      subscriptions: count('wsmaxsubscriptionperconn'),
    },
    services: (transport, offered) =>
      services
        .filter(({ namespace }) => namespace === 'rpc' || offered.includes(namespace))
        .filter((one) => isRegistered(one) && !(one.unsafeDebugOnly && isGone(transport)))
        .map((one) => (one.namespace === 'kaia' ? { ...one, namespace: own } : one)),
    aliases: {
      methods: { [formerName]: own, ...(read('rpc.eth.noncompatible') === true ? { eth: own } : {}) },
      subscriptions: { [formerName]: own },
    },
    results,
    wire: {
      ...plainWire,
      // The handler that refuses them came with the switch.
      takesObjects: unsafeDebug === null,
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

const gauge = 'klaytn_blockchain_head_blocknumber';
/** Go's default mux, which metrics and profiler share; the port of --pprof serves it too. */
const mux = {
  metrics: { path: '/metrics', type: 'text/plain; version=0.0.4; charset=utf-8', gauge },
  profiler: true,
} as const;

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
