/** The node's process on this machine: what it was really started with. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { redactWords } from '../../../util/redact.js';
import type { ProcessFacts } from '../../facts/live.js';
import { notSeen, type Seen, seen } from '../../facts/seen.js';
import type { Settings } from '../../facts/settings.js';

/** Where to look; `proc` is /proc but for tests. */
export interface ProcessPlace {
  readonly proc: string;
  readonly platform: string;
}

const mostArguments = 1_000;
const mostProcesses = 50_000;

/**
 * Finds the process a conf's launcher started: by DATA_DIR/<launcher>.pid, which the launchers write, else by the
 * --datadir of a node program. Reads /proc only, so only on Linux.
 */
export function findProcess(settings: Settings, place: ProcessPlace): Seen<ProcessFacts> {
  if (place.platform !== 'linux') return notSeen('not-applicable', 'the process table is read on Linux only');
  const folder = settings.values.datadir?.value ?? settings.keys.datadir?.value ?? null;
  if (typeof folder !== 'string' || folder === '')
    return notSeen('not-applicable', 'the conf names no data folder to find it by');
  const program = `k${settings.launcher.slice(1, -1)}`;
  const pid = fromPidFile(join(folder, `${settings.launcher}.pid`));
  const named = pid === null ? null : readProcess(pid, place.proc);
  if (named !== null && isNode(named, program)) return seen(named);
  const found = searchProcesses(place.proc).find((one) => isNode(one, program) && dataDirOf(one) === folder);
  if (found !== undefined) return seen(found);
  return notSeen('not-found', `no process ${program} with data folder ${folder} runs on this machine`);
}

function fromPidFile(path: string): number | null {
  try {
    if (statSync(path).size > 64) return null;
    const [, digits] = /^\s*(\d{1,10})\s*$/.exec(readFileSync(path, 'utf8')) ?? [];
    return digits === undefined ? null : Number(digits);
  } catch {
    return null;
  }
}

/** A pid can be taken over by another program: only the node's own name counts. */
function isNode({ argv }: ProcessFacts, program: string): boolean {
  return basename(argv[0] ?? '') === program;
}

function dataDirOf({ argv }: ProcessFacts): string | null {
  const at = argv.findIndex((word) => /^--?(?:datadir|common\.datadir)$/.test(word));
  if (at >= 0) return argv[at + 1] ?? null;
  return argv.find((word) => /^--?datadir=/.test(word))?.replace(/^--?datadir=/, '') ?? null;
}

function searchProcesses(proc: string): ProcessFacts[] {
  try {
    const pids = readdirSync(proc).filter((name) => /^\d+$/.test(name));
    return pids.slice(0, mostProcesses).flatMap((pid) => readProcess(Number(pid), proc) ?? []);
  } catch {
    return [];
  }
}

/** A process's words, secrets masked; null when it is gone or not ours to read. */
function readProcess(pid: number, proc: string): ProcessFacts | null {
  try {
    const folder = join(proc, String(pid));
    const words = readFileSync(join(folder, 'cmdline'), 'utf8').split('\0').slice(0, -1);
    if (words.length === 0) return null;
    const startedAt = Math.round(statSync(folder).ctimeMs);
    return { pid, argv: redactWords(words.slice(0, mostArguments)), startedAt };
  } catch {
    return null;
  }
}
