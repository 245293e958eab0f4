/**
 * Renders README.md, docs/ and the pages they link to as a static site without network; of its pages only search.html has a script:
 * node tools/docs-site.js [folder, default site] [source, default this repository]. Other linked files are copied as text.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { Marked } from 'marked';
import { searchScript, sectionsOf } from './docs-site-search.js';
import { style } from './docs-site-style.js';

const [folder = 'site', source = resolve(import.meta.dirname, '..')] = process.argv.slice(2);
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const csp = `default-src 'none'; img-src 'self' file:; style-src ${hash(style)}`;
const read = (path) => readFileSync(join(source, path), 'utf8');

const paths = [
  'README.md',
  ...readdirSync(join(source, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** Linked files that are no pages: their copies are in files/. */
const copies = new Set();
const parsed = new Map();
// Pages that are linked are pages too: the list grows while it is read.
for (const path of paths) parsed.set(path, parse(path));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const form =
  '<form action="search.html" role="search"><input name="q" type="search" placeholder="Search" aria-label="Search"></form>';
const groups = navigation();
for (const [path, page] of parsed) writeFileSync(join(folder, addressOf(path)), html(path, page));
const search = searchScript(
  [...parsed].flatMap(([path, { title, body }]) => sectionsOf(addressOf(path), title, body)),
);
const found =
  '<h1>Search</h1><noscript><p>The search needs JavaScript.</p></noscript><p id="count" role="status"></p><ol id="found"></ol>';
writeFileSync(
  join(folder, 'search.html'),
  html('search.html', { title: 'Search', body: form + found, script: search }),
);
for (const path of copies) {
  const to = join(folder, copyOf(path));
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(source, path), to);
}
process.stderr.write(`${parsed.size} pages in ${folder}/index.html\n`);

function addressOf(path) {
  return path === 'README.md' ? 'index.html' : posix.basename(path).replace(/\.md$/, '.html');
}

/** As text, which a browser shows; images keep their names. */
function copyOf(path) {
  return `files/${path}${/\.(?:png|svg)$/.test(path) ? '' : '.txt'}`;
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** The anchor that GitHub gives a heading. */
function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The address of a link in the site; null if it leads outside the repository or runs code. */
function target(from, href) {
  if (/^https?:\/\//.test(href)) return href;
  if (/^(?:[a-z][\w+.-]*:|\/)/i.test(href)) return null;
  const [file = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (file === '') return hash;
  const path = posix.join(posix.dirname(from), file);
  if (path.startsWith('../')) return null;
  if (path.endsWith('.md')) {
    if (!paths.includes(path)) paths.push(path);
    return addressOf(path) + hash;
  }
  copies.add(path);
  return copyOf(path) + hash;
}

/** Title and body of a page. Markup in Markdown is text, except comments, which are left out. */
function parse(path) {
  let title = path;
  const renderer = {
    html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
    heading({ tokens, depth, text }) {
      if (depth === 1) title = text.replaceAll('`', '');
      const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
      return `<h${depth} id="${escaped(slug(plain))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const to = target(path, href);
      const text = this.parser.parseInline(tokens);
      return to === null ? text : `<a href="${escaped(to)}">${text}</a>`;
    },
    image({ href, text }) {
      const to = target(path, href);
      return to === null || to.startsWith('http')
        ? escaped(text)
        : `<img src="${escaped(to)}" alt="${escaped(text)}">`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`,
  };
  const marked = new Marked({ renderer });
  const body = marked
    .parse(read(path))
    .replace(
      /<table>[\s\S]*?<\/table>/g,
      (table) => `<div class="scroll" tabindex="0" role="region" aria-label="Table">${table}</div>`,
    );
  return { title, body };
}

/** The table of the README that leads readers to pages; pages that it does not name come last. */
function navigation() {
  const rows = [...read('README.md').matchAll(/^\| ([a-z][^|]*) \| (.*\]\(.*) \|$/gm)];
  const named = rows.map(([, goal, links]) => ({
    goal,
    pages: [...links.matchAll(/\]\(([^)#]*)/g)].map(([, path]) => path).filter((path) => parsed.has(path)),
  }));
  const seen = new Set(['README.md', ...named.flatMap(({ pages }) => pages)]);
  return [...named, { goal: 'more', pages: [...parsed.keys()].filter((path) => !seen.has(path)).sort() }];
}

function html(path, { title, body, script = null }) {
  const link = (to) =>
    `<li><a href="${addressOf(to)}"${to === path ? ' aria-current="page"' : ''}>${escaped(parsed.get(to).title)}</a></li>`;
  const lists = groups.map(
    ({ goal, pages }) => `<h2>${escaped(goal)}</h2><ul>${pages.map(link).join('')}</ul>`,
  );
  return `<!doctype html>
<html lang="${path.includes('.ko.') ? 'ko' : 'en'}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escaped(script === null ? csp : `${csp}; script-src ${hash(script)}`)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escaped(path === 'README.md' ? title : `${title} · kaiactl`)}</title><style>${style}</style></head>
<body><a class="skip" href="#content">To the content</a>
<details class="menu"><summary>Pages</summary>${form}${lists.join('')}</details>
<nav aria-label="Pages">${form}<ul>${link('README.md')}</ul>${lists.join('')}</nav>
<main id="content">${body}</main>${script === null ? '' : `<script>${script}</script>`}</body></html>
`;
}
