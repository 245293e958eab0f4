import { expect, test } from 'vitest';
import { reportSchema } from '../../../src/node/report/schema.js';
import { kaiactl } from '../../peers/run.js';

test('report schema prints the schema the report is held to', async () => {
  const { code, stdout, stderr } = await kaiactl(['report', 'schema']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(reportSchema)));
});
