/** Drafts become findings: rule id, title, source lines, fingerprints; no secret gets past here. */
import { shortHash } from '../../util/hash.js';
import { redact, redactLines } from '../../util/redact.js';
import type { Facts } from '../facts/facts.js';
import type { Finding, Place } from '../facts/report.js';
import type { Source } from '../facts/settings.js';
import type { Fix } from './fix.js';
import type { Draft, Meta } from './rule.js';

/** Drafts become findings: rule id, title, source lines, fingerprints; no secret gets past here. */
export function complete(
  facts: Facts,
  rule: Pick<Meta, 'id' | 'title' | 'severity' | 'perModule'>,
  drafts: readonly Draft[],
): Finding[] {
  const source = facts.conf?.state === 'seen' ? facts.conf.value.settings.source : null;
  return drafts.map((draft) => {
    const severity = draft.severity ?? rule.severity;
    const line = sourceLine(source, draft.at);
    const { edits = [], safety = null } = editsOf(draft.fix, source);
    return {
      rule: rule.id,
      severity,
      title: rule.title,
      message: redact(draft.message),
      fix: redact(draft.fix.say),
      subject: redact(draft.subject),
      at: draft.at,
      source: line,
      related: (draft.related ?? []).map(({ at, note }) => ({ at, note, source: sourceLine(source, at) })),
      evidence: draft.evidence ?? null,
      edits,
      safety,
      ...alternativesOf(draft.fix, source),
      fingerprint: fingerprintOf(rule, { subject: redact(draft.subject), source: line }, placeName(draft.at)),
      suppressed: null,
    };
  });
}

/** What is masked cannot be written as it stands, and the words of a process cannot be written at all. */
function editsOf({ edits = [], safety }: Fix, source: Source | null): Pick<Finding, 'edits' | 'safety'> {
  const written = edits.every(({ at, text }) => !/^pid \d+$/.test(at.file) && redact(text) === text);
  const shown = written ? edits : [];
  return {
    edits: shown.map(({ at, text }) => ({ ...at, text, source: sourceLine(source, at) })),
    safety: shown.length === 0 ? null : safety,
  };
}

function alternativesOf({ alternatives }: Fix, source: Source | null): Pick<Finding, 'alternatives'> {
  if (alternatives === undefined) return {};
  return {
    alternatives: alternatives.map((one) => {
      const { edits = [], safety = null } = editsOf(one, source);
      return { fix: redact(one.say), edits, safety };
    }),
  };
}

/** A line longer than this is cut: nobody reads it, and a report must stay small. */
const longestLine = 2_000;

function sourceLine(source: Source | null, at: Place): string | null {
  if ('endpoint' in at || (at.endLine === at.line && at.endColumn === at.column && at.column === 1))
    return null;
  const lines = at.file === source?.path ? source.lines : (source?.others?.[at.file] ?? []);
  const line = lines[at.line - 1];
  // The name of a secret may stand up to two lines above it.
  const before = lines.slice(Math.max(0, at.line - 3), at.line - 1).map((one) => one.slice(0, longestLine));
  return line === undefined ? null : (redactLines([...before, line.slice(0, longestLine)]).at(-1) ?? '');
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
