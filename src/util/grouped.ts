/** 12345 → 12,345: the same in every locale. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
