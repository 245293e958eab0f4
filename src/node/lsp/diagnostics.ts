/** What a report says about open files, as diagnostics. */
import type { Diagnostic, DiagnosticSeverity, Range } from 'vscode-languageserver-protocol';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import {
  type FixReport,
  type TargetReport,
  type Undetermined,
  unansweredQuestions,
} from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import { acceptedCriticals, placelessReason, sourceName } from '../report/listing.js';
import { rangeOf } from './place.js';

/** A diagnostic with the fixes of its finding. */
export interface Shown {
  readonly diagnostic: Diagnostic;
  readonly fixes: readonly FixReport[];
}

export interface Addresses {
  /** The URI of the page of a rule. */
  pageOf(rule: string): string;
  /** The URI of a file of the report. */
  uriOf(file: string): string;
}

const [error, warning, information, hint] = [1, 2, 3, 4] as const satisfies readonly DiagnosticSeverity[];
const levels = forSeverities<DiagnosticSeverity>(error, error, warning, information, hint);

const top: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const maxLength = 8_000;

/** The diagnostics of each file, by its name in the report. Suppressed findings are left out, but for critical ones. */
export function diagnosticsOf(
  targets: readonly TargetReport[],
  addresses: Addresses,
): ReadonlyMap<string, readonly Shown[]> {
  const all = targets.flatMap((target) => [...findings(target, addresses), ...open(target, addresses)]);
  return new Map(
    [...groupBy(all, ({ file }) => file)].map(([file, rows]) => [file, rows.map(({ shown }) => shown)]),
  );
}

interface Row {
  readonly file: string;
  readonly shown: Shown;
}

function findings(target: TargetReport, addresses: Addresses): Row[] {
  const counted = target.findings.filter(({ suppressed }) => suppressed === null);
  return [...counted, ...acceptedCriticals(target)].flatMap((finding) => {
    const { at, source, severity, rule, message, fix, edits = [], safety = null, suppressed } = finding;
    if ('endpoint' in at) return [];
    const isOpen = suppressed === null;
    const lines = isOpen
      ? [message, `Fix: ${fix}`]
      : [`suppressed: ${message}`, `Reason: ${suppressed.reason}`];
    const range = rangeOf(at, source);
    const level = isOpen ? levels[severity] : hint;
    const diagnostic = {
      ...diagnosticOf(rule, level, range, lines, addresses),
      ...related(finding, addresses),
    };
    const fixes = isOpen ? [{ fix, edits, safety }, ...(finding.alternatives ?? [])] : [];
    return [{ file: at.file, shown: { diagnostic, fixes: fixes.filter((one) => one.edits.length > 0) } }];
  });
}

function related({ related }: TargetReport['findings'][number], { uriOf }: Addresses): Partial<Diagnostic> {
  const places = related.flatMap(({ at, note, source }) =>
    'endpoint' in at
      ? []
      : [{ location: { uri: uriOf(at.file), range: rangeOf(at, source) }, message: shown(note) }],
  );
  return places.length === 0 ? {} : { relatedInformation: places };
}

/** Open questions with a place, and one line for each reason why rules of the file are undecided. */
function open(target: TargetReport, addresses: Addresses): Row[] {
  const [placed, placeless] = [true, false].map((is) =>
    unansweredQuestions(target).filter(({ at }) => (at !== undefined) === is),
  ) as [Undetermined[], Undetermined[]];
  const row = (file: string, range: Range, rule: string, text: string): Row => ({
    file,
    shown: { diagnostic: diagnosticOf(rule, information, range, [text], addresses), fixes: [] },
  });
  return [
    ...placed.flatMap(({ rule, at, reason }) =>
      at === undefined ? [] : [row(at.file, rangeOf(at), rule, placelessReason({ at, reason }))],
    ),
    ...[...groupBy(placeless, ({ reason }) => reason)].map(([reason, [first, ...others]]) => {
      const more = others.length === 0 ? '' : `, and ${count(others.length, 'other rule')}`;
      const rule = first?.rule ?? '';
      return row(sourceName(target), top, rule, `undetermined: ${rule}${more}: ${reason}`);
    }),
  ];
}

function diagnosticOf(
  rule: string,
  severity: DiagnosticSeverity,
  range: Range,
  lines: readonly string[],
  { pageOf }: Addresses,
): Diagnostic {
  const codeDescription = { href: pageOf(rule) };
  return {
    range,
    severity,
    source: 'kaiactl',
    code: rule,
    codeDescription,
    message: lines.map(shown).join('\n'),
  };
}

function shown(text: string): string {
  return visible(text, maxLength);
}
