/** The targets of `node watch`: where it finds them, anew in every round, and those that are down or were not seen. */
import { Writable } from 'node:stream';
import { type ExitCode, exit, explain, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { nameApart } from '../../util/group-by.js';
import { manifest } from '../../version.js';
import type { InterfaceReport, Report, TargetReport, Undetermined } from '../facts/report.js';
import { notSeen } from '../facts/seen.js';
import type { Machine, Target } from '../probe/index.js';
import { compareTargets } from '../report/diff.js';
import { summarise } from '../summarise.js';
import { addressesOf, expectProxies, readConnection } from './connection.js';
import type { VerbOptions } from './options/verbs.js';
import { machineOfHost, unseenProcesses } from './processes.js';
import { isOfMachine, listedWords, readTargets } from './targets.js';

type Options = VerbOptions<'watch'> & { readonly targets: readonly string[] };

export interface Sources {
  /**
   * The targets of this round. A source that cannot be read is a target that was not seen, beside the targets that it
   * had before. A process among those is not seen: it may have ended.
   */
  read(machine: Machine): Promise<readonly Target[]>;
}

/** Reads every source once, and says how it is read; later rounds do not repeat that. @throws {KaiactlError} when one cannot be read (exit 2) */
export async function sourcesOf(options: Options, host: Host): Promise<Sources> {
  const sources = await named(options, host);
  const machine = machineOfHost(host);
  const held: (readonly Target[])[] = [];
  for (const { read } of sources) held.push(await read(machine, host));
  const silent = { ...host, stderr: new Writable({ write: (_chunk, _encoding, done) => done() }) };
  expectProxies(addressesOf(held.flat()), readConnection(options, host.env).options);
  const readAgain = async ({ label, read }: Source, at: number, machine: Machine) => {
    try {
      held[at] = await read(machine, silent);
      return held[at];
    } catch (error) {
      const kept = (held[at] ?? [])
        .filter(({ open }) => open === undefined)
        .map((one) => (one.process === undefined ? one : unread(one.name, error, 'not-found')));
      return kept.length > 0 && /^pid:/.test(label) ? kept : [...kept, unread(label, error)];
    }
  };
  return {
    async read(machine) {
      const targets: Target[] = [];
      for (const [at, source] of sources.entries()) targets.push(...(await readAgain(source, at, machine)));
      // No metric counts two nodes as one.
      return nameApart(targets);
    },
  };
}

interface Source {
  /** The word or file that names the targets. */
  readonly label: string;
  read(machine: Machine, host: Host): Promise<Target[]>;
}

async function named(options: Options, host: Host): Promise<Source[]> {
  const { targets, targetsFrom, inventory, ...how } = options;
  const source = (label: string, some: Partial<Options>): Source => ({
    label,
    read: (machine, to) => readTargets({ ...how, targets: [], ...some }, machine, to, { mayBeNone: true }),
  });
  if (targets.includes('-'))
    throw new KaiactlError('- cannot be watched: stdin can be read only once', { hint: 'Name a file.' });
  // A list on stdin is read once; its targets are read in every round.
  const listed = targetsFrom === '-' ? await listedWords({ targetsFrom }, host) : [];
  const words = [...targets, ...listed.map(({ word }) => word)].map((word) =>
    source(word, { targets: [word] }),
  );
  const files = [
    ...(targetsFrom === undefined || targetsFrom === '-' ? [] : [source(targetsFrom, { targetsFrom })]),
    ...(inventory === undefined ? [] : [source(inventory, { inventory })]),
  ];
  return isOfMachine(options) ? [source('this machine', {})] : [...words, ...files];
}

function unread(name: string, error: unknown, code: 'unreadable' | 'not-found' = 'unreadable'): Target {
  return { name, role: null, conf: notSeen(code, reasonOf(error)), endpoints: [], metrics: [] };
}

/** The previous targets, none of them seen; without a previous report, one target that names the reason. */
export function unseenReport(
  before: Report | null,
  error: unknown,
  at: number,
): Report & { readonly exitCode: ExitCode } {
  const defect = error instanceof KaiactlError ? {} : { code: 'defect' as const, defect: true as const };
  const reason = reasonOf(error);
  const open: Undetermined = { rule: 'gather', code: 'unreadable', about: null, reason, ...defect };
  const targets = before?.targets.map((one) =>
    one.last === undefined ? unseen(one, open, one.process) : one,
  ) ?? [unseen({ name: 'watch', role: null }, open)];
  const failOn = before?.failOn ?? 'high';
  return {
    ...summarise(targets, { ...manifest(), startedAt: at, finishedAt: at, failOn }),
    exitCode: exit.ok,
  };
}

/** A target of which nothing is known but why. */
function unseen(
  { name, role }: Pick<TargetReport, 'name' | 'role'>,
  open: Undetermined,
  process?: TargetReport['process'],
): TargetReport {
  const seen = { conf: null, interfaces: [], findings: [], undetermined: [open] };
  return { name, role, ...seen, ...(process === undefined ? {} : { process }), verdict: 'undetermined' };
}

function reasonOf(error: unknown): string {
  return error instanceof KaiactlError ? error.message : (explain(error)[0] ?? '');
}

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
  const open: Undetermined = { rule: 'gather', code: 'not-found', about: null, reason };
  return { ...unseen(last, open, null), last };
}

type Last = Omit<TargetReport, 'last'>;

const isOpen = ({ state }: InterfaceReport) => state === 'open';
const isSilent = ({ state }: InterfaceReport) => state === 'refused' || state === 'unreachable';

/** Whether no interface of a node answers that had some, or the process that had them is gone. */
function isDown({ interfaces, process, undetermined }: TargetReport, last: Last): boolean {
  const isUnread = undetermined.some(({ rule, code }) => rule === 'gather' && code === 'unreadable');
  const isGone = interfaces.length === 0 && last.process != null && process == null && !isUnread;
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
