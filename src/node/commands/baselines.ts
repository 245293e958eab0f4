/** The baselines of a run: findings that were accepted before, findings to accept now, and stale entries. */

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KaiactlError, writeFailure } from '../../errors.js';
import { type Host, interruptible, print } from '../../host.js';
import { readJson } from '../../input.js';
import type { CommonOptions } from '../../options/common.js';
import { nameFrom } from '../../util/name-from.js';
import { oncePerKey } from '../../util/once-per.js';
import { visible } from '../../util/visible.js';
import type { Finding, TargetReport } from '../facts/report.js';
import { severities } from '../facts/severity.js';
import { fingerprintOf, placeName } from '../judge/finding.js';
import {
  type Baseline,
  type BaselineEntry,
  byFingerprint,
  entriesOf,
  type KeyOf,
} from '../judge/suppress/baseline.js';
import { verdictOf } from '../pipeline.js';
import { rules } from '../rules/index.js';
import type { ReportingOptions } from './options/shared.js';

export type BaselineOptions = Pick<ReportingOptions, 'writeBaseline' | 'onlyNew'> &
  Pick<CommonOptions, 'quiet'>;

/**
 * One baseline for all targets, or one for each kaiactl.ini. Files are read at first use; methods throw a KaiactlError
 * (exit 2) for a file that cannot be read or is not a baseline.
 */
export function openBaselines(options: BaselineOptions, host: Host) {
  const writing = options.writeBaseline === undefined ? null : namesIn(options.writeBaseline, host);
  const read = oncePerKey((file: string) => open(file));
  const stale = new Map<string, Stale>();
  const found: BaselineEntry[] = [];
  let isAnySeen = false;

  /** The findings that this file accepts; undefined without a file. A file is read once. */
  async function acceptedBy(file: string | undefined): Promise<Baseline | undefined> {
    return file === undefined ? undefined : await read(file);
  }

  async function open(file: string): Promise<Baseline> {
    const { cwd } = host;
    const path = resolve(cwd, file);
    const isNew = path === resolve(cwd, options.writeBaseline ?? '') && !existsSync(path);
    const all = isNew ? [] : await loadBaseline(file, host);
    stale.set(file, { left: new Set(all), looked: new Set() });
    return { entries: byFingerprint(all), ...namesIn(file, host) };
  }

  /**
   * Records a target and its baseline. --write-baseline marks its findings as accepted; --only-new removes the findings
   * that were accepted before.
   */
  function see(target: TargetReport, file: string | undefined): TargetReport {
    const { onlyNew } = options;
    if (onlyNew && file === undefined)
      throw new KaiactlError('--only-new needs a baseline', {
        hint: 'Use --baseline FILE, or baseline = FILE in kaiactl.ini.',
      });
    isAnySeen = true;
    if (writing !== null) found.push(...entriesOf(target, writing.keyOf, writing.named));
    const old = file === undefined ? undefined : stale.get(file);
    if (file !== undefined && old !== undefined) strike(old, target, namesIn(file, host));
    const seen = writing === null ? target : accepted(target);
    if (!onlyNew) return seen;
    // A target with a critical finding is never clean.
    const findings = seen.findings.filter(
      ({ suppressed, severity }) => suppressed?.baseline !== true || severity === 'critical',
    );
    return { ...seen, findings };
  }

  /** Writes the file of --write-baseline, unless inputs failed or are missing, or lists stale entries on stderr. */
  async function end(inputFailed: boolean): Promise<void> {
    const { writeBaseline, quiet } = options;
    if (writeBaseline !== undefined) {
      const isWhole = !inputFailed && isAnySeen && !host.signal.aborted;
      const written = isWhole ? await saveBaseline(writeBaseline, found, host) : null;
      const what =
        written === null ? 'not everything was judged: did not write' : `wrote ${countEntries(written)} to`;
      if (!quiet) await print(host.stderr, `kaiactl: ${what} ${visible(writeBaseline)}\n`);
      return;
    }
    for (const [file, { left, looked }] of quiet ? [] : stale) {
      const home = dirname(resolve(host.cwd, file));
      const isGone = (at: string) => !/^[\w+-]+:/.test(at) && !existsSync(resolve(home, at));
      const gone = [...left].filter(({ target, at }) => looked.has(target) || looked.has(at) || isGone(at));
      if (gone.length > 0) await print(host.stderr, staleNote(gone, file));
    }
  }
  return { accepted: acceptedBy, see, end };
}

/** Of one baseline: the entries without a match so far, and the judged targets with their files. */
interface Stale {
  readonly left: Set<BaselineEntry>;
  readonly looked: Set<string>;
}

function strike({ left, looked }: Stale, target: TargetReport, { keyOf, named }: Names): void {
  const found = entriesOf(target, keyOf, named);
  // An undetermined rule may still have its finding.
  const open = target.undetermined.map(({ rule }) => rule);
  const name = named(target.name);
  for (const entry of left) {
    const isOwn = entry.target === name;
    const isSame = (one: BaselineEntry) =>
      one.fingerprint === entry.fingerprint && (isOwn || entry.at.includes('://'));
    if (found.some(isSame) || (isOwn && open.includes(entry.rule))) left.delete(entry);
  }
  for (const one of [name, ...(target.files ?? []).map(named)]) looked.add(one);
}

interface Names {
  readonly keyOf: KeyOf;
  readonly named: (place: string) => string;
}

/** Files below the baseline's folder are named relative to it, whatever the working folder is. */
function namesIn(file: string, host: Host): Names {
  const home = dirname(resolve(host.cwd, file));
  const named = oncePerKey((place: string) => placeFrom(home, place, host.cwd));
  const keyOf = (finding: Finding): string => {
    const place = placeName(finding.at);
    const own = named(place);
    if (own === place) return finding.fingerprint;
    const perModule = rules.find(({ id }) => id === finding.rule)?.perModule;
    return fingerprintOf(
      { id: finding.rule, ...(perModule === undefined ? {} : { perModule }) },
      finding,
      own,
    );
  };
  return { keyOf, named };
}

/** Returns the name relative to `home`; a place that is no file below it, such as an endpoint, stays as it is. */
function placeFrom(home: string, place: string, cwd: string): string {
  const path = resolve(cwd, place);
  const name = nameFrom(home, path);
  return name === path || !existsSync(path) ? place : name;
}

function accepted(target: TargetReport): TargetReport {
  const findings = target.findings.map((finding) =>
    finding.suppressed === null
      ? { ...finding, suppressed: { reason: 'in the baseline', until: null, baseline: true as const } }
      : finding,
  );
  return { ...target, findings, verdict: verdictOf(findings, target.undetermined, 'none') };
}

/** Stale entries that are listed; the others are counted. */
const maxListed = 10;

function staleNote(gone: readonly BaselineEntry[], file: string): string {
  const lines = gone
    .slice(0, maxListed)
    .map(({ rule, subject, at }) => `  ${rule} ${visible(subject, 80)} (${visible(at, 200)})\n`);
  const more = gone.length > maxListed ? `  and ${gone.length - maxListed} more\n` : '';
  const match = gone.length === 1 ? 'matches' : 'match';
  return `kaiactl: ${countEntries(gone.length)} ${match} no finding in ${file}; update it with --write-baseline\n${lines.join('')}${more}`;
}

/** Each node has an entry for a finding, also where the report has one finding for a file that several nodes use. */
const countEntries = (entries: number) => `${entries} ${entries === 1 ? 'entry' : 'entries'}`;

const schema = 'kaiactl/baseline-1';

/**
 * Writes one finding per line, sorted, so that branches merge without conflicts. Returns how many.
 * @throws {KaiactlError} when the file cannot be written (exit 2)
 */
export async function saveBaseline(
  file: string,
  entries: readonly BaselineEntry[],
  host: Host,
): Promise<number> {
  const lines = [...new Set(entries.map((entry) => JSON.stringify(entry)))].sort(byPlace);
  const text = `{"schema":"${schema}","findings":[\n${lines.join(',\n')}\n]}\n`;
  const { writeFile } = await import('node:fs/promises');
  await interruptible(host, () => writeFile(resolve(host.cwd, file), text)).catch((error) => {
    throw writeFailure(`the baseline to ${file}`, error);
  });
  return lines.length;
}

function byPlace(a: string, b: string): number {
  const key = (text: string): string => {
    const { target, rule, subject, fingerprint } = JSON.parse(text) as BaselineEntry;
    return [target, rule, subject, fingerprint].join('\0');
  };
  return key(a) < key(b) ? -1 : 1;
}

/** @throws {KaiactlError} when the file cannot be read or is not a baseline (exit 2) */
export async function loadBaseline(file: string, host: Host): Promise<BaselineEntry[]> {
  const hint = 'Write one with kaiactl node lint … --write-baseline FILE.';
  const document = await readJson(resolve(host.cwd, file), { what: `the baseline ${file}`, mib: 64, hint });
  const { schema: named, findings } = (document ?? {}) as { schema?: unknown; findings?: unknown };
  if (named === schema && Array.isArray(findings) && findings.every(isEntry)) return findings;
  throw new KaiactlError(`${file} is not a baseline`, { hint });
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
