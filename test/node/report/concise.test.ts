/** One line a finding, for editors, scripts and logs. */
import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { kinds } from '../../../src/node/kinds/index.js';
import { concise } from '../../../src/node/report/concise.js';
import { formats } from '../../../src/node/report/index.js';
import { plain } from '../../../src/node/report/text-paint.js';
import { run } from '../../cli/run.js';
import { hostileReport, reportOf } from './reports.js';
import { sampleReport } from './sample.js';

const root = new URL('../../..', import.meta.url).pathname;
const options = { columns: 80, verbose: false, kinds };

test('a line has place, severity, rule and message, and each unseen fact is a line', async () => {
  expect(await collected(concise(plain)(sampleReport(), options))).toBe(
    [
      'kend.conf:2:16 high open-access RPC_CORSDOMAIN holds *: any web page can call this node through the browser of someone who can reach it.',
      'kend.conf:3:13 medium hidden-value ADDITIONAL overrides RPC_API.',
      'kend.conf undetermined blind ws: WS_API depends on $(date)',
      'missing.conf undetermined gather no such file',
      '',
    ].join('\n'),
  );
});

test.each(['concise', 'sarif', 'github'] as const)(
  '%s says the place of an open question once',
  async (format) => {
    const path = 'fixtures/deployments/pm2/ecosystem.config.js';
    const { out } = await run(['node', 'lint', path, '--format', format], { cwd: root });
    expect(out).toMatch(/ecosystem\.config\.js/);
    expect(out).not.toContain(':2:33: ');
  },
);

test('suppressed findings are lines with --verbose, with their reason', async () => {
  const shown = await collected(concise(plain)(sampleReport(), { ...options, verbose: true }));
  expect(shown).toContain('kend.conf:4:1 suppressed tiny low: <b>"x" | `y`</b> Reason: a & b\n');
});

test('a report without findings has no line', async () => {
  expect(await collected(concise(plain)(reportOf([]), options))).toBe('');
});

test('hostile text stays on its line', async () => {
  const report = hostileReport();
  const lines = (await collected(concise(plain)(report, options))).trimEnd().split('\n');
  const expected = report.targets.flatMap(({ findings, undetermined }) => [
    ...findings.filter(({ suppressed, severity }) => suppressed === null || severity === 'critical'),
    ...undetermined,
  ]);
  expect(lines).toHaveLength(expected.length);
  expect(lines.filter((line) => /^\s*::|[\u0000-\u001f\u007f-\u009f\u202e]/.test(line))).toEqual([]);
});

test('only the severity is coloured', async () => {
  const coloured = await collected((await formats.concise!(true))(sampleReport(), options));
  expect(coloured).toContain('kend.conf:2:16 \u001b[31mhigh\u001b[39m open-access');
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(
    await collected(concise(plain)(sampleReport(), options)),
  );
});
