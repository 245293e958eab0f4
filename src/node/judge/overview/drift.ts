/** Differences between conf, process and node. */
import { matches, originsOf } from '../../facts/access.js';
import type { Facts } from '../../facts/facts.js';
import type { EndpointFacts } from '../../facts/live.js';
import type { DriftRow } from '../../facts/report.js';
import { isRefused, type Seen } from '../../facts/seen.js';
import { type Listener, type ListenerKind, listenerKinds } from '../../facts/settings.js';
import type { Kind, ListenerFlags } from '../../kinds/kind.js';
import { type NodeSettings, withKind } from '../../kinds/node.js';
import { switchOf } from '../exposure/unsafe-debug.js';
import { isOpen, modulesOf } from '../live/answers.js';
import { flagDifferences, processFlag } from '../live/command-line.js';
import type { LiveEndpoint } from '../live/interfaces.js';
import { type Live, liveOf } from '../live/live.js';
import { isUp, splitByNode } from '../live/parts.js';
import { settingName } from '../settings/setting.js';

/** A difference between conf and node. */
interface Difference {
  readonly flag: string;
  readonly conf: string;
  readonly node: string;
}

/** The rows of one target, in the order of its interfaces; null without a conf or a live node. */
export function driftOf(facts: Facts, kinds: readonly Kind[]): DriftRow[] | null {
  const seen = liveOf(facts, kinds);
  const live = seen === null ? null : splitByNode(seen).own;
  if (facts.conf?.state !== 'seen' || live === null) return null;
  const settings = withKind(kinds, facts.conf.value.settings);
  const differences = [
    ...live.endpoints.flatMap((endpoint) => interfaceDifferences(settings, live, endpoint)),
    ...switchDifference(settings, live),
    ...chainDifference(settings, live),
    ...metricsDifferences(settings, live),
  ];
  const rows = differences.map((one) => row(settings, live, one));
  const reported = new Set(differences.map(({ flag }) => flag));
  const others = (flagDifferences(settings, live) ?? []).filter(({ flag }) => !reported.has(flag));
  return [
    ...rows,
    ...others.map(({ flag, conf, process }) => ({
      setting: rowName(settings, flag),
      conf: conf ?? 'not set',
      process: process ?? 'not set',
      node: null,
      note: 'restart pending',
    })),
  ];
}

function row(settings: NodeSettings, live: Live, { flag, conf, node }: Difference): DriftRow {
  const setting = rowName(settings, flag);
  const started = live.started?.values[flag];
  // The environment of a process is not in its arguments, nor in a conf that does not export it.
  if (started?.origin.kind === 'environment' && settings.values[flag]?.origin.kind !== 'environment')
    return {
      setting,
      conf,
      process: `${started.value}`,
      node,
      note: `${started.origin.variable} of the process`,
    };
  const process = processFlag(live, flag);
  const differs = flagDifferences(settings, live)?.some((one) => one.flag === flag) ?? null;
  const note = differs === null ? null : differs ? 'restart pending' : 'changed at run time';
  return { setting, conf, process, node, note };
}

function rowName(settings: NodeSettings, flag: string): string {
  // A kind that lacks an interface has no flag for it.
  const isNamed = !isListener(flag) || settings.nodeKind.interfaces.flags[flag].enable !== null;
  return isNamed ? settingName(settings, flag) : flag;
}

function isListener(name: string): name is ListenerKind {
  return (listenerKinds as readonly string[]).includes(name);
}

function interfaceDifferences(settings: NodeSettings, live: Live, endpoint: LiveEndpoint): Difference[] {
  const { kind } = endpoint.endpoint;
  const { listener } = endpoint;
  if (listener === null || listener.state === 'unknown') return [];
  const flag = settings.nodeKind.interfaces.flags[kind].enable ?? kind;
  const open = isOpen(endpoint);
  if (listener.state === 'off') return open ? [{ flag, conf: 'off', node: 'open' }] : [];
  if (!open) {
    const closed = isRefused(endpoint.modules) && isUp(live);
    return closed ? [{ flag, conf: 'on', node: 'closed' }] : [];
  }
  if (kind === 'ipc') return [];
  const flags = settings.nodeKind.interfaces.flags[kind];
  return [...listDifference(flags.api, listener, endpoint), ...accessDifferences(flags, listener, endpoint)];
}

function listDifference(flag: string | null, listener: Listener, endpoint: LiveEndpoint): Difference[] {
  const offered = modulesOf(endpoint)?.filter((name) => name !== 'rpc');
  const declared = listener.modules?.filter((name) => name !== 'rpc');
  if (flag === null || offered === undefined || declared === undefined) return [];
  const [node, conf] = [offered, declared].map((names) => [...names].sort().join(','));
  if (node === conf || node === undefined || conf === undefined) return [];
  return [{ flag, conf: conf || 'none', node: node || 'none' }];
}

/** The foreign host that the access checks use (RFC 2606). */
const foreignHost = 'kaiactl.invalid';

/** Compares the access lists with the results of the access checks. */
function accessDifferences(
  flags: ListenerFlags['http'],
  listener: Listener,
  endpoint: EndpointFacts,
): Difference[] {
  const origins =
    listener.origins?.some((one) => matches(originsOf(listener), one, `https://${foreignHost}`)) ?? null;
  const hosts = listener.vhosts?.some((one) => matches('vhosts', one, foreignHost)) ?? null;
  return [
    ...access(flags.origins, 'any origin', origins, endpoint.foreignOrigin),
    ...access(flags.vhosts, 'any Host', hosts, endpoint.foreignHost),
  ];
}

function access(
  flag: string | null,
  open: string,
  declared: boolean | null,
  shown: Seen<'open' | 'closed'>,
): Difference[] {
  if (flag === null || declared === null || shown.state !== 'seen' || (shown.value === 'open') === declared)
    return [];
  const words = (yes: boolean): string => (yes ? open : `not ${open}`);
  return [{ flag, conf: words(declared), node: words(!declared) }];
}

function switchDifference(settings: NodeSettings, live: Live): Difference[] {
  const flag = settings.nodeKind.probes.unsafeDebug?.flag;
  if (flag === undefined) return [];
  const setting = settings.values[flag];
  if (setting !== undefined && (setting.indeterminate !== null || setting.origin.kind === 'yaml')) return [];
  const declared = setting?.value === true ? 'on' : 'off';
  const proof = live.endpoints.map(switchOf).find((one) => one !== null && one.state !== 'unproven');
  return proof === undefined || proof === null || proof.state === declared
    ? []
    : [{ flag, conf: declared, node: proof.state }];
}

function chainDifference(settings: NodeSettings, live: Live): Difference[] {
  const declared = settings.nodeKind.interfaces.networkId(settings.values);
  if (declared === null) return [];
  const { flag, id } = declared;
  for (const { chain } of live.endpoints)
    if (chain.state === 'seen') return chain.value === id ? [] : [{ flag, conf: id, node: chain.value }];
  return [];
}

function metricsDifferences(settings: NodeSettings, live: Live): Difference[] {
  return live.metrics.flatMap((port) => {
    const { kind, listener } = port;
    const flag = settings.nodeKind.interfaces.flags[kind].enable ?? kind;
    const served = port.metrics.state === 'seen' && port.metrics.value === 'open';
    if (listener?.state === 'off' && served) return [{ flag, conf: 'off', node: 'open' }];
    const closed = isRefused(port.metrics) && isUp(live);
    return listener?.state === 'on' && closed ? [{ flag, conf: 'on', node: 'closed' }] : [];
  });
}
