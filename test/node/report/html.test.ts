import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as collected } from 'node:stream/consumers';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/index.js';
import { html } from '../../../src/node/report/html.js';
import { run } from '../offline.js';
import { fleetReport, fullReport, hostileReport, reportOf, targetOf } from './reports.js';
import { installed, quietChromium as quiet } from './tools.js';

/** How a report is looked at. */
interface Looks {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

describe.skipIf(!installed('chromium', 'the HTML report in a browser'))('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-html-'));
  let browser: Browser;
  // One for all tests: a new one takes Chromium a second of the processor.
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: quiet });
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Shows the report in the page; the list gets everything it complains about or asks for beside itself. */
  async function opened(
    report: Report,
    { viewport = { width: 1200, height: 900 }, colorScheme = 'light' }: Looks = {},
  ): Promise<string[]> {
    const file = join(folder, `${Math.abs(report.targets.length)}.html`);
    writeFileSync(file, await collected(html(report, { columns: 80, verbose: true, kinds })));
    const events: string[] = [];
    page.removeAllListeners();
    await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme });
    page.on('console', (message) => events.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => events.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => events.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url() !== `file://${file}`) events.push(`request: ${request.url()}`);
    });
    await page.goto(`file://${file}`);
    return events;
  }

  /** As it is seen, without what is hidden. */
  const seenText = async (place: Locator): Promise<string> => (await place.allInnerTexts()).join();

  const shownFindings = (): Promise<number> => page.locator('.finding:visible').count();

  test('hostile text stays text: it runs no script, adds no element and sends no request', async () => {
    const events = await opened(hostileReport());
    await page.evaluate(`for (const one of document.querySelectorAll('*')) {
      if ('open' in one) one.open = true;
      for (const kind of ['mouseover', 'focus', 'load', 'error', 'toggle']) one.dispatchEvent(new Event(kind));
    }`);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    const tags = (await page.evaluate(
      "[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))].sort()",
    )) as string[];
    const strange = tags.filter((tag) =>
      /^(img|svg|iframe|object|embed|form|base|font|video|audio)$/.test(tag),
    );
    expect(strange).toEqual([]);
    const odd = await page.evaluate(`[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes])
      .filter(({ name, value }) => /^on|^style$|^src$/.test(name) || (name === 'href' && !value.startsWith('#'))).length`);
    expect(odd).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(events).toEqual([]);
  });

  test('its content security policy blocks an injected script', async () => {
    const file = join(folder, 'injected.html');
    const text = await collected(html(fullReport(), { columns: 80, verbose: true, kinds }));
    writeFileSync(
      file,
      text.replace('</header>', '</header><script>window.ran=1</script><img src=x onerror="window.ran=1">'),
    );
    await page.goto(`file://${file}`);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('#filters').isVisible()).toBe(true);
  });

  test('the matrix says what is open to whom and how that is known', async () => {
    await opened(fullReport());
    const heads = await page.locator('.matrix thead th').allInnerTexts();
    expect(heads.map((head) => head.trim())).toEqual([
      'interface',
      'reach, known by',
      'admin',
      'debug',
      'personal',
      'txpool',
      'eth',
      'access',
    ]);
    const row = page.locator('.matrix tbody tr').first();
    expect(await seenText(row.locator('th'))).toBe('http :8551');
    const cells = await row
      .locator('td')
      .evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label') ?? cell.textContent));
    expect(cells).toEqual([
      'any addresssocket, 0.0.0.0:8551',
      '',
      'any address, critical',
      'any address, critical',
      '',
      'any address',
      'any page, any Host',
    ]);
    expect(await page.locator('.matrix tbody tr').last().textContent()).toContain('connection refused');
  });

  test('of settings alone, the matrix shows what they would open, and says that no node was asked', async () => {
    const conf = 'RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API="eth,debug"\nRPC_VHOSTS="*"\nNETWORK="mainnet"\n';
    const { out } = await run(['node', 'lint', '-', '--stdin-filename', 'kend.conf', '--format', 'json'], {
      stdin: conf,
    });
    const report = JSON.parse(out) as Report;
    await opened(report);
    expect(await seenText(page.locator('#overview'))).toContain('no node was asked');
    const cell = (row: number, module: string): Promise<string | null> =>
      page.evaluate(`(() => {
          const at = [...document.querySelectorAll('.matrix thead th')].findIndex((one) => one.innerText.trim() === '${module}');
          return document.querySelectorAll('.matrix tbody tr')[${row}].children[at].getAttribute('aria-label');
        })()`);
    expect(await seenText(page.locator('.matrix tbody tr').first())).toMatch(
      /^http :8551\s+any address\s+settings, 0\.0\.0\.0[\s\S]*any Host$/,
    );
    expect([await cell(0, 'debug'), await cell(0, 'eth'), await cell(0, 'admin')]).toEqual([
      'any address, critical',
      'any address',
      null,
    ]);
    expect(await seenText(page.locator('.matrix tbody tr').last().locator('th'))).toBe('ipc');
    // The other ways to correct it, each to be copied.
    const debug = page.locator('[data-rule=unsafe-debug]').last();
    expect(await debug.locator('.fix > span').allTextContents()).toEqual(['Fix', 'or']);
    await opened(report, { viewport: { width: 390, height: 844 } });
    expect(await seenText(page.locator('.matrix tbody th').first())).toMatch(/^http :8551\s+any address$/);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // A4 less its margins: the whole matrix stands on the sheet.
    await opened(report, { viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(718);
  });

  test('filters by severity, rule and target; suppressed findings are shown when asked for', async () => {
    const events = await opened(fleetReport(9));
    expect(await shownFindings()).toBe(6);
    await page.locator('button[data-severity=critical]').click();
    expect(await shownFindings()).toBe(3);
    expect(await page.locator('#shown').textContent()).toBe('3 findings shown');
    await page.locator('button[data-severity=critical]').click();
    await page.locator('#suppressed').check();
    expect(await shownFindings()).toBe(9);
    await page.locator('#rule').selectOption('public-bind');
    expect(await shownFindings()).toBe(3);
    await page.locator('#target').fill('EN-0004');
    expect(await shownFindings()).toBe(1);
    expect(await page.locator('.target:visible').count()).toBe(1);
    expect(events).toEqual([]);
  });

  test('a thousand targets stay usable', async () => {
    const events = await opened(fleetReport(1000));
    expect(await page.locator('#overview tbody tr').count()).toBe(1000);
    expect(await page.locator('.target[open]').count()).toBe(0);
    await page.locator('#target').fill('en-0499');
    expect(await page.locator('.target:visible').count()).toBe(1);
    expect(await page.locator('#overview tbody tr:visible').count()).toBe(1);
    expect(await shownFindings()).toBe(2);
    expect(events).toEqual([]);
  });

  test('copies a fix', async () => {
    await opened(fullReport());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.copy').first().click();
    await page.locator('.copy', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('RPC_API="klay,eth,net,web3"');
  });

  test('shows the line as all edits together make it, and never pastes a masked secret', async () => {
    const at = { file: 'kend.conf', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const edits = [
      { ...at, column: 3, endColumn: 4, text: 'two' },
      { ...at, column: 1, endColumn: 2, text: 'one' },
    ];
    const over = (source: string) =>
      reportOf([
        targetOf((what) => what, 'en-1', {
          findings: [{ ...fullReport().targets[0]!.findings[0]!, at, source, edits }],
        }),
      ]);
    const copied = async (source: string) => {
      await opened(over(source));
      return await page.locator('.edit code').allTextContents();
    };
    expect(await copied('a b c')).toEqual(['one two c']);
    expect(await copied('a b ****')).toEqual([]);
  });

  test('fits a phone, follows the colour scheme, opens everything on paper', async () => {
    await opened(hostileReport(), { viewport: { width: 390, height: 844 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const modules = page.locator('.matrix tbody tr').first().locator('.c:visible');
    expect(await modules.count()).toBeGreaterThan(0);
    const background = async (looks: Looks): Promise<unknown> => {
      await opened(fullReport(), looks);
      return await page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background({})).not.toBe(await background({ colorScheme: 'dark' }));
    await opened(fleetReport(20));
    await page.emulateMedia({ media: 'print' });
    expect(await shownFindings()).toBe(12);
    expect(await page.locator('#filters').isVisible()).toBe(false);
  });

  test.each([
    ['one target with three findings', fullReport(), 1],
    ['30 targets', fleetReport(30), 10],
  ] as const)('prints %s', async (_name, report, pages) => {
    await opened(report);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const count = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(pages);
  });

  test.each([
    ['light', fullReport()],
    ['dark', fleetReport(14)],
  ] as const)('axe finds no barrier (%s)', async (colorScheme, report) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await opened(report, { colorScheme });
    await page.evaluate(axe);
    const result = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    expect(result.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  });
});

test('what a graver finding says stands in its card, closed', async () => {
  const report = fullReport();
  const target = report.targets.find(({ findings }) => findings.length > 2);
  const [lead, ...others] = target?.findings.filter(({ suppressed }) => suppressed === null) ?? [];
  if (target === undefined || lead === undefined) throw new Error('no findings');
  const said = others.map((one) => ({ ...one, saidBy: lead.fingerprint }));
  const changed = reportOf([{ ...target, findings: [lead, ...said] }]);
  const page = await collected(html(changed, { columns: 80, verbose: false, kinds }));
  const [, inside = ''] = /<details class="also">(.*?)<\/details>/.exec(page) ?? [];
  expect([...inside.matchAll(/data-rule="([^"]+)"/g)].map(([, rule]) => rule)).toEqual(
    others.map(({ rule }) => rule),
  );
});

test('a finding links to the page of its rule, and only to a web address', async () => {
  const shown = (page: string) => {
    const report = fullReport();
    const rules = report.rules.map((rule) => ({ ...rule, page }));
    return collected(html({ ...report, rules }, { columns: 80, verbose: true, kinds }));
  };
  expect(await shown('https://example.org/a?b&c')).toContain('<a href="https://example.org/a?b&amp;c">');
  const forged = await shown('javascript:x');
  expect(forged).not.toContain('javascript:x');
  expect(forged).toContain('<code>kaiactl node explain ');
});

test('of a large fleet the page shows the worst targets, and counts those that it leaves out', async () => {
  const { targets, ...rest } = fleetReport(1_020);
  const sick = targets.filter(({ verdict }) => verdict !== 'pass').length;
  const text = await collected(html({ ...rest, targets }, { columns: 80, verbose: true, kinds }));
  expect(text.match(/<details class="target card"/g)).toHaveLength(1_000);
  expect(text).toContain(
    'Shown: the worst 1000 of 1020 targets. Left out: 20 (20 pass); totals and causes count them.',
  );
  expect(text.match(/data-verdict="(?:fail|undetermined)"><summary>/g)).toHaveLength(sick);
  expect(text).toContain(' of 1020 targets fail');
  const few = { ...rest, targets: targets.slice(0, 1_000) };
  expect(await collected(html(few, { columns: 80, verbose: true, kinds }))).not.toContain('Left out');
});

test('nodes of a fleet that did not answer share one row and one closed card below the others', async () => {
  const { targets, ...rest } = fleetReport(40);
  const dead = targets.map((target, at) =>
    at < 30
      ? {
          ...target,
          interfaces: target.interfaces.map((one) => ({ ...one, state: 'refused' as const })),
          findings: [],
          verdict: 'undetermined' as const,
        }
      : target,
  );
  const text = await collected(html({ ...rest, targets: dead }, { columns: 80, verbose: true, kinds }));
  const [above = '', below = ''] = text.split('<details class="card" id="silent">');
  const [, counted] =
    /<a href="#silent">(\d\d) of 40 (?:nodes|targets)<\/a><small>did not answer/.exec(above) ?? [];
  const cards = (part: string) => part.match(/<details class="target card"/g)?.length;
  expect([cards(above), cards(below)]).toEqual([40 - Number(counted), Number(counted)]);
});

test('web pages are not told as addresses: in the headline, the matrix and its row', async () => {
  const [target] = fullReport().targets;
  const [http] = target?.interfaces ?? [];
  if (target === undefined || http === undefined) throw new Error('the report has an interface');
  const { reachBy: _, ...row } = http;
  const opened = { reach: 'loopback', browsers: 'any page', browsersBy: '--http.corsdomain' } as const;
  const report = { ...fullReport(), targets: [{ ...target, interfaces: [{ ...row, ...opened }] }] };
  const page = await collected(html(report, { columns: 80, verbose: false, kinds }));
  expect(page).toContain('Any web page reaches debug on http of en-1');
  expect(page).toContain('<small>any web page (--http.corsdomain)</small>');
  expect(page).toMatch(/data-module="debug" aria-label="any web page, critical"><b class="dot">◉</);
});

test('the page is the same for the same report and names no address to fetch from', async () => {
  const text = await collected(html(fullReport(), { columns: 80, verbose: true, kinds }));
  expect(await collected(html(fullReport(), { columns: 80, verbose: true, kinds }))).toBe(text);
  expect(text).not.toMatch(/(?:src|href)="(?!#)/);
});
