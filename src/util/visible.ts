/** Text of unknown origin made safe to show. */

// C0, DEL, C1, line and paragraph separators, zero-width and bidirectional marks, byte order mark, tags.
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu;

/**
 * The text on one line, a run of noncharacters (what a template leaves open) as an ellipsis, with control, bidirectional and zero-width characters written as `\u{…}`. Cut after `limit`
 * characters with an ellipsis.
 */
export function visible(text: string, limit = 300): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut
    .replaceAll(/[\uFDD0-\uFDEF]+/g, '…')
    .replace(unseen, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`);
}
