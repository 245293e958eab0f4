/** Baseline files. */
import { resolve } from 'node:path';
import { KaiactlError, writeFailure } from '../../errors.js';
import { type Host, interruptible } from '../../host.js';
import { readJson } from '../../input.js';
import { severities } from '../facts/severity.js';
import type { BaselineEntry } from '../judge/suppress/baseline.js';

const schema = 'kaiactl/baseline-1';

/**
 * Writes one finding per line, sorted, so that branches merge without conflicts.
 * @throws {KaiactlError} when the file cannot be written (exit 2)
 */
export async function saveBaseline(
  file: string,
  entries: readonly BaselineEntry[],
  host: Host,
): Promise<void> {
  const lines = [...new Set(entries.map((entry) => JSON.stringify(entry)))].sort(byPlace);
  const text = `{"schema":"${schema}","findings":[\n${lines.join(',\n')}\n]}\n`;
  const { writeFile } = await import('node:fs/promises');
  await interruptible(host, () => writeFile(resolve(host.cwd, file), text)).catch((error) => {
    throw writeFailure(`the baseline to ${file}`, error);
  });
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
