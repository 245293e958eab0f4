/**
 * The reader of confs and scripts beside recordings of bash 5.2: small texts, chosen from random ones so that each tells
 * a changed reader from this one. UPDATE=1 records what the reader says now, and bash.test.ts asks bash whether it is so.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Recorded, read, recordings } from './recorded.js';

const size = 25;
const record = ({ text }: Recorded): Recorded => ({ text, ...read(text) });

describe.each(recordings())('%s %s', (file, _name, recorded) => {
  const update = process.env.UPDATE === '1';
  const cases = update ? recorded.map(record) : recorded;
  if (update) writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));

  const groups = Array.from({ length: Math.ceil(cases.length / size) }, (_, at) => at * size);
  test.each(groups)('from line %i', (from) => {
    const some = cases.slice(from, from + size);
    expect(some.map(record)).toEqual(some);
  });
});
