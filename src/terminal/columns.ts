/** How wide text is on a terminal. */

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const zeroWidth = /\p{Mn}|\p{Me}/u;

/** Columns a terminal needs for text that is already visible. */
export function columns(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return count;
}
