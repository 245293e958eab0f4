import { text as collected } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { TargetReport } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { formats } from '../../../src/node/report/index.js';
import { targetText, text } from '../../../src/node/report/text.js';
import { headerOf } from '../../../src/node/report/text-header.js';
import { plain } from '../../../src/node/report/text-paint.js';
import { sampleReport } from './sample.js';

const report = sampleReport();

test('the text report of 80 columns is complete', async () => {
  expect(await collected(text(report, { columns: 80, verbose: false, kinds }, plain))).toMatchInlineSnapshot(`
    "high     open-access          RPC_CORSDOMAIN holds *: any web page can call this
                     node through the browser of someone who can reach it.
             kend.conf:2:16   RPC_CORSDOMAIN="*" # a    tab and \\u{1b}[31mred
                                             ^^^
             fix     Name only what is really used.
                     RPC_CORSDOMAIN="https://app.example"

    kend.conf:3:13 medium hidden-value ADDITIONAL overrides RPC_API. Fix: Say it in
      RPC_API.

    not seen no such file (missing.conf)
    not seen ws: WS_API depends on $(date); undetermined: blind (kend.conf)

    high        kend.conf     1 high, 1 medium · 1 check not seen · http any address
                  (settings), ws any address (settings)

    2 findings in 2 files: 1 high, 1 medium. 1 suppressed. 2 checks not seen.
    Changed by options, settings and comments: 1 suppressed by comments. Fails at
    high (--fail-on).
    kaiactl node explain open-access · --verbose shows each finding whole
    "
  `);
});

test.each([
  ['kend', 'ken'],
  ['kxnd', 'kxnd'],
])('%s that no launcher started is %s, also a launcher of a later version', async (launcher, name) => {
  const [first] = report.targets;
  if (first?.conf == null) throw new Error('the sample has a conf');
  const target = { ...first, kind: 'kaia', conf: { ...first.conf, launcher, packageBy: 'launch' as const } };
  expect(await targetText(target, { columns: 80, verbose: false, kinds }, plain, report)).toContain(
    `kend.conf · ${name} · http`,
  );
});

test('the header names the reach of each interface of an address', () => {
  const [first] = report.targets;
  const [http, ws] = first?.interfaces ?? [];
  if (first === undefined || http === undefined || ws === undefined) throw new Error('the sample has two');
  const interfaces = [
    { ...http, reach: 'any' as const },
    { ...ws, reach: 'private' as const },
  ];
  expect(headerOf({ ...first, interfaces }, kinds)).toContain(
    'http on 0.0.0.0: any address reaches it · ws on 0.0.0.0: the private network reaches it',
  );
});

test.each([
  ['any', 'p.sh:2: any', 'ipc: any address reaches it (by p.sh:2: any)'],
  ['ipc', 'p.sh:2: any, with a login', 'ipc: its users reach it (by p.sh:2: any, with a login)'],
  [undefined, 'p.sh:2', 'ipc: relayed, so the reach is not known (by p.sh:2)'],
] as const)('the header names relays to a local socket that %s reaches', (reach, via, words) => {
  const [first] = report.targets;
  const [http] = first?.interfaces ?? [];
  if (first === undefined || http === undefined) throw new Error('the sample has one');
  const { reach: _, ...row } = http;
  const relayed = { ...row, transport: 'ipc' as const, endpoint: '/d/geth.ipc', reachVia: [via] };
  const ipc = reach === undefined ? relayed : { ...relayed, reach };
  expect(headerOf({ ...first, interfaces: [ipc] }, kinds)).toContain(words);
});

test('no line is wider than the terminal', async () => {
  for (const columns of [80, 100]) {
    const lines = (await collected(text(report, { columns, verbose: true, kinds }, plain))).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test('with --verbose each finding has the page of its rule, or the command that prints it', async () => {
  const shown = (one: typeof report) => collected(text(one, { columns: 80, verbose: true, kinds }, plain));
  expect(await shown(report)).toMatch(/^ {9}rule {4}kaiactl node explain open-access$/m);
  const page = (id: string) => `https://example.org/docs/rules/${id}.md`;
  const withPages = { ...report, rules: report.rules.map((rule) => ({ ...rule, page: page(rule.id) })) };
  expect(await shown(withPages)).toContain('rule    https://example.org/docs/rules/open-access.md');
  const forged = { ...report, rules: report.rules.map((rule) => ({ ...rule, page: 'javascript:x' })) };
  expect(await shown(forged)).toBe(await shown(report));
});

test('suppressed findings are shown with --verbose only', async () => {
  expect(await collected(text(report, { columns: 80, verbose: false, kinds }, plain))).not.toContain(
    'kend.conf:4',
  );
  expect(await collected(text(report, { columns: 80, verbose: true, kinds }, plain))).toContain(
    'Suppressed: a & b.',
  );
});

test('colour marks severities and changes nothing else', async () => {
  const coloured = await collected(
    (await formats.text!(true))(report, { columns: 80, verbose: false, kinds }),
  );
  const marked = [...coloured.matchAll(/\u001b\[\d+m(\w+)\u001b\[\d+m/g)].map((match) => match[1]);
  expect(marked).toEqual(['high', 'medium', 'high']);
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(
    await collected(text(report, { columns: 80, verbose: false, kinds }, plain)),
  );
});

test('a target with a suppressed critical is never called clean', async () => {
  const [target] = sampleReport().targets as [TargetReport];
  const accepted = (severity: 'critical' | 'high'): TargetReport => ({
    ...target,
    undetermined: [],
    findings: target.findings.map((one) => ({ ...one, severity, suppressed: { reason: 'x', until: null } })),
  });
  const shown = (one: TargetReport) => targetText(one, { columns: 80, verbose: false, kinds }, plain, report);
  expect(await shown(accepted('high'))).toContain('clean');
  expect(await shown(accepted('critical'))).not.toContain('clean');
});

test('on a terminal that shows links the name of a rule is one to its page on the web, and takes no column', async () => {
  const shown = (links: boolean, page: string) => {
    const one = { ...report, rules: report.rules.map((rule) => ({ ...rule, page })) };
    return collected(text(one, { columns: 80, verbose: false, kinds, links }, plain));
  };
  const page = 'https://example.org/docs/rules/open-access.md';
  const linked = await shown(true, page);
  expect(linked).toContain(`\u001b]8;;${page}\u001b\\open-access\u001b]8;;\u001b\\`);
  const bare = linked.replaceAll(/\u001b\]8;;[^\u001b]*\u001b\\/g, '');
  expect(bare).toBe(await shown(false, page));
  expect(await shown(true, 'javascript:x')).toBe(bare);
});
