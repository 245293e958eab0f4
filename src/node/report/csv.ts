/**
 * CSV (RFC 4180) with a header: a row for each finding and each undetermined check. No cell is a formula. A file of
 * `--report csv=FILE` starts with a byte order mark, by which spreadsheets recognise UTF-8.
 */
import type { Finding, TargetReport, Undetermined } from '../facts/report.js';
import { cell } from './escape.js';
import type { Render } from './format.js';

// biome-ignore format: a row
const columns = [
  'target', 'role', 'kind', 'severity', 'rule', 'subject', 'message', 'file', 'line', 'column', 'endpoint', 'fix', 'safety',
  'suppressed', 'fingerprint',
] as const;

type CsvRow = Readonly<Partial<Record<(typeof columns)[number], string | number | null>>>;

export const csv: Render = async function* ({ targets }) {
  yield `${columns.join(',')}\r\n`;
  for await (const target of targets) {
    for (const finding of target.findings) yield lineOf(findingRow(target, finding));
    for (const open of target.undetermined) yield lineOf(openRow(target, open));
  }
};

function lineOf(row: CsvRow): string {
  const cells = columns.map((name) => cell(row[name] ?? null));
  return `${cells.join(',')}\r\n`;
}

function findingRow({ name, role }: TargetReport, finding: Finding): CsvRow {
  const { severity, rule, subject, message, at, fix, safety = null, suppressed, fingerprint } = finding;
  return {
    target: name,
    role,
    kind: 'finding',
    severity,
    rule,
    subject,
    message,
    fix,
    safety,
    fingerprint,
    ...('endpoint' in at ? at : { file: at.file, line: at.line, column: at.column }),
    suppressed: suppressed?.reason ?? null,
  };
}

function openRow({ name, role }: TargetReport, open: Undetermined): CsvRow {
  const { rule, reason, at, subject = null, fingerprint = null } = open;
  const place =
    at === undefined ? {} : { file: at.file, line: at.line, column: at.column, subject, fingerprint };
  return { target: name, role, kind: 'undetermined', rule, message: reason, ...place };
}
