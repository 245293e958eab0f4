/** Nodes of a watch that are down, or that have just started and do not answer yet. */
import type { InterfaceReport, Report, TargetReport } from '../facts/report.js';
import { compareTargets } from '../report/diff.js';
import { unseenProcesses } from './processes.js';

export interface Round {
  /** The report of the previous round; null if there is none. */
  readonly before: Report | null;
  /** Whether every target was found as a process of this machine: one that is missing has ended. */
  readonly isMachine: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The targets of a round. Those that are down have their last report, and a node that has ended is kept. */
export function withDown(
  targets: readonly TargetReport[],
  { before, isMachine, now }: Round,
): TargetReport[] {
  const earlier = before?.targets ?? [];
  const seen = targets.map((target) => {
    const then = earlier.find(({ name }) => name === target.name);
    const last = then?.last ?? then;
    if (last === undefined) return target;
    return isDown(target, last) || isStarting(target, last, now) ? { ...target, last } : target;
  });
  const names = new Set(targets.map(({ name }) => name));
  const isHidden = targets.some(({ name }) => name === unseenProcesses);
  const isMissing = (one: TargetReport) => {
    const { process: running } = one.last ?? one;
    return running != null && !names.has(one.name);
  };
  return isMachine ? [...seen, ...earlier.filter(isMissing).map((one) => ended(one, isHidden))] : seen;
}

/** A node whose process has ended. */
function ended({ last: earlier, ...now }: TargetReport, isHidden: boolean): TargetReport {
  const last = earlier ?? now;
  const reason = isHidden ? 'its process has ended, or is hidden' : 'its process has ended';
  return {
    name: last.name,
    role: last.role,
    conf: null,
    process: null,
    interfaces: [],
    findings: [],
    undetermined: [{ rule: 'gather', code: 'not-found', about: null, reason }],
    verdict: 'undetermined',
    last,
  };
}

type Last = Omit<TargetReport, 'last'>;

const isOpen = ({ state }: InterfaceReport) => state === 'open';
const isSilent = ({ state }: InterfaceReport) => state === 'refused' || state === 'unreachable';

/** Whether no interface of a node answers that had some, or the process that had them is gone. */
function isDown({ interfaces, process }: TargetReport, last: Last): boolean {
  const isGone = interfaces.length === 0 && last.process != null && process == null;
  return last.interfaces.some(isOpen) && !interfaces.some(isOpen) && (isGone || interfaces.some(isSilent));
}

/** Milliseconds in which a node opens its interfaces. */
const startMs = 60_000;

/** Whether the process was young, had fewer interfaces than before the restart, and opened nothing else. */
function isStarting(target: TargetReport, last: Last, now: number): boolean {
  const { process: running } = target;
  if (running?.startedAt == null || running.pid === last.process?.pid) return false;
  if (now - Date.parse(running.startedAt) > startMs) return false;
  const diff = compareTargets(last, target);
  const changes = diff.changes.map(({ change }) => change);
  const opens = changes.some((one) => one === 'opened' || one === 'offered' || one === 'unlocked');
  return diff.new.length === 0 && diff.changed.length === 0 && changes.includes('closed') && !opens;
}
