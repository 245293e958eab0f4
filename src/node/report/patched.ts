/** Lines after the edits of a finding, to paste. */
import { groupBy } from '../../util/group-by.js';
import type { Edit, Finding, FixReport } from '../facts/report.js';

/**
 * The lines after the edits; empty without edits, or if a line holds a masked secret. A line that is deleted, or looks as before, is omitted.
 */
export function patchLines(finding: Finding, all: readonly Edit[] = finding.edits ?? []): string[] {
  return [...groupBy(all, ({ file, line }) => `${line} ${file}`).values()].flatMap((edits) => {
    const added = edits.filter(({ text }) => text.startsWith('\n')).map(({ text }) => text.slice(1));
    const changed = edits.filter(({ text }) => !text.startsWith('\n'));
    const [first] = changed;
    const source = first === undefined ? null : sourceOf(finding, first);
    const line = source === null ? '' : apply(source, changed).trim();
    const isShown = line !== '' && line !== source?.trim();
    return [...(isShown ? [line] : []), ...added];
  });
}

/** The source line in the report; null if the report lacks it or a secret in it is masked. */
function sourceOf({ at, source, related }: Finding, edit: Edit): string | null {
  const all = [{ at, source }, ...related];
  const found =
    edit.source ??
    all.find((one) => 'line' in one.at && one.at.line === edit.line && one.at.file === edit.file)?.source ??
    null;
  return found?.includes('****') === true ? null : found;
}

/** Applies the edits and drops a comment after the last one. */
function apply(line: string, edits: readonly Edit[]): string {
  const ends = edits.map((one) => (one.endLine > one.line ? line.length : one.endColumn - 1));
  const last = Math.max(...ends);
  const bare = line.slice(0, last) + line.slice(last).replace(/^(["']?)\s+#.*$/, '$1');
  return edits
    .map((one, at) => ({ from: one.column - 1, to: ends[at], text: one.text }))
    .toSorted((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), bare);
}

/** The fix and its alternatives. */
export function waysOf({ fix, edits = [], safety = null, alternatives = [] }: Finding): FixReport[] {
  return [{ fix, edits, safety }, ...alternatives];
}

/** The same; prefixed with safe or unsafe if they differ in that. */
export function fixesOf(finding: Finding): FixReport[] {
  const ways = waysOf(finding);
  const differ = ways.some((one) => one.safety === 'safe') && ways.some((one) => one.safety === 'unsafe');
  if (!differ) return ways;
  return ways.map((one) => (one.safety === null ? one : { ...one, fix: `${one.safety}: ${one.fix}` }));
}
