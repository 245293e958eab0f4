/** One conf whose values are payloads, linted by the program into every format: what comes out does nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formats } from '../../../src/node/report/index.js';
import { run } from '../offline.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const payloads = [
  '<script>window.ran=1</script>',
  '<img src=x onerror=window.ran=1>',
  ']]></testcase><failure message="x"/><!ENTITY a SYSTEM "file:///etc/passwd">',
  '[a](javascript:window.ran=1)|`x`|**b**',
  '=HYPERLINK(0)',
  '+1',
  '-1',
  '@SUM(1)',
  '\u001b[2J\u001b]8;;http://x\u0007y',
  '\u202egnp.exe',
  '::error file=a::x',
  '##[error]x',
  '%0A::set-output name=a::b',
];
const quoted = (text: string): string => `'${text.replaceAll("'", '')}'`;
const conf = [
  'NETWORK=mainnet',
  'DATA_DIR=/srv/kend',
  'RPC_ENABLE=1',
  `RPC_API=${quoted(payloads.map((one) => one.replaceAll(',', '')).join(','))}`,
  ...payloads.map((one) => `RPC_CORSDOMAIN=${quoted(`*,${one}`)}`),
  ...payloads.map((one, at) => `UNHEARD_OF_${at}=${quoted(one)}`),
  `${payloads[10]}`,
  '::warning::x',
  '##[group]x',
  '',
].join('\n');
const reports = Object.fromEntries(
  Object.keys(formats).map((name) => [name, join(folder, `report.${name}`)]),
);
let printed = '';
const text = (format: string): string => readFileSync(reports[format] ?? '', 'utf8');

beforeAll(async () => {
  writeFileSync(join(folder, 'kend.conf'), conf);
  const words = Object.entries(reports).flatMap(([name, file]) => ['--report', `${name}=${file}`]);
  const { code, out } = await run(['node', 'lint', 'kend.conf', '--verbose', '--fail-on', 'info', ...words], {
    cwd: folder,
  });
  expect(code).toBe(1);
  printed = out;
});

test('only the CSV file starts with a byte order mark', () => {
  expect(Object.keys(reports).filter((name) => text(name).startsWith('\ufeff'))).toEqual(['csv']);
});

test('the payloads are in the report, so that what follows means something', () => {
  const { targets } = JSON.parse(text('json'));
  const findings = JSON.stringify(targets[0].findings);
  for (const one of ['<script>window.ran=1', '=HYPERLINK(0)', '::error file=a', 'javascript:'])
    expect(findings).toContain(one.replaceAll('"', '\\"'));
});

test.each(Object.keys(formats))('%s acts on no terminal', (format) => {
  for (const one of [text(format), printed])
    expect(
      /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(one),
    ).toBeNull();
});

test('SARIF and JSON say the same findings', () => {
  const { targets } = JSON.parse(text('json'));
  expect(JSON.parse(text('sarif')).runs[0].results).toHaveLength(targets[0].findings.length);
});
