/** Questions about the limits on the work of requests. */
import { type BlindSpot, indeterminate } from '../../facts/seen.js';
import { amountOf, type Cap } from '../../kinds/caps.js';
import type { NodeSettings } from '../../kinds/node.js';
import type { RpcListener } from './listeners.js';

/** A cap of more than this many times the node’s own is far above it. */
export const farAbove = 10;

/** A cap that is off or far above the node’s own. */
export interface LooseCap {
  readonly flag: string;
  readonly value: string;
  /** The value to set. */
  readonly back: string;
  /** `no limit on the gas of a call` */
  readonly is: string;
}

/** The caps of an interface whose values are written and loose. The node’s own value is never one, even where it is no limit. */
export function looseCaps(settings: NodeSettings, listener: RpcListener): LooseCap[] {
  return capsOf(settings, listener).flatMap((cap) => looseIn(settings, cap));
}

/** What may set a cap of an interface and cannot be known, once each. */
export function capBlindSpots(settings: NodeSettings, listener: RpcListener): BlindSpot[] {
  const reasons = capsOf(settings, listener).flatMap(
    ({ flag }) => settings.values[flag]?.indeterminate ?? [],
  );
  return [...new Set(reasons)].map((reason) => indeterminate(listener.kind, reason));
}

function capsOf({ nodeKind }: NodeSettings, { kind }: RpcListener): readonly Cap[] {
  return nodeKind.interfaces.caps.filter(({ on }) => on.includes(kind));
}

function looseIn({ values, nodeKind, launcher }: NodeSettings, cap: Cap): LooseCap[] {
  const { value = null, origin } = values[cap.flag] ?? {};
  if (value === null || origin?.kind === 'default') return [];
  const { flag, limits, zero, usual = nodeKind.flags.fallback(flag), instead = null } = cap;
  const type = nodeKind.flags.of(nodeKind.programOf(launcher)).byName.get(flag)?.type;
  if (type === undefined) return [];
  const { dialect } = nodeKind;
  const [amount, own] = [amountOf(dialect, type, value), amountOf(dialect, type, usual) ?? 0];
  const back = own > 0 ? usual : instead;
  if (amount === null || back === null) return [];
  const loose = { flag, value: String(value), back };
  const isOff =
    amount === Number.POSITIVE_INFINITY ||
    (zero === 'unlimited' && (amount === 0 || (type === 'duration' && amount < 0)));
  if (isOff) return [{ ...loose, is: `no limit on ${limits}` }];
  if (own <= 0 || amount <= farAbove * own) return [];
  const times = Math.floor(amount / own).toLocaleString('en');
  return [{ ...loose, is: `${limits}: ${times} times the default ${usual}` }];
}
