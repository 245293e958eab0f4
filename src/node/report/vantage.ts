/** Compares a fleet from inside with the same fleet from outside. */
import { type Reach, reachOfHost } from '../facts/reach.js';
import type { InterfaceReport, Report, TargetReport } from '../facts/report.js';
import { portOf } from './listing.js';

export interface Exposure {
  readonly target: string;
  readonly transport: InterfaceReport['transport'];
  /** As seen from outside. */
  readonly endpoint: string;
  readonly modules: readonly string[] | null;
  /** Who reaches it as seen from inside; null: inside does not list this interface. */
  readonly inside: Reach | null;
}

export interface VantageReport {
  readonly schema: 'kaiactl/report-vantage-1';
  readonly inside: string;
  readonly outside: string;
  readonly exposed: readonly Exposure[];
  /** Targets that were audited inside only. */
  readonly unseen: readonly string[];
  readonly exitCode: number;
}

/** Interfaces that outside reaches although inside judges them private. The caller sets `exitCode`. */
export function compareVantage(inside: Report, outside: Report): Omit<VantageReport, 'exitCode'> {
  const within = new Map(inside.targets.map((target) => [target.name, target]));
  const names = new Set(outside.targets.filter(isLookedAt).map(({ name }) => name));
  return {
    schema: 'kaiactl/report-vantage-1',
    inside: inside.startedAt,
    outside: outside.startedAt,
    exposed: outside.targets.flatMap((target) => exposures(within.get(target.name), target)),
    unseen: inside.targets.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

/** True when an interface was asked, even if it refused or could not be reached. */
function isLookedAt({ interfaces }: TargetReport): boolean {
  return interfaces.some(({ state }) => state !== 'not-checked');
}

function exposures(inside: TargetReport | undefined, outside: TargetReport): Exposure[] {
  return outside.interfaces
    .filter(({ state, transport }) => state === 'open' && transport !== 'ipc')
    .map((one) => ({
      target: outside.name,
      transport: one.transport,
      endpoint: one.endpoint,
      modules: one.modules === null ? null : Object.keys(one.modules),
      inside: calledBy(inside, one),
    }))
    .filter((one) => one.inside !== 'any');
}

/** The reach of the open interface with the same transport and port. */
function calledBy(target: TargetReport | undefined, outside: InterfaceReport): Reach | null {
  const same = target?.interfaces.find(
    ({ transport, endpoint, state }) =>
      transport === outside.transport && state !== 'closed' && portOf(endpoint) === portOf(outside.endpoint),
  );
  return same === undefined ? null : (same.reach ?? reachOfHost(hostOf(same.endpoint)).reach);
}

function hostOf(endpoint: string): string | null {
  return /^(?:\w+:\/\/)?(\[[^\]]*\]|[^:/]+)/.exec(endpoint)?.[1] ?? null;
}
