/** How the node answers. Loaded by the simulator only. Source: node/rpcstack.go, rpc/ and cmd/rpcdaemon/cli/config.go. */
import type { Settings, SettingValue } from '../../facts/settings.js';
import { type Answers, chainIds, offeredServices, plainAnswers, plainWire } from '../answers.js';
import type { KindReleases } from '../kind.js';
import { services } from './methods.js';

/** Its page of metrics, on a server of its own. */
const metrics = { path: '/debug/metrics/prometheus', type: 'text/plain', gauge: 'sync' };

export function answersOf({ release }: KindReleases, { values }: Settings): Answers {
  const read = (flag: string): SettingValue | null => values[flag]?.value ?? null;
  const given = values.networkid?.origin.kind === 'default' ? 0 : Number(read('networkid'));
  return {
    ...plainAnswers,
    client: `erigon/${release.tag.slice(1)}.0/linux-amd64/go1.26.7`,
    chainId: given || (chainIds[String(read('chain'))] ?? 1),
    services: offeredServices(services),
    limits: { ...plainAnswers.limits, executionMs: 30 * 60_000 },
    wire: {
      ...plainWire,
      lowersHost: true,
      graphql: read('graphql') === true ? { vhosts: ['*'], origins: ['*'] } : null,
      metrics: { metrics, profiler: false },
      pprof: { metrics: null, profiler: true },
    },
  };
}
