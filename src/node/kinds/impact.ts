/** What callers of an interface can do by a module: the one answer, which rules and the matrices of reports ask. */
import type { ListenerKind } from '../facts/settings.js';
import { mostSevere, type Severity } from '../facts/severity.js';
import { commonModules } from './common-modules.js';
import type { Kind, Module } from './kind.js';
import { hasUnsafeDebug, moduleOn, type Node } from './node.js';

/** What is known of the interface beside who reaches it. */
export interface OfferedOn {
  readonly kind: ListenerKind;
  /** The switch that keeps a part of debug away; null if the interface has no debug, or its state is not known. */
  readonly unsafeDebug?: SwitchState | null;
  /** Whether an account of the node is unlocked. */
  readonly unlocked?: boolean;
}

export type SwitchState = 'on' | 'off' | 'unproven';

/** The severity of debug for any address. Callers can rewind and overwrite; with the switch on, they can still exhaust the node. */
export const switchSeverity: Readonly<Record<SwitchState, Severity>> = {
  off: 'critical',
  unproven: 'high',
  on: 'medium',
};

/** The profiler of a port of metrics, which the matrices show as a module. */
export const profiler = {
  name: 'profiler',
  severity: 'high',
  privileged: true,
  does: 'read stacks, heap and the command line, and slow the node down',
} as const satisfies Module & { readonly name: string };

/** The impact for callers at any address: `bySeverityAndReach` lowers it for others. */
export function moduleImpact(node: Node, name: string, on: OfferedOn): Module {
  const known = moduleOn(node, name) ?? { severity: 'info', privileged: false, does: '' };
  // gRPC serves only the Public services of a module.
  const part = on.kind === 'grpc' ? node.nodeKind?.modules.publicParts?.[name] : undefined;
  if (part !== undefined) return { ...part, privileged: part.severity !== 'info' };
  if (name === profiler.name) return profiler;
  if (name === 'engine' && (on.kind === 'authrpc' || on.kind === 'engine-ipc')) return commonModules.engine;
  if (isSwitched(node, name, on)) return { ...known, severity: switchSeverity[on.unsafeDebug ?? 'off'] };
  if (on.unlocked === true && node.nodeKind?.modules.signing.includes(name) === true)
    return { severity: 'critical', privileged: true, does: 'sign and spend with the unlocked account' };
  return known;
}

/** Whether it is debug of a kind of node that has the switch: unsafe-debug reports it, except over gRPC. */
export function isSwitched(node: Pick<Node, 'nodeKind'>, name: string, { kind }: OfferedOn): boolean {
  return name === 'debug' && kind !== 'grpc' && hasUnsafeDebug(node);
}

/** The gravest impact over the releases that a node may be. `kind` at any of them. */
export function worstImpact(
  kind: Kind | null,
  node: Omit<Node, 'nodeKind'>,
  name: string,
  on: OfferedOn,
): Module {
  const { since, until } = node.release ?? {};
  const ids = kind?.releases.map(({ id }) => id) ?? [];
  const range =
    since === undefined || until === undefined
      ? ids.slice(-1)
      : ids.slice(ids.indexOf(since), ids.indexOf(until) + 1);
  const forms = range.map((id) => kind?.at(id, node.release?.fork) ?? null);
  const all = (forms.length === 0 ? [kind] : forms).map((nodeKind) =>
    moduleImpact({ ...node, nodeKind }, name, on),
  );
  const severity = mostSevere(all.map((one) => one.severity));
  return all.findLast((one) => one.severity === severity) as Module;
}
