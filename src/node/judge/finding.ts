/** Findings: made from a rule's drafts, with secrets redacted, and put in order. */
import { shortHash } from '../../util/hash.js';
import { maskSpans, redact, redactLines } from '../../util/redact.js';
import { type Facts, sourceOf } from '../facts/facts.js';
import type { Finding, Place } from '../facts/report.js';
import { linesIn, type SourceText } from '../facts/settings.js';
import { compareSeverity } from '../facts/severity.js';
import type { Fix } from '../fix/proposal/fix.js';
import type { Draft, Meta } from './rule/rule.js';
import { secretsIn } from './settings/secrets.js';

/** Why findings are made: for a report, or only to compare them, without texts, edits and fingerprints. */
export type Purpose = 'report' | 'comparison';

/** Adds rule id, title, source lines and fingerprints to the drafts of a rule, and redacts secrets. */
export function complete(
  facts: Facts,
  rule: Pick<Meta, 'id' | 'title' | 'severity' | 'perModule'>,
  drafts: readonly Draft[],
  purpose: Purpose = 'report',
): Finding[] {
  if (drafts.length === 0) return [];
  if (purpose === 'comparison') return drafts.map((draft) => compared(rule, draft));
  const sourceLine = linesOf(sourceOf(facts));
  const processes = processTexts(facts);
  return drafts.map((draft) => {
    const finding = compared(rule, draft);
    const { fix, at, related = [] } = draft;
    const source = sourceLine(at);
    return {
      ...finding,
      message: redact(draft.message),
      fix: redact(fix.say),
      source,
      related: related.map(({ at, note }) => ({ at, note, source: sourceLine(at) })),
      ...editsOf(fix, sourceLine, processes),
      ...alternativesOf(fix, sourceLine, processes),
      fingerprint: fingerprintOf(rule, { ...finding, source }, markedPlace(facts, at)),
    };
  });
}

/** The finding without texts, edits and a fingerprint. */
function compared(
  { id, title, severity }: Pick<Meta, 'id' | 'title' | 'severity'>,
  { fix, message, at, ...draft }: Draft,
): Finding {
  return {
    rule: id,
    severity: draft.severity ?? severity,
    title,
    message,
    fix: fix.say,
    subject: redact(draft.subject),
    at,
    source: null,
    related: [],
    evidence: draft.evidence ?? null,
    edits: [],
    safety: null,
    fingerprint: '',
    suppressed: null,
  };
}

/** Empty where an edit would write a redacted secret, or change the command line of a process. */
function editsOf(
  { edits: make, safety }: Fix,
  sourceLine: SourceLine,
  processes: readonly string[],
): Pick<Finding, 'edits' | 'safety'> {
  const edits = make?.() ?? [];
  const written = edits.every(({ at, text }) => !processes.includes(at.file) && redact(text) === text);
  const shown = written ? edits : [];
  return {
    edits: shown.map(({ at, text }) => ({ ...at, text, source: sourceLine(at) })),
    safety: shown.length === 0 ? null : safety,
  };
}

/** The names of the texts that command lines of processes are read as. */
function processTexts({ conf, live }: Facts): string[] {
  const own = live?.process.state === 'seen' ? live.process.value.settings : null;
  const given = conf?.state === 'seen' ? conf.value.settings : null;
  return [own, given].flatMap((one) => (one?.source.kind === 'process' ? [one.source.path] : []));
}

function alternativesOf(
  { alternatives }: Fix,
  sourceLine: SourceLine,
  processes: readonly string[],
): Pick<Finding, 'alternatives'> {
  if (alternatives === undefined) return {};
  return {
    alternatives: alternatives.map((one) => {
      const { edits = [], safety = null } = editsOf(one, sourceLine, processes);
      return { fix: redact(one.say), edits, safety };
    }),
  };
}

/** In characters: longer source lines are cut, so that a report stays small. */
const maxLineLength = 2_000;

/** The redacted line at a place; null if the place is no line of a file. */
type SourceLine = (at: Place) => string | null;

/** Redacts each line once, however many findings refer to it. */
function linesOf(source: SourceText | null): SourceLine {
  const known = new Map<string, string | null>();
  return (at) => {
    if ('endpoint' in at || (at.endLine === at.line && at.endColumn === at.column && at.column === 1))
      return null;
    const place = `${at.line} ${at.file}`;
    const line = known.get(place) ?? redactedLine(source, at);
    known.set(place, line);
    return line;
  };
}

function redactedLine(source: SourceText | null, { file, line }: Exclude<Place, { endpoint: string }>) {
  const lines = source === null ? [] : linesIn(source, file);
  if (lines[line - 1] === undefined) return null;
  // The name of a secret may be up to two lines above its value.
  const shown = lines.slice(Math.max(0, line - 3), line).map((text) => text.slice(0, maxLineLength));
  const last = redactLines(shown).at(-1) ?? '';
  // Some are secrets only by other lines, as by the flag that names their file.
  return maskSpans(
    last,
    secretsIn(lines).filter((secret) => secret.line === line),
  );
}

/** The place for a fingerprint, which differs for nodes whose endpoints differ only in what is masked. */
function markedPlace({ live }: Facts, at: Place): string {
  const own = live?.endpoints.find(({ endpoint }) => 'url' in endpoint && endpoint.url === placeName(at));
  return placeName(at) + (own?.mark ?? '');
}

/** A file's name without a leading ./, or the endpoint. Without the line number, so that moved lines keep their fingerprint. */
export function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : at.file.replace(/^(?:\.\/)+/, '');
}

/**
 * Includes the text of the line, except for rules per module: their subject names the module, and the list may grow.
 * `place` is the file's name or the endpoint.
 */
export function fingerprintOf(
  { id, perModule }: Pick<Meta, 'id' | 'perModule'>,
  { subject, source }: Pick<Finding, 'subject' | 'source'>,
  place: string,
): string {
  return shortHash(id, place, subject, perModule === true ? '' : squeeze(source ?? ''));
}

export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Most severe first; then by place; then by rule. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      compareSeverity(a.severity, b.severity) || comparePlaces(a.at, b.at) || compareText(a.rule, b.rule),
  );
}

function comparePlaces(a: Place, b: Place): number {
  if ('endpoint' in a || 'endpoint' in b) {
    if ('endpoint' in a && 'endpoint' in b) return compareText(a.endpoint, b.endpoint);
    return 'endpoint' in a ? 1 : -1;
  }
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** By code unit: the same on every machine, unlike a locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
