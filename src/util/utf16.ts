/** UTF-16, as PowerShell and Notepad write it. */

/** True for text with a byte order mark of UTF-16, or whose first characters have a zero byte each. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const head = [...bytes.subarray(0, 32)];
  return head.length > 3 && [0, 1].some((odd) => head.every((byte, at) => (byte === 0) === (at % 2 === odd)));
}

/** The text of UTF-8, or of UTF-16 with a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(isMarked ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}
