/** Why a node does not start with settings that its flags allow. */
import {
  badValue,
  isLocal,
  type Listener,
  type Settings,
  type SettingValue,
  type StartProblem,
} from '../facts/settings.js';
import type { ListenerFlags } from './interfaces.js';

type Values = Settings['values'];

/** A flag, and why the node refuses a value of it: what follows the flag in a sentence. Returns null if it starts. */
export type ValueCheck = readonly [flag: string, why: (value: SettingValue) => string | null];

export function valueProblems(checks: readonly ValueCheck[], values: Values): StartProblem[] {
  return checks.flatMap(([flag, why]) => {
    const value = values[flag]?.value ?? null;
    const reason = value === null ? null : why(value);
    return reason === null ? [] : [badValue(values, flag, `--${flag} ${reason}: the node does not start`)];
  });
}

/** A port that a node opens, by its flag. */
export interface Bound {
  readonly flag: string;
  readonly host: string | null;
  readonly port: number | null;
}

/** The ports of those interfaces that are on; default: of all. */
export function boundBy(
  flags: ListenerFlags,
  listeners: readonly Listener[],
  kinds: readonly string[] = Object.keys(flags),
): readonly Bound[] {
  return listeners.flatMap(({ kind, state, host, port }) => {
    const flag = isLocal(kind) ? null : flags[kind].port;
    return flag === null || state !== 'on' || !kinds.includes(kind) ? [] : [{ flag, host, port }];
  });
}

/** Numbers that are no port. */
export function portProblems(all: readonly Bound[], values: Values): StartProblem[] {
  return all
    .filter(({ port }) => port !== null && (port < 0 || port > 65_535))
    .map(({ flag, port }) =>
      badValue(values, flag, `--${flag} ${port} is not a port: the node does not start`),
    );
}

/** Ports that are opened twice at one address. */
export function clashes(all: readonly Bound[], values: Values): StartProblem[] {
  return all.flatMap((one, at) => {
    const other = all.slice(at + 1).find((next) => overlap(one, next));
    if (other === undefined) return [];
    const message = `--${one.flag} and --${other.flag} are both ${one.port}: the node cannot listen twice and does not start`;
    return [{ ...badValue(values, one.flag, message), flags: [one.flag, other.flag] }];
  });
}

function overlap(a: Bound, b: Bound): boolean {
  if (a.port === null || a.port === 0 || a.port !== b.port || a.host === null || b.host === null)
    return false;
  return a.host === b.host || [a.host, b.host].some((host) => ['', '0.0.0.0', '[::]'].includes(host));
}
