/** Untrusted JSON. */
import { tryOr } from './try-or.js';

/** The value of a text; undefined when it is not JSON. */
export function jsonOf(text: string): unknown {
  return tryOr(() => JSON.parse(text), undefined);
}

/** The object in a text; null when it is not JSON, or not an object. */
export function objectOf(text: string): Record<string, unknown> | null {
  const value = jsonOf(text);
  return isRecord(value) ? value : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of a value that should be an object; undefined if it is not. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
