/** The state of the unsafe-debug switch, as settings declare it or as an interface proves it. */
import type { EndpointFacts } from '../../facts/live.js';
import { addFlag, type Fix } from '../../fix/proposal/fix.js';
import type { SwitchState } from '../../kinds/impact.js';
import type { UnsafeDebug } from '../../kinds/kind.js';
import { addedBy, hasUnsafeDebug, type Node, type NodeSettings, unsafeDebugOf } from '../../kinds/node.js';
import { type Answering, modulesOf } from '../live/answers.js';

export interface SwitchProof {
  readonly state: SwitchState;
  /** Methods disabled by the switch that answer, and the number of such methods with a clear answer. */
  readonly present: readonly string[];
  readonly asked: number;
  /** Why it is unproven; null if proven. */
  readonly reason: string | null;
}

/** The message for an interface that offers debug. `unknown`: why the state is not known, as a clause. */
export function debugMessage(
  node: Pick<Node, 'nodeKind' | 'release'>,
  state: SwitchState,
  unknown: string,
): string {
  const power = 'whoever calls it can rewind the chain and overwrite files';
  if (unsafeDebugOf(node) === null)
    return `debug is offered, and the release has no unsafe-debug switch: ${power} as the node’s user`;
  switch (state) {
    case 'off':
      return `debug is offered with the unsafe-debug switch off: ${power} as the node’s user`;
    case 'on':
      return 'debug is offered; the unsafe-debug switch is on, but traces and dumps of the whole state (traceTransaction, dumpBlock and 14 more) can still exhaust the node';
    case 'unproven':
      return `debug is offered, and whether the unsafe-debug switch is on ${unknown}: if it is off, ${power}`;
  }
}

/** Advice to set the switch, as a clause; null if the release has none. */
export function switchAdvice(node: Pick<Node, 'nodeKind' | 'release'>): string | null {
  const known = unsafeDebugOf(node);
  if (known === null) return null;
  const since = addedBy(node, known.flag);
  return `add --${known.flag}${since === null ? '' : ` (from ${since})`}`;
}

/** For a node that traces: keeps debug and adds the switch; null if the release has none. */
export function behindSwitch(settings: NodeSettings): Fix | null {
  const known = unsafeDebugOf(settings);
  if (known === null) return null;
  const goes = known.keepsIpc ? 'move to IPC' : 'are removed';
  const say = `Keep debug for tracing and add --${known.flag}: 43 of its methods ${goes}, 16 stay.`;
  return addFlag(settings, known.flag, say);
}

/** The state in the settings; a value from a YAML file is not proof. */
export function declaredSwitch(settings: NodeSettings): SwitchState {
  const { values } = settings;
  const unsafeDebug = unsafeDebugOf(settings);
  const setting = unsafeDebug === null ? undefined : values[unsafeDebug.flag];
  if (setting === undefined) return 'off';
  if (setting.indeterminate !== null || setting.origin.kind === 'yaml') return 'unproven';
  return setting.value === true ? 'on' : 'off';
}

/** Null if the interface does not offer debug, if the node has no such switch, or for ipc, which always offers everything. */
export function switchOf(endpoint: Answering): SwitchProof | null {
  const unsafeDebug = unsafeDebugOf(endpoint);
  if (endpoint.endpoint.kind === 'ipc' || !hasUnsafeDebug(endpoint)) return null;
  if (unsafeDebug === null)
    return modulesOf(endpoint)?.includes('debug') === true
      ? { state: 'off', present: [], asked: 0, reason: null }
      : null;
  const { moved, stays } = unsafeDebug;
  const entries = Object.entries(endpoint.methods).filter(([name]) => moved.some((one) => one === name));
  const present = entries.flatMap(([name, one]) =>
    one.state === 'seen' && one.value === 'present' ? [name] : [],
  );
  const absent = entries.filter(([, one]) => one.state === 'seen' && one.value === 'absent').length;
  const listed = modulesOf(endpoint)?.includes('debug') ?? null;
  const control = endpoint.methods[stays];
  const stayed = control?.state === 'seen' && control.value === 'present';
  if (listed !== true && present.length === 0 && !stayed) return null;
  const proof = { present, asked: present.length + absent };
  if (present.length > 0) return { ...proof, state: 'off', reason: null };
  if (stayed && entries.length > 0 && absent === entries.length)
    return { ...proof, state: 'on', reason: null };
  return { ...proof, state: 'unproven', reason: reasonOf(endpoint, entries, stayed ? null : unsafeDebug) };
}

type Entries = readonly (readonly [string, EndpointFacts['methods'][string]])[];

function reasonOf(endpoint: EndpointFacts, entries: Entries, denied: UnsafeDebug | null): string {
  if (endpoint.calibrated.state !== 'seen') return endpoint.calibrated.detail;
  for (const [, one] of entries) if (one.state !== 'seen') return one.detail;
  return denied === null
    ? 'no method that the switch disables was asked'
    : `${denied.stays} is denied although debug is listed`;
}

/** The evidence, as a clause. */
export function shownBy({ state, present, asked, reason }: SwitchProof): string {
  if (asked === 0 && reason === null) return 'it is listed';
  if (state === 'unproven') return `not proven: ${reason}`;
  const answering = state === 'off' ? `${present.length} of ${asked} methods` : `none of ${asked} methods`;
  return `${answering} that the switch disables answer${state === 'off' ? '' : 's'}`;
}
