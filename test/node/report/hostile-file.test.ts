/** One conf whose values are payloads, linted by the program into every format: what comes out does nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marked } from 'marked';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formats } from '../../../src/node/report/index.js';
import { run } from '../../cli/run.js';
import { installed, invalidXml } from './tools.js';

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
}, 60_000);

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

test.skipIf(!installed('xmllint', 'hostile JUnit and Checkstyle'))(
  'the XML is valid and asks for nothing',
  () => {
    expect(invalidXml(text('junit'), 'junit.xsd')).toBeNull();
    expect(invalidXml(text('checkstyle'), 'checkstyle.xsd')).toBeNull();
    expect(text('junit') + text('checkstyle')).not.toMatch(/<!ENTITY|<!\[CDATA|<script/);
  },
);

test('no cell of the CSV is a formula', () => {
  const cells = [...text('csv').matchAll(/"((?:[^"]|"")*)"(?=,|\r\n)/g)].map(([, one = '']) => one);
  expect(cells.some((one) => one.includes('HYPERLINK'))).toBe(true);
  expect(cells.filter((one) => /^\s*[=+\-@|%]/.test(one))).toEqual([]);
});

test.each(['github', 'text', 'markdown'])('%s holds no command to a runner that is not its own', (format) => {
  const commands = text(format)
    .split('\n')
    .filter((line) => /^\s*::[\w-]+.*::|##\[/.test(line))
    .filter(
      (line) => format !== 'github' || !/^::(error|warning|notice) (file=kend\.conf|title=)/.test(line),
    );
  expect(commands).toEqual([]);
});

test('Markdown becomes no markup but its own', async () => {
  const html = await marked.parse(text('markdown'), { gfm: true });
  expect(html).not.toMatch(/<(?:script|img|a|strong|em|h[3-6])\b/i);
});

test('SARIF and JSON say the same findings', () => {
  const { targets } = JSON.parse(text('json'));
  expect(JSON.parse(text('sarif')).runs[0].results).toHaveLength(targets[0].findings.length);
});

test.skipIf(!installed('chromium', 'the hostile page in a browser'))(
  'the page runs nothing, asks for nothing and holds no element of theirs',
  { timeout: 60_000 },
  async () => {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('dialog', (dialog) => asked.push(dialog.message()));
      await page.goto(`file://${reports.html}`);
      expect(await page.evaluate('window.ran')).toBeUndefined();
      expect(await page.evaluate("document.querySelectorAll('img,iframe,object,form,base').length")).toBe(0);
      expect(await page.evaluate("document.querySelectorAll('script').length")).toBe(1);
      expect(await page.locator('body').textContent()).toContain('<script>window.ran=1</script>');
      expect(asked).toEqual([`file://${reports.html}`]);
    } finally {
      await browser.close();
    }
  },
);
