/**
 * The Diagnostic Format of reviewdog: findings beside the lines of a pull request, safe fixes as suggestions that a reviewer
 * applies with a click. An undetermined check is a warning. Suppressed critical findings are informational; other suppressed
 * findings are omitted.
 */
import type { Finding, ReportStream, TargetReport } from '../facts/report.js';
import { forSeverities } from '../facts/severity.js';
import type { Span } from '../facts/span.js';
import { line } from './escape.js';
import type { Render } from './format.js';
import { itemsOf, jsonPieces } from './json.js';
import { type Problem, pathOf, problemsOf, sourceName } from './listing.js';

/** https://github.com/reviewdog/reviewdog/blob/v0.20.3/proto/rdf/reviewdog.proto; columns count bytes of UTF-8. */
const levels = {
  ...forSeverities('ERROR', 'ERROR', 'WARNING', 'INFO', 'INFO'),
  accepted: 'INFO',
  undetermined: 'WARNING',
};

export const rdjson: Render = (report) =>
  jsonPieces({
    source: { name: report.tool.name, url: report.tool.homepage },
    diagnostics: itemsOf(report.targets, (target) =>
      problemsOf(target).map((one) => diagnosticOf(target, one, report)),
    ),
  });

function diagnosticOf(
  target: TargetReport,
  { kind, rule, at, text, finding }: Problem,
  { rules }: ReportStream,
) {
  return {
    message: line(text),
    location:
      at === undefined || 'endpoint' in at
        ? { path: pathOf(sourceName(target)) }
        : { path: pathOf(at.file), range: rangeOf(at, finding?.source) },
    severity: levels[kind],
    code: { value: line(rule), url: rules.find(({ id }) => id === rule)?.page },
    suggestions: finding?.suppressed === null ? suggestionsOf(finding) : undefined,
  };
}

/**
 * The safe fix, if one edit of the finding's file is all of it: readers apply each suggestion alone. None on a line with a
 * masked secret, whose bytes are not known.
 */
function suggestionsOf({ at, edits = [], safety = null }: Finding) {
  const [edit, ...others] = edits;
  if (safety !== 'safe' || edit === undefined || others.length > 0) return undefined;
  if ('endpoint' in at || at.file !== edit.file || edit.source?.includes('****') === true) return undefined;
  return [{ range: rangeOf(edit, edit.source), text: edit.text }];
}

/** A range from UTF-16 units to bytes. The text of the first line is known, of the last one only where it is the same. */
function rangeOf(at: Span, source: string | null = null) {
  const bytes = (column: number) =>
    Buffer.byteLength((source ?? '').slice(0, column - 1).padEnd(column - 1)) + 1;
  const isOneLine = at.line === at.endLine;
  return {
    start: { line: at.line, column: bytes(at.column) },
    end: { line: at.endLine, column: isOneLine ? bytes(at.endColumn) : at.endColumn },
  };
}
