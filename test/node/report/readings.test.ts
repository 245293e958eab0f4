/** Whole reports in every format, as recorded in `recorded/`. UPDATE=1 (`npm run docs`) records them as they are now. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { fleetReport, fullReport } from './reports.js';
import { sampleReport } from './sample.js';

/** Without styles and scripts, a line each tag. */
function shown(format: string, text: string): string {
  if (format !== 'html') return text;
  return text.replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, '<$1>').replaceAll('><', '>\n<');
}

const all = Object.keys(formats).filter((name) => name !== 'json');
const texts = ['text', 'markdown', 'concise'];
const rows = [
  ...all.map((format) => ['full', format, fullReport(), false] as const),
  ...all.map((format) => ['sample', format, sampleReport(), false] as const),
  ...texts.map((format) => ['fleet', format, fleetReport(12), false] as const),
  ...['text', 'concise'].map((format) => ['verbose', format, sampleReport(), true] as const),
] satisfies (readonly [string, string, Report, boolean])[];

test.each(rows)('the report “%s” as %s is as recorded', async (name, format, report, verbose) => {
  const path = join(import.meta.dirname, 'recorded', `${name}.${format}.txt`);
  const now = shown(
    format,
    await collected((await formats[format]!(false))(report, { columns: 80, verbose, kinds })),
  );
  if (process.env.UPDATE === '1') writeFileSync(path, now);
  expect(now).toBe(readFileSync(path, 'utf8'));
});
