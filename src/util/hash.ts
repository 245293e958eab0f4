/** A short stable hash for naming things; not for security. */

/** 64 bits as 16 hex digits, the same on every machine and in every release (FNV-1a, two lanes). */
export function shortHash(...parts: readonly string[]): string {
  let a = 0x811c9dc5;
  let b = 0xcbf29ce4;
  for (const part of parts) {
    for (let at = 0; at <= part.length; at++) {
      const unit = at < part.length ? part.charCodeAt(at) : 0x1ffff; // an end mark no text contains
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ (unit + at), 0x01000197);
    }
  }
  return hex(a) + hex(b);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
