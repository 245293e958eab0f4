/** An open question with its place, its line and the comments beside it. */
import { redactLines } from '../../../util/redact.js';
import { visible } from '../../../util/visible.js';
import type { LedgerRule } from '../../facts/sign.js';
import type { Span } from '../../facts/span.js';
import type { LineIndex } from '../../sources/text/line-index.js';

/** Comment lines above a place that may suppress what is there. */
const maxComments = 10;

/** @param why - a clause without a full stop; the reason of the question begins with the place */
export function questionAt(file: LineIndex, at: Span, rule: LedgerRule, subject: string, why: string) {
  const lines = file.lines();
  const source = redactLines(lines.slice(Math.max(0, at.line - 3), at.line)).at(-1) ?? null;
  const comments = [lines[at.line - 1] ?? ''];
  for (let line = at.line - 2; comments.length <= maxComments && isComment(lines[line]); line -= 1)
    comments.push(lines[line] ?? '');
  const reason = `${visible(at.file)}:${at.line}:${at.column}: ${why}`;
  return { rule, subject, at, source, reason, comments };
}

function isComment(line: string | undefined): boolean {
  return /^\s*(?:#|\/\/|;|--|<!--)/.test(line ?? '');
}
