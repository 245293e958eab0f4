/** Conf, process and node side by side, where they differ. */
import type { ConfFacts, Listener } from '../facts/conf.js';
import type { Facts } from '../facts/facts.js';
import type { EndpointFacts, LiveFacts } from '../facts/live.js';
import { isAnyOrigin } from '../facts/reach.js';
import type { DriftRow } from '../facts/report.js';
import { isRefused, type Seen } from '../facts/seen.js';
import { networkIds } from '../kinds/kaia/interfaces.js';
import { flagDifferences, processFlag } from './command-line.js';
import { isUp } from './compare.js';
import { isOpen, modulesOf } from './live.js';
import { nameOf, settingsOf } from './setting.js';
import { switchOf } from './switch.js';

/** What a row is about, before the process has its say. */
interface Difference {
  readonly flag: string;
  readonly conf: string;
  readonly node: string;
}

/** The table for one target; null when there is no conf or nothing live to compare. Order: as interfaces come. */
export function driftOf(facts: Facts): DriftRow[] | null {
  if (facts.conf?.state !== 'seen' || facts.live === null) return null;
  const conf = facts.conf.value;
  const { live } = facts;
  const differences = [
    ...live.endpoints.flatMap((endpoint) => interfaceDifferences(conf, live, endpoint)),
    ...switchDifference(conf, live),
    ...chainDifference(conf, live),
    ...metricsDifferences(conf, live),
  ];
  const rows = differences.map((one) => row(conf, live, one));
  const told = new Set(differences.map(({ flag }) => flag));
  const silent = (flagDifferences(conf, live) ?? []).filter(({ flag }) => !told.has(flag));
  return [
    ...rows,
    ...silent.map(({ flag, conf: said, process }) => ({
      setting: settingName(conf, flag),
      conf: said ?? 'not set',
      process: process ?? 'not set',
      node: null,
      note: 'restart pending',
    })),
  ];
}

function row(conf: ConfFacts, live: LiveFacts, { flag, conf: said, node }: Difference): DriftRow {
  const process = processFlag(live, flag);
  const differs = flagDifferences(conf, live)?.some((one) => one.flag === flag) ?? null;
  const note = differs === null ? null : differs ? 'restart pending' : 'changed at run time';
  return { setting: settingName(conf, flag), conf: said, process, node, note };
}

const variables = new Map<string, string>([
  ...Object.values(settingsOf).flatMap((flags) =>
    Object.values(flags).flatMap(([flag, variable]) =>
      variable === null ? [] : [[flag, variable] as const],
    ),
  ),
  ...['networkid', 'kairos', 'mainnet'].map((flag) => [flag, 'NETWORK'] as const),
]);

/** What sets it, or would: the variable this launcher reads, else the flag. */
function settingName(conf: ConfFacts, flag: string): string {
  const variable = variables.get(flag);
  const given = conf.settings[flag]?.origin.kind ?? 'default';
  return given === 'default' && variable !== undefined && conf.reads.includes(variable)
    ? variable
    : nameOf(conf, flag);
}

function interfaceDifferences(conf: ConfFacts, live: LiveFacts, endpoint: EndpointFacts): Difference[] {
  const { kind } = endpoint.endpoint;
  const listener = conf.listeners.find((one) => one.kind === kind);
  if (listener === undefined || listener.state === 'unknown') return [];
  const flag = settingsOf[kind].enable[0];
  const open = isOpen(endpoint);
  if (listener.state === 'off') return open ? [{ flag, conf: 'off', node: 'open' }] : [];
  if (!open) {
    const closed = isRefused(endpoint.modules) && isUp(live);
    return closed ? [{ flag, conf: 'on', node: 'closed' }] : [];
  }
  if (kind === 'ipc') return [];
  return [...listDifference(kind, listener, endpoint), ...accessDifferences(kind, listener, endpoint)];
}

function listDifference(kind: 'http' | 'ws', listener: Listener, endpoint: EndpointFacts): Difference[] {
  const offered = modulesOf(endpoint)?.filter((name) => name !== 'rpc');
  const declared = listener.modules?.filter((name) => name !== 'rpc');
  if (offered === undefined || declared === undefined) return [];
  const [node, conf] = [offered, declared].map((names) => [...names].sort().join(','));
  if (node === conf || node === undefined || conf === undefined) return [];
  return [{ flag: settingsOf[kind].api[0], conf: conf || 'none', node: node || 'none' }];
}

/** A list that names origins or hosts lets ours in only by a wildcard. */
function accessDifferences(kind: 'http' | 'ws', listener: Listener, endpoint: EndpointFacts): Difference[] {
  const origins = listener.origins?.some(isAnyOrigin) ?? null;
  const hosts = listener.vhosts?.includes('*') ?? null;
  const flags = settingsOf[kind];
  return [
    ...access(flags.origins[0], 'any origin', origins, endpoint.foreignOrigin),
    ...('vhosts' in flags ? access(flags.vhosts[0], 'any Host', hosts, endpoint.foreignHost) : []),
  ];
}

function access(
  flag: string,
  open: string,
  said: boolean | null,
  shown: Seen<'open' | 'closed'>,
): Difference[] {
  if (said === null || shown.state !== 'seen' || (shown.value === 'open') === said) return [];
  const words = (yes: boolean): string => (yes ? open : `not ${open}`);
  return [{ flag, conf: words(said), node: words(!said) }];
}

function switchDifference(conf: ConfFacts, live: LiveFacts): Difference[] {
  const flag = 'rpc.unsafe-debug.disable';
  const setting = conf.settings[flag];
  if (setting !== undefined && (setting.indeterminate !== null || setting.origin.kind === 'yaml')) return [];
  const said = setting?.value === true ? 'on' : 'off';
  const proof = live.endpoints.map(switchOf).find((one) => one !== null && one.state !== 'unproven');
  return proof === undefined || proof === null || proof.state === said
    ? []
    : [{ flag, conf: said, node: proof.state }];
}

/** The network flags come before --networkid, whose default is mainnet's; net_version answers the network id. */
function chainDifference(conf: ConfFacts, live: LiveFacts): Difference[] {
  const { kairos, mainnet, networkid } = conf.settings;
  if ([kairos, mainnet, networkid].some((setting) => setting != null && setting.indeterminate !== null))
    return [];
  const flag = kairos?.value === true ? 'kairos' : mainnet?.value === true ? 'mainnet' : 'networkid';
  const said = String(flag === 'networkid' ? (networkid?.value ?? networkIds.mainnet) : networkIds[flag]);
  for (const { chain } of live.endpoints) {
    if (chain.state === 'seen') return chain.value === said ? [] : [{ flag, conf: said, node: chain.value }];
  }
  return [];
}

function metricsDifferences(conf: ConfFacts, live: LiveFacts): Difference[] {
  return live.metrics.flatMap((port) => {
    const kind = port.kind;
    const listener = conf.listeners.find((one) => one.kind === kind);
    const flag = settingsOf[kind].enable[0];
    const served = port.metrics.state === 'seen' && port.metrics.value === 'open';
    if (listener?.state === 'off' && served) return [{ flag, conf: 'off', node: 'open' }];
    const closed = isRefused(port.metrics) && isUp(live);
    return listener?.state === 'on' && closed ? [{ flag, conf: 'on', node: 'closed' }] : [];
  });
}
