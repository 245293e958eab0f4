/** The static site of docs/: every link leads somewhere, nothing is fetched, markup in Markdown is text. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { rules } from '../../../src/node/rules/index.js';
import { installed, quietChromium } from '../../node/report/tools.js';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kaiactl-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Name → text of each page. */
function site(name: string, source = root): Map<string, string> {
  const to = join(folder, name);
  execFileSync(process.execPath, [join(root, 'tools/docs-site.js'), to, source], { stdio: 'pipe' });
  const names = readdirSync(to).filter((file) => file.endsWith('.html'));
  return new Map(names.map((file) => [file, readFileSync(join(to, file), 'utf8')]));
}

test('every link and image of the site leads to a file of it, and every anchor exists', () => {
  const pages = site('real');
  const wrong: string[] = [];
  for (const [name, html] of pages) {
    for (const [, href = ''] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      if (href.startsWith('https://')) continue;
      const [file = '', anchor] = href.split('#');
      const target = file === '' ? name : file;
      const exists = existsSync(join(folder, 'real', target));
      if (!exists || (anchor !== undefined && !pages.get(target)?.includes(` id="${anchor}"`)))
        wrong.push(`${name}: ${href}`);
    }
  }
  expect(wrong).toEqual([]);
  const sources = ['README.md', ...readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'))];
  expect(pages.size).toBeGreaterThanOrEqual(sources.length);
  for (const { id } of rules) expect(pages.get(`${id}.html`)).toContain(`<h1 id="${id}">`);
  for (const [name, html] of pages) {
    expect(html).toContain('<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;');
    expect(html).not.toMatch(
      name === 'search.html' ? /<link|<iframe|src="http/ : /<script|<link|<iframe|src="http/,
    );
    expect(html).toContain('<form action="search.html" role="search">');
  }
});

test('markup and code in Markdown stay text', () => {
  const source = join(folder, 'hostile');
  mkdirSync(join(source, 'docs'), { recursive: true });
  const hostile = [
    '# <script>a</script> `"><img src=x onerror=b>`',
    '<img src=x onerror=c>',
    '[d](javascript:d) ![e](https://example.org/e.png "><script>") <javascript:f> [g](../../g.md) [h](/h)',
    '| <b onclick=i> |',
    '|---|',
    '| [j](" onclick=j) |',
    '```"><script>k</script>',
    '</code></pre><script>k</script>',
    '```',
  ];
  writeFileSync(join(source, 'README.md'), hostile.join('\n\n').replaceAll('|\n\n|', '|\n|'));
  const html = site('out', source).get('index.html') ?? '';
  const tags = [...html.matchAll(/<\/?[a-z][^>]*>/gi)].map(([tag]) => tag);
  expect(tags.filter((tag) => /^<(?:script|img|b)\b|\son\w+=|javascript:/i.test(tag))).toEqual([]);
  expect(tags.filter((tag) => tag.startsWith('<a '))).toEqual([
    '<a class="skip" href="#content">',
    '<a href="index.html" aria-current="page">',
  ]);
});

test.skipIf(!installed('chromium', 'the search of the site'))(
  'the search finds sections, and text stays text',
  async () => {
    const source = join(folder, 'searched');
    mkdirSync(join(source, 'docs'), { recursive: true });
    writeFileSync(
      join(source, 'README.md'),
      '# One\n\nhere: `</script><img src=x onerror=a>`\n\n## Deep end\n\nwater & <b>salt</b>\n',
    );
    site('search', source);
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: quietChromium });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const found = async (words: string) => {
      await page.goto(`file://${join(folder, 'search/search.html')}?q=${encodeURIComponent(words)}`);
      return (await page.content()).replace(/<script>[\s\S]*<\/script>/, '');
    };
    expect(await found('SALT water')).toContain(
      '<a href="index.html#deep-end">One: Deep end</a><p>water &amp; &lt;b&gt;salt&lt;/b&gt;</p>',
    );
    const hostile = await found('<img');
    expect(hostile).toContain('<a href="index.html#one">One</a>');
    expect(hostile).not.toContain('<img');
    expect(await found('salt here')).toContain('Nothing found.');
  },
);
