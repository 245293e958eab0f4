/** One fleet seen from inside and from outside: what strangers reach that is called private. */
import { type Reach, reachOfHost } from '../facts/reach.js';
import type { InterfaceReport, Report, TargetReport } from '../facts/report.js';

export interface Exposure {
  readonly target: string;
  readonly transport: InterfaceReport['transport'];
  /** Where it answered the one outside. */
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
  /** Targets of the inside that the outside did not look at. */
  readonly unseen: readonly string[];
  readonly exitCode: number;
}

/** What is open from outside though inside calls it private. `exitCode` is left to the caller. */
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

/** An interface that refuses or cannot be reached was looked at; one that nobody asked was not. */
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

/** The same transport on the same port; a closed one is called nothing. */
function calledBy(target: TargetReport | undefined, outside: InterfaceReport): Reach | null {
  const same = target?.interfaces.find(
    ({ transport, endpoint, state }) =>
      transport === outside.transport && state !== 'closed' && portOf(endpoint) === portOf(outside.endpoint),
  );
  return same === undefined ? null : (same.reach ?? reachOfHost(hostOf(same.endpoint)).reach);
}

function portOf(endpoint: string): string | null {
  return /:(\d+)(?:\/|$)/.exec(endpoint)?.[1] ?? null;
}

function hostOf(endpoint: string): string | null {
  return /^(?:\w+:\/\/)?(\[[^\]]*\]|[^:/]+)/.exec(endpoint)?.[1] ?? null;
}
