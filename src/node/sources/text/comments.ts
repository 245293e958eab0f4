/** The comments of a source, for what they say to kaiactl. */
import type { Source } from '../../facts/settings.js';
import type { LineIndex } from './line-index.js';

/** The comments of a text in which # begins one. */
export function commentsOf(text: string, lineIndex: LineIndex): Source['comments'] {
  const found = [...text.matchAll(/(?:^|[ \t;&|()])(#[^\n]*)/gm)];
  return found.map((match) => {
    const comment = match[1] as string;
    const start = match.index + match[0].length - comment.length;
    return { text: comment.replace(/\r$/, ''), at: lineIndex.span({ start, end: start + comment.length }) };
  });
}
