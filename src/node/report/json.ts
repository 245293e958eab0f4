/**
 * The report itself, `kaiactl/report-1`. `kaiactl report schema` prints its JSON Schema; fields are added, never
 * changed.
 */

import { jsonPart } from './escape.js';
import type { Render } from './format.js';

export const json: Render = (report) =>
  jsonPieces({ ...report, targets: itemsOf(report.targets, (target) => [target]) });

/** Writes JSON piece by piece. An async iterable becomes an array; its items must be plain values. */
export async function* jsonPieces(value: object): AsyncGenerator<string> {
  yield* pieces(value, '');
  yield '\n';
}

/** An array for `jsonPieces` whose items are written one by one, mapped by `of`. */
export async function* itemsOf<T, R>(
  all: AsyncIterable<T> | Iterable<T>,
  of: (one: T) => readonly R[],
): AsyncGenerator<R> {
  for await (const one of all) yield* of(one);
}

async function* pieces(value: unknown, indent: string): AsyncGenerator<string> {
  if (isStream(value)) yield* items(value, indent);
  else if (holdsStream(value)) yield* members(value, indent);
  else yield jsonPart(value, indent);
}

async function* items(stream: AsyncIterable<unknown>, indent: string): AsyncGenerator<string> {
  let mark = '[';
  for await (const one of stream) {
    yield `${mark}\n${indent}  ${jsonPart(one, `${indent}  `)}`;
    mark = ',';
  }
  yield mark === '[' ? '[]' : `\n${indent}]`;
}

async function* members(value: object, indent: string): AsyncGenerator<string> {
  const isList = Array.isArray(value);
  let mark = isList ? '[' : '{';
  for (const [key, one] of Object.entries(value).filter(([, one]) => one !== undefined)) {
    yield `${mark}\n${indent}  ${isList ? '' : `${JSON.stringify(key)}: `}`;
    yield* pieces(one, `${indent}  `);
    mark = ',';
  }
  yield `\n${indent}${isList ? ']' : '}'}`;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function holdsStream(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return isStream(value) || Object.values(value).some(holdsStream);
}
