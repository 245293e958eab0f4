/** Forks of which kaiactl knows only the release that they descend from: params/version.go and logs of their repositories. */
import type { ReleaseRange } from '../../facts/release.js';
import type { FlagRow } from '../flags.js';
import { compare } from '../versions.js';
import type { Flavour, Tag } from './flavours.js';
import { celoFlags, quorumFlags } from './fork-flags.js';

interface Fork {
  readonly name: string;
  readonly image: RegExp;
  /** From this version on, it is based on this release; those between two rows on one of both. Empty: not known. */
  readonly bases: readonly (readonly [version: string, base: Tag])[];
  /** Flag → the variable that it reads for it, which geth of that time does not. Absent: none is known. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Flags of its own. */
  readonly flags?: readonly FlagRow<never>[];
}

/** l2geth/cmd/utils/flags.go in releases 0.2.1 to 0.5.33 of Optimism, and in those of Metis and Mantle. */
// biome-ignore format: a table, its lines filled by hand
const l2gethEnvironment: Readonly<Record<string, string>> = {
  cache: 'CACHE', datadir: 'DATADIR', dev: 'DEV', gcmode: 'GCMODE', ipcdisable: 'IPC_DISABLE',
  metrics: 'METRICS_ENABLE', 'miner.etherbase': 'ETHERBASE', 'miner.gaslimit': 'TARGET_GAS_LIMIT',
  'miner.gasprice': 'GASPRICE', networkid: 'NETWORK_ID', nodiscover: 'NO_DISCOVER', nousb: 'NO_USB',
  rpc: 'RPC_ENABLE', rpcaddr: 'RPC_ADDR', rpcapi: 'RPC_API', rpccorsdomain: 'RPC_CORS_DOMAIN',
  rpcport: 'RPC_PORT', rpcvhosts: 'RPC_VHOSTS', ws: 'WS', wsaddr: 'WS_ADDR', wsapi: 'WS_API',
  wsorigins: 'WS_ORIGINS', wsport: 'WS_PORT',
};

/** By the product that they descend from. Forks of op-geth have numbers of their own. */
// biome-ignore format: a fork a line or two
const forks: Readonly<Record<string, readonly Fork[]>> = {
  geth: [
    { name: 'l2geth', image: /(?:^|[/_-])l2geth$/, bases: [['v0.0.0', 'v1.9.10']], environment: l2gethEnvironment },
    { name: 'quorum', image: /(?:^|\/)(?:quorumengineering|consensys)\/quorum$|(?:^|\/)quorum$/,
      bases: [['v2.0.0', 'v1.7.2'], ['v2.2.0', 'v1.8.12'], ['v2.2.2', 'v1.8.18'], ['v2.6.0', 'v1.9.7'],
        ['v21.4.0', 'v1.9.20'], ['v22.1.0', 'v1.10.3']], flags: quorumFlags },
    { name: 'celo-blockchain', image: /(?:^|\/)celo-org\/(?:geth|celo-node)$/,
      bases: [['v1.1.0', 'v1.9.10'], ['v1.4.0', 'v1.9.19'], ['v1.5.0', 'v1.9.25'], ['v1.6.0', 'v1.10.9']],
      flags: celoFlags },
  ],
  'op-geth': [
    { name: 'op-bnb', image: /(?:^|\/)bnb-chain\/op-geth$/, bases: [] },
    { name: 'Mantle’s op-geth', image: /(?:^|\/)mantle\w*\/op-geth$/, bases: [] },
    { name: 'X Layer’s op-geth', image: /(?:^|\/)(?:okx|xlayer)\/op-geth$/, bases: [] },
    { name: 'Celo’s op-geth', image: /(?:^|\/)celo-blockchain-public\/op-geth$/, bases: [] },
  ],
};

/** The variables and the flags of a fork by its name; empty if none is known. */
export function forkNamed({ id }: Flavour, name: string): Pick<Fork, 'environment' | 'flags'> {
  return forks[id]?.find((fork) => fork.name === name) ?? {};
}

type Test = (fork: Fork) => boolean;

/** The releases that the first such fork descends from; null if there is none. */
export function baseOf({ id, releases }: Flavour, isMeant: Test, tag = ''): ReleaseRange | null {
  const fork = forks[id]?.find(isMeant);
  if (fork === undefined) return null;
  if (fork.bases.length === 0) return { ...releases.whole, fork: fork.name };
  const [, major, minor = '0', patch = '0'] = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?/.exec(tag) ?? [];
  const version = major === undefined ? null : `v${[major, minor, patch].map(Number).join('.')}`;
  const [since, until] = basesOf(fork, version);
  return { value: null, since: `${id}/${since}`, until: `${id}/${until}`, fork: fork.name };
}

function basesOf({ bases }: Fork, version: string | null): readonly [string, string] {
  const [first, last] = [bases[0]?.[1] ?? '', bases.at(-1)?.[1] ?? ''];
  if (version === null) return [first, last];
  const at = bases.findLastIndex(([from]) => compare(from, version) <= 0);
  const since = bases[at]?.[1] ?? first;
  const isOfRow = bases[at]?.[0].replace(/\.\d+$/, '') === version.replace(/\.\d+$/, '');
  return [since, isOfRow ? since : (bases[at + 1]?.[1] ?? since)];
}
