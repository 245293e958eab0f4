/** Escapes untrusted text for XML and HTML. */
import { visible } from './visible.js';

/** Characters of one value; longer text is cut with an ellipsis. */
const maxLength = 8_000;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\ufffe': '\\u{fffe}',
  '\uffff': '\\u{ffff}',
};

/** For XML and HTML, as text and inside quotes; characters that XML 1.0 forbids are written as `\u{…}`. */
export function xml(text: string): string {
  return visible(text, maxLength).replace(/[&<>"'\ufffe\uffff]/g, (mark) => entities[mark] ?? '');
}
