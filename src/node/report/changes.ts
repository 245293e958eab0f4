/** What happened to a node between two reports: its process, its interfaces, their modules and accounts. */
import type { InterfaceReport, ProcessReport, TargetReport } from '../facts/report.js';

type At = Pick<InterfaceReport, 'transport' | 'endpoint'>;

export type Change =
  | { readonly change: 'started' | 'ended'; readonly process: ProcessReport }
  | { readonly change: 'down'; readonly process: ProcessReport | null; readonly reason: string }
  | { readonly change: 'up'; readonly process: ProcessReport | null }
  | { readonly change: 'restarted'; readonly before: ProcessReport; readonly process: ProcessReport }
  | (At & {
      readonly change: 'opened' | 'closed' | 'offered' | 'withdrawn';
      readonly modules: readonly string[];
    })
  | (At & { readonly change: 'unlocked' | 'locked'; readonly accounts: readonly string[] })
  | {
      readonly change: 'kind' | 'release';
      readonly before: string;
      readonly after: string;
    };

/** Changes that both reports prove: a value that either of them did not see is not compared. */
export function changesOf(before: TargetReport, after: TargetReport): Change[] {
  return [
    ...processChange(before.process, after.process),
    ...valueChange('kind', before.kind, after.kind),
    ...valueChange('release', before.release?.value, after.release?.value),
    ...interfaceChanges(before, after),
  ];
}

/** The start time of one process may differ by this much: it follows the clock of the machine, which is adjusted. */
const maxClockStepMs = 2_000;

function processChange(before: TargetReport['process'], now: TargetReport['process']): Change[] {
  if (before === undefined || now === undefined) return [];
  if (before === null) return now === null ? [] : [{ change: 'started', process: now }];
  if (now === null) return [{ change: 'ended', process: before }];
  const [then, later] = [before.startedAt, now.startedAt];
  const isLater =
    then !== null && later !== null && Math.abs(Date.parse(later) - Date.parse(then)) > maxClockStepMs;
  return before.pid !== now.pid || isLater ? [{ change: 'restarted', before, process: now }] : [];
}

function valueChange(
  change: 'kind' | 'release',
  before: string | null | undefined,
  after: string | null | undefined,
): Change[] {
  return before == null || after == null || before === after ? [] : [{ change, before, after }];
}

function interfaceChanges(before: TargetReport, after: TargetReport): Change[] {
  const [earlier, later] = [byEndpoint(before), byEndpoint(after)];
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap((key) => {
    const [then, now] = [earlier.get(key), later.get(key)];
    const row = now ?? then;
    if (row === undefined) return [];
    const { transport, endpoint } = row;
    const [wasOpen, isOpen] = [openness(then, before), openness(now, after)];
    const modules = Object.keys((now?.state === 'open' ? now : then)?.modules ?? {});
    if (wasOpen === false && isOpen) return [{ change: 'opened', transport, endpoint, modules } as const];
    if (wasOpen && isOpen === false) return [{ change: 'closed', transport, endpoint, modules } as const];
    return then === undefined || now === undefined ? [] : contentChanges(then, now);
  });
}

function byEndpoint({ interfaces }: TargetReport): Map<string, InterfaceReport> {
  return new Map(interfaces.map((one) => [`${one.transport} ${one.endpoint}`, one]));
}

/** Null: not seen. An interface that a report lacks is closed if the sockets of its process were read. */
function openness(row: InterfaceReport | undefined, { process }: TargetReport): boolean | null {
  if (row === undefined) return process == null ? null : false;
  if (row.state === 'open') return true;
  return row.state === 'closed' || row.state === 'refused' ? false : null;
}

function contentChanges(before: InterfaceReport, after: InterfaceReport): Change[] {
  const { transport, endpoint } = after;
  const [offered, withdrawn] = compare(names(before.modules), names(after.modules));
  const [unlocked, locked] = compare(before.unlocked, after.unlocked);
  const all = [
    { change: 'offered', transport, endpoint, modules: offered },
    { change: 'withdrawn', transport, endpoint, modules: withdrawn },
    { change: 'unlocked', transport, endpoint, accounts: unlocked },
    { change: 'locked', transport, endpoint, accounts: locked },
  ] as const;
  return all.filter((one) => ('modules' in one ? one.modules : one.accounts).length > 0);
}

function names(modules: InterfaceReport['modules']): string[] | null {
  return modules === null ? null : Object.keys(modules);
}

type Names = readonly string[] | null | undefined;

/** What is added and what is removed; empty lists when either side was not seen. */
function compare(
  before: Names,
  after: Names,
): readonly [added: readonly string[], removed: readonly string[]] {
  if (before == null || after == null) return [[], []];
  return [after.filter((one) => !before.includes(one)), before.filter((one) => !after.includes(one))];
}
