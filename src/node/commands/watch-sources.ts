/** Where `node watch` finds its targets. Every round reads all sources again. */
import { type ExitCode, exit, explain, KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { manifest } from '../../version.js';
import type { Report, TargetReport, Undetermined } from '../facts/report.js';
import { notSeen } from '../facts/seen.js';
import type { Machine, Target } from '../probe/index.js';
import { summarise } from '../summarise.js';
import { addressesOf, expectProxies, readConnection } from './connection.js';
import type { VerbOptions } from './options/verbs.js';
import { machineOfHost } from './processes.js';
import { listedWords, readTargets } from './targets.js';

type Options = VerbOptions<'watch'> & { readonly targets: readonly string[] };

export interface Sources {
  /**
   * The targets of this round. A source that cannot be read is a target that was not seen, beside the targets that it
   * had before. A process among those is not seen: it may have ended.
   */
  read(machine: Machine): Promise<readonly Target[]>;
}

/** Reads every source once. @throws {KaiactlError} when one cannot be read (exit 2) */
export async function sourcesOf(options: Options, host: Host): Promise<Sources> {
  const sources = await named(options, host);
  const machine = machineOfHost(host);
  const held: (readonly Target[])[] = [];
  for (const { read } of sources) held.push(await read(machine));
  expectProxies(addressesOf(held.flat()), readConnection(options, host.env).options);
  const readAgain = async ({ label, read }: Source, at: number, machine: Machine) => {
    try {
      held[at] = await read(machine);
      return held[at];
    } catch (error) {
      const kept = (held[at] ?? [])
        .filter(({ open }) => open === undefined)
        .map((one) => (one.process === undefined ? one : unread(one.name, error)));
      return kept.length > 0 && /^pid:/.test(label) ? kept : [...kept, unread(label, error)];
    }
  };
  return {
    async read(machine) {
      const targets: Target[] = [];
      for (const [at, source] of sources.entries()) targets.push(...(await readAgain(source, at, machine)));
      return targets;
    },
  };
}

/** Whether no target is named: all nodes of this machine are watched. */
export function isMachine({ targets, targetsFrom, inventory }: Options): boolean {
  return targets.length === 0 && targetsFrom === undefined && inventory === undefined;
}

interface Source {
  /** The word or file that names the targets. */
  readonly label: string;
  read(machine: Machine): Promise<Target[]>;
}

async function named(options: Options, host: Host): Promise<Source[]> {
  const { targets, targetsFrom, inventory, ...how } = options;
  const source = (
    label: string,
    some: Partial<Pick<Options, 'targets' | 'targetsFrom' | 'inventory'>>,
  ): Source => ({
    label,
    read: (machine) => readTargets({ ...how, targets: [], ...some }, machine, host, { mayBeNone: true }),
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
  return isMachine(options) ? [source('this machine', {})] : [...words, ...files];
}

function unread(name: string, error: unknown): Target {
  return { name, role: null, conf: notSeen('unreadable', reasonOf(error)), endpoints: [], metrics: [] };
}

/** The previous targets, none of them seen; without a previous report, one target that names the reason. */
export function unseenReport(
  before: Report | null,
  error: unknown,
  at: number,
): Report & { readonly exitCode: ExitCode } {
  const defect = error instanceof KaiactlError ? {} : { code: 'defect' as const, defect: true as const };
  const open: Undetermined = {
    rule: 'gather',
    code: 'unreadable',
    about: null,
    reason: reasonOf(error),
    ...defect,
  };
  const unseen = (name: string, role: string | null, process?: TargetReport['process']): TargetReport => ({
    name,
    role,
    conf: null,
    interfaces: [],
    findings: [],
    undetermined: [open],
    ...(process === undefined ? {} : { process }),
    verdict: 'undetermined',
  });
  const targets = before?.targets.map((one) =>
    one.last === undefined ? unseen(one.name, one.role, one.process) : one,
  ) ?? [unseen('watch', null)];
  const failOn = before?.failOn ?? 'high';
  return {
    ...summarise(targets, { ...manifest(), startedAt: at, finishedAt: at, failOn }),
    exitCode: exit.ok,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof KaiactlError ? error.message : (explain(error)[0] ?? '');
}
