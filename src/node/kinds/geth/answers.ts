/** How geth and its forks answer. Loaded by the simulator only. Source: node/rpcstack.go, rpc/ and internal/debug/flags.go. */
import type { Settings, SettingValue } from '../../facts/settings.js';
import { type Answers, chainIds, offeredServices, plainAnswers, plainWire } from '../answers.js';
import type { KindReleases, KindWords } from '../kind.js';
import { entries } from '../listening.js';
import { bscFlavour, gethFlavour } from './flavours.js';
import { services } from './methods.js';

/** The account of a development chain, whose key is in the source (core/genesis.go). */
const developer = '0x71562b71999873db5b286df957af199ec94617f7';

export function answersOf({ id, release, flags }: KindReleases & KindWords, { values }: Settings): Answers {
  const read = (flag: string): SettingValue | null => values[flag]?.value ?? null;
  const text = (flag: string) => String(read(flag) ?? '');
  const listed = (flag: string) => entries(values[flag]) ?? [];
  const graphql = { vhosts: listed('graphql.vhosts'), origins: listed('graphql.corsdomain') };
  const isRecent = id === gethFlavour.id && gethFlavour.releases.holds(release.id, { since: 'v1.17.4' });
  const identity = text('identity') === '' ? '' : `${text('identity')}/`;
  const stage = id === bscFlavour.id ? '' : '-stable';
  const network = Object.keys(chainIds).find((flag) => read(flag) === true);
  return {
    ...plainAnswers,
    client: `Geth/${identity}${release.tag}${stage}/linux-amd64/go1.26.8`,
    chainId: Number(read('networkid')) || (chainIds[network ?? ''] ?? (id === bscFlavour.id ? 56 : 1)),
    accounts: [
      ...(read('dev') === true ? [developer] : []),
      ...(text(flags.unlock ?? '').match(/0x[0-9a-fA-F]{40}/g) ?? []),
    ],
    services: offeredServices(services.filter(({ flavours }) => flavours?.some((one) => one === id) ?? true)),
    wire: {
      ...plainWire,
      isCompact: isRecent,
      prefix: { http: text('http.rpcprefix'), ws: text('ws.rpcprefix') },
      preflight: id === bscFlavour.id ? 204 : 200,
      wrongPath: isRecent ? 404 : 200,
      lowersHost: isRecent,
      plainOnWs: 404,
      allowsOrigin,
      graphql: read('graphql') === true ? graphql : null,
      metrics: { metrics, profiler: false },
      // The profiler's mux has the metrics too, unless they are given an address of their own.
      pprof: { metrics: values['metrics.addr']?.origin.kind === 'default' ? metrics : null, profiler: true },
    },
  };
}

const metrics = { path: '/debug/metrics/prometheus', type: 'text/plain', gauge: 'chain_head_block' };

/** Scheme, host and port of an origin. */
const originParts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?/;

/** An entry allows what it does not name: `app.example` every scheme and port (rpc/websocket.go, ruleAllowsOrigin). */
function allowsOrigin(entry: string, origin: string): boolean {
  const [wanted, asked] = [entry, origin].map((one) => originParts.exec(one)?.slice(1) ?? []);
  return wanted?.every((part, at) => !part || part === asked?.[at]) ?? false;
}
