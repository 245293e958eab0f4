/** Compares a fleet from inside with the same fleet from outside. */
import { type Reach, reachOfHost } from '../facts/reach.js';
import type { InterfaceReport, ReportStream, TargetReport } from '../facts/report.js';
import { portOf } from './listing.js';

export interface Exposure {
  readonly target: string;
  readonly transport: InterfaceReport['transport'];
  /** As seen from outside. */
  readonly endpoint: string;
  readonly modules: readonly string[] | null;
  /** Who reaches it as seen from inside; null if inside does not list this interface. */
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
export async function compareVantage(
  inside: ReportStream,
  outside: ReportStream,
): Promise<Omit<VantageReport, 'exitCode'>> {
  const within = new Map<string, readonly Inside[]>();
  const names: string[] = [];
  for await (const { name, interfaces } of inside.targets) {
    names.push(name);
    const seen = interfaces.map(({ transport, endpoint, state, reach }) => ({
      transport,
      endpoint,
      state,
      reach,
    }));
    within.set(name, seen);
  }
  const exposed: Exposure[] = [];
  const asked = new Set<string>();
  for await (const target of outside.targets) {
    // An interface that refused or could not be reached was asked too.
    if (target.interfaces.some(({ state }) => state !== 'not-checked')) asked.add(target.name);
    exposed.push(...exposures(within.get(target.name), target));
  }
  return {
    schema: 'kaiactl/report-vantage-1',
    inside: inside.startedAt,
    outside: outside.startedAt,
    exposed,
    unseen: names.filter((name) => !asked.has(name)),
  };
}

/** Of an interface that inside lists. */
type Inside = Pick<InterfaceReport, 'transport' | 'endpoint' | 'state'> & {
  readonly reach: Reach | undefined;
};

function exposures(inside: readonly Inside[] | undefined, outside: TargetReport): Exposure[] {
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
function calledBy(inside: readonly Inside[] | undefined, outside: InterfaceReport): Reach | null {
  const same = inside?.find(
    ({ transport, endpoint, state }) =>
      transport === outside.transport && state !== 'closed' && portOf(endpoint) === portOf(outside.endpoint),
  );
  const host = /^(?:\w+:\/\/)?(\[[^\]]*\]|[^:/]+)/.exec(same?.endpoint ?? '')?.[1] ?? null;
  return same === undefined ? null : (same.reach ?? reachOfHost(host).reach);
}
