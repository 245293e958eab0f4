/** A report as a command printed it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { kinds } from '../../src/node/kinds/index.js';
import { reportSchema } from '../../src/node/report/schema.js';

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const valid = ajv.compile(reportSchema(kinds));

/** Parses one document and holds it against the published schema. */
export function expectValid(text: string): Report {
  const report = JSON.parse(text) as Report;
  valid(report);
  expect(valid.errors).toBeNull();
  return report;
}
