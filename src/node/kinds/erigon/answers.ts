/** How the node answers. Loaded by the simulator only. Source: node/rpcstack.go, rpc/ and cmd/rpcdaemon/cli/config.go. */
import type { Settings, SettingValue } from '../../facts/settings.js';
import { type Answers, commonResults } from '../answers.js';
import type { KindReleases } from '../kind.js';
import { services } from './methods.js';

/** The chain of --chain; any other one is taken for that of Ethereum. */
const chains: Readonly<Record<string, number>> = {
  sepolia: 11_155_111,
  holesky: 17_000,
  hoodi: 560_048,
  gnosis: 100,
  chiado: 10_200,
  'bor-mainnet': 137,
  amoy: 80_002,
  dev: 1337,
};

/** Its page of metrics, on a server of its own. */
const metrics = { path: '/debug/metrics/prometheus', type: 'text/plain', gauge: 'sync' };

export function answersOf({ release }: KindReleases, { values }: Settings): Answers {
  const read = (flag: string): SettingValue | null => values[flag]?.value ?? null;
  const given = values.networkid?.origin.kind === 'default' ? 0 : Number(read('networkid'));
  return {
    client: `erigon/${release.tag.slice(1)}.0/linux-amd64/go1.26.7`,
    chainId: given || (chains[String(read('chain'))] ?? 1),
    accounts: [],
    services(_transport, modules) {
      const offered = new Set(['rpc', ...modules]);
      return services.filter(({ namespace }) => offered.has(namespace));
    },
    aliases: { methods: {}, subscriptions: {} },
    results: commonResults,
    limits: {
      httpBytes: 5 << 20,
      wsBytes: 32 << 20,
      executionMs: 30 * 60_000,
      connections: Number.POSITIVE_INFINITY,
      subscriptions: Number.POSITIVE_INFINITY,
    },
    wire: {
      takesObjects: false,
      ignoresParams: false,
      isCompact: true,
      needsVersion: true,
      noNotifications: -32601,
      prefix: { http: null, ws: null },
      preflight: 200,
      wrongPath: 200,
      lowersHost: true,
      sharesPort: true,
      plainOnWs: 400,
      allowsOrigin: () => true,
      graphql: read('graphql') === true ? { vhosts: ['*'], origins: ['*'] } : null,
      metrics: { metrics, profiler: false },
      pprof: { metrics: null, profiler: true },
    },
  };
}
