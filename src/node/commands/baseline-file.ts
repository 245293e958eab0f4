/** The baseline on disk: read before the run, written or compared after it. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { visible } from '../../util/visible.js';
import type { Finding, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { type Baseline, type BaselineEntry, baselineOf, entriesOf } from '../judge/baseline.js';

export interface BaselineOptions {
  readonly baseline?: string | undefined;
  readonly writeBaseline?: string | undefined;
  readonly onlyNew: boolean;
  readonly quiet: boolean;
}

/** What a run does with its baseline. */
export interface BaselineRun {
  /** undefined: nothing was accepted before. */
  readonly baseline: Baseline | undefined;
  /**
   * Takes note of a target. With --write-baseline, what is found in it counts as accepted; with --only-new, what was
   * accepted before is left out.
   */
  see(target: TargetReport): TargetReport;
  /** Writes the file that was asked for, and says which entries match nothing any more. */
  end(): Promise<void>;
}

const schema = 'kaiactl/baseline-1';
const maxBytes = 64 << 20;

/** @throws {KaiactlError} when the file cannot be read or is not a baseline, or --only-new stands alone (exit 2) */
export async function openBaseline(options: BaselineOptions, host: Host): Promise<BaselineRun> {
  const { baseline: file, writeBaseline } = options;
  if (options.onlyNew && file === undefined)
    throw new KaiactlError('--only-new needs to know what is old', { hint: 'Name it with --baseline FILE.' });
  const baseline = file === undefined ? undefined : baselineOf(await load(file, host));
  const found: BaselineEntry[] = [];
  const stale = new Map(baseline);
  const looked = new Set<string>();
  return {
    baseline,
    see(target) {
      const entries = entriesOf(target);
      if (writeBaseline !== undefined) found.push(...entries);
      for (const { fingerprint } of entries) stale.delete(fingerprint);
      // What was not seen may still be there.
      const open = target.undetermined.map(({ rule }) => rule);
      for (const [key, { target: name, rule }] of stale)
        if (name === target.name && open.includes(rule)) stale.delete(key);
      looked.add(target.name);
      const seen = writeBaseline === undefined ? target : accepted(target);
      return options.onlyNew ? { ...seen, findings: seen.findings.filter(isKept) } : seen;
    },
    async end() {
      if (writeBaseline !== undefined) await save(writeBaseline, found, host);
      const gone = [...stale.values()].filter(({ target }) => looked.has(target));
      if (options.quiet || gone.length === 0 || writeBaseline !== undefined) return;
      await print(host.stderr, staleNote(gone, file ?? ''));
    },
  };
}

function accepted(target: TargetReport): TargetReport {
  const findings = target.findings.map((finding) =>
    finding.suppressed === null
      ? { ...finding, suppressed: { reason: 'in the baseline', until: null, baseline: true as const } }
      : finding,
  );
  const verdict = target.undetermined.length > 0 ? 'undetermined' : 'pass';
  return { ...target, findings, verdict };
}

/** What is new, and a critical one even when it was accepted: a target that has one is never called clean. */
function isKept({ suppressed, severity }: Finding): boolean {
  return suppressed?.baseline !== true || severity === 'critical';
}

/** More than this are counted only. */
const named = 10;

function staleNote(gone: readonly BaselineEntry[], file: string): string {
  const lines = gone
    .slice(0, named)
    .map(({ rule, subject, at }) => `  ${rule} ${visible(subject, 80)} (${visible(at, 200)})\n`);
  const more = gone.length > named ? `  and ${gone.length - named} more\n` : '';
  const noun = gone.length === 1 ? 'entry matches' : 'entries match';
  return `kaiactl: ${gone.length} ${noun} nothing any more in ${file}; write it again with --write-baseline\n${lines.join('')}${more}`;
}

/** One finding a line, sorted: two branches that each add one can be merged. */
async function save(file: string, entries: readonly BaselineEntry[], host: Host): Promise<void> {
  const lines = [...new Set(entries.map((entry) => JSON.stringify(entry)))].sort(byPlace);
  const text = `{"schema":"${schema}","findings":[\n${lines.join(',\n')}\n]}\n`;
  try {
    await writeFile(resolve(host.cwd, file), text);
  } catch (error) {
    throw new KaiactlError(`cannot write the baseline to ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function byPlace(a: string, b: string): number {
  const key = (text: string): string => {
    const { target, rule, subject, fingerprint } = JSON.parse(text) as BaselineEntry;
    return [target, rule, subject, fingerprint].join('\0');
  };
  return key(a) < key(b) ? -1 : 1;
}

async function load(file: string, host: Host): Promise<BaselineEntry[]> {
  const path = resolve(host.cwd, file);
  let document: { schema?: unknown; findings?: unknown } | null;
  try {
    if ((await stat(path)).size > maxBytes) throw new Error('larger than 64 MiB');
    document = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new KaiactlError(`cannot read the baseline ${file}: ${(error as Error).message}`, { cause: error });
  }
  const { schema: named, findings } = document ?? {};
  if (named === schema && Array.isArray(findings) && findings.every(isEntry)) return findings;
  throw new KaiactlError(`${file} is not a baseline`, {
    hint: 'Write one with kaiactl node lint … --write-baseline FILE.',
  });
}

function isEntry(value: unknown): value is BaselineEntry {
  const { severity, count, ...texts } = (value ?? {}) as Record<string, unknown>;
  return (
    ['fingerprint', 'rule', 'target', 'subject', 'at'].every((key) => typeof texts[key] === 'string') &&
    severities.some((one) => one === severity) &&
    Number.isInteger(count) &&
    Number(count) > 0
  );
}
