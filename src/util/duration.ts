/** Durations such as 5s. */

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `5s`, `2m`, `1.5h`, or a bare number of seconds, in milliseconds; null for other text. */
export function parseDuration(text: string): number | null {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) return null;
  return Math.round(Number(amount) * (units[unit] ?? 1000));
}
