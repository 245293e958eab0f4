import { text as collected } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { kinds } from '../../../src/node/kinds/index.js';
import { json } from '../../../src/node/report/json.js';
import { reportSchema } from '../../../src/node/report/schema.js';
import { kaiactl } from '../../peers/run.js';
import { sampleReport } from './sample.js';

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const valid = ajv.compile(reportSchema(kinds));

test('the report is one document that matches the published schema', async () => {
  const report = sampleReport();
  const parsed = JSON.parse(await collected(json(report, { columns: 80, verbose: false, kinds })));
  valid(parsed);
  expect(valid.errors).toBeNull();
  expect(parsed).toEqual(JSON.parse(JSON.stringify(report)));
});

test('the schema notices what is missing or wrong', () => {
  const { exitCode: _, ...short } = sampleReport();
  expect(valid(short)).toBe(false);
  expect(valid({ ...sampleReport(), schema: 'kaiactl/report-2' })).toBe(false);
});

test('report schema prints the schema of the report', async () => {
  const { code, stdout, stderr } = await kaiactl(['report', 'schema']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(reportSchema(kinds))));
});
