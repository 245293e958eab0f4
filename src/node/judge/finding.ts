/** Drafts become findings: rule id, title, source lines, fingerprints; no secret gets past here. */
import { shortHash } from '../../util/hash.js';
import { redact, redactLines } from '../../util/redact.js';
import type { Facts } from '../facts/facts.js';
import type { Finding, Place } from '../facts/report.js';
import type { Source } from '../facts/settings.js';
import type { Fix } from './fix/fix.js';
import type { Draft, Meta } from './rule/rule.js';

/** Drafts become findings: rule id, title, source lines, fingerprints; no secret gets past here. */
export function complete(
  facts: Facts,
  rule: Pick<Meta, 'id' | 'title' | 'severity' | 'perModule'>,
  drafts: readonly Draft[],
): Finding[] {
  const source = facts.conf?.state === 'seen' ? facts.conf.value.settings.source : null;
  const sourceLine = linesOf(source);
  return drafts.map((draft) => {
    const severity = draft.severity ?? rule.severity;
    const line = sourceLine(draft.at);
    const { edits = [], safety = null } = editsOf(draft.fix, sourceLine);
    return {
      rule: rule.id,
      severity,
      title: rule.title,
      message: redact(draft.message),
      fix: redact(draft.fix.say),
      subject: redact(draft.subject),
      at: draft.at,
      source: line,
      related: (draft.related ?? []).map(({ at, note }) => ({ at, note, source: sourceLine(at) })),
      evidence: draft.evidence ?? null,
      edits,
      safety,
      ...alternativesOf(draft.fix, sourceLine),
      fingerprint: fingerprintOf(rule, { subject: redact(draft.subject), source: line }, placeName(draft.at)),
      suppressed: null,
    };
  });
}

/** What is masked cannot be written as it stands, and the words of a process cannot be written at all. */
function editsOf({ edits = [], safety }: Fix, sourceLine: SourceLine): Pick<Finding, 'edits' | 'safety'> {
  const written = edits.every(({ at, text }) => !/^pid \d+$/.test(at.file) && redact(text) === text);
  const shown = written ? edits : [];
  return {
    edits: shown.map(({ at, text }) => ({ ...at, text, source: sourceLine(at) })),
    safety: shown.length === 0 ? null : safety,
  };
}

function alternativesOf({ alternatives }: Fix, sourceLine: SourceLine): Pick<Finding, 'alternatives'> {
  if (alternatives === undefined) return {};
  return {
    alternatives: alternatives.map((one) => {
      const { edits = [], safety = null } = editsOf(one, sourceLine);
      return { fix: redact(one.say), edits, safety };
    }),
  };
}

/** A line longer than this is cut: nobody reads it, and a report must stay small. */
const longestLine = 2_000;

/** The line of a place without its secrets; null where it is none. */
type SourceLine = (at: Place) => string | null;

/** Many findings may stand on one line: each line is redacted once. */
function linesOf(source: Source | null): SourceLine {
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

function redactedLine(source: Source | null, { file, line }: Exclude<Place, { endpoint: string }>) {
  const lines = file === source?.path ? source.lines : (source?.others?.[file] ?? []);
  if (lines[line - 1] === undefined) return null;
  // The name of a secret may stand up to two lines above it.
  const shown = lines.slice(Math.max(0, line - 3), line).map((one) => one.slice(0, longestLine));
  return redactLines(shown).at(-1) ?? null;
}

/** A file's name without a leading ./, an endpoint as it is: never the line, so that moving it changes nothing. */
export function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : at.file.replace(/^(?:\.\/)+/, '');
}

/**
 * Where a list can grow the subject names the module, and the line may change; elsewhere a changed line is a new case.
 * `place` is the file's name or the endpoint.
 */
export function fingerprintOf(
  { id, perModule }: Pick<Meta, 'id' | 'perModule'>,
  { subject, source }: Pick<Finding, 'subject' | 'source'>,
  place: string,
): string {
  return shortHash(id, place, subject, perModule === true ? '' : squeeze(source ?? ''));
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
