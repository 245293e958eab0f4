/** Generated pages are up to date, and commands in pages print what the pages show. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { pages as made } from '../pages.js';
import { readTranscripts, replay, rewriteTranscripts, type Step, steady } from '../transcript.js';

const root = new URL('../..', import.meta.url).pathname;
const markdown = (folder: string) =>
  readdirSync(root + folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const top = ['README.md', 'README.ko.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const all = [
  ...top,
  ...markdown('docs'),
  ...markdown('docs/internals'),
  ...markdown('docs/rules'),
  ...markdown('fixtures/cli'),
];
const pages = all.filter((page) => /^```console$/m.test(readFileSync(root + page, 'utf8')));
// UPDATE=1 writes what is true now; read the diff before you commit it.
const update = process.env.UPDATE === '1';

test.each(Object.entries(made))('%s is what the program says', async (path, make) => {
  const text = await make();
  if (update) writeFileSync(root + path, text);
  else expect(readFileSync(root + path, 'utf8')).toBe(text);
});

test.each([
  ['README.md', 130],
  ['CONTRIBUTING.md', 60],
  ['CHANGELOG.md', 120],
])('%s has at most %d lines', (name, max) => {
  expect(readFileSync(root + name, 'utf8').split('\n').length).toBeLessThanOrEqual(max + 1);
});

test('every link of a page leads somewhere', () => {
  const wrong = all.flatMap((page) => {
    const links = [...readFileSync(root + page, 'utf8').matchAll(/\]\((?!https?:)([^)\s]*)\)/g)];
    return links
      .map(([, link = '']) => link.split('#') as [string, string?])
      .filter(([path, anchor]) => {
        const target = path === '' ? root + page : join(root, dirname(page), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !headings(readFileSync(target, 'utf8')).includes(anchor);
      })
      .map(([path, anchor]) => `${page}: ${path}${anchor === undefined ? '' : `#${anchor}`}`);
  });
  expect(wrong).toEqual([]);
});

/** The anchors GitHub makes of headings. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A page that writes the demo runs in an empty folder, as after an install; others in the repository. */
function folderFor(text: string): string {
  if (!/^\$ kaiactl node demo /m.test(text)) return root;
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-guide-'));
  folders.push(folder);
  return folder;
}

describe.each(pages)('%s', async (page) => {
  const before = readFileSync(root + page, 'utf8');
  if (update) writeFileSync(root + page, await rewriteTranscripts(before, folderFor(before)));
  const cwd = folderFor(before);
  const blocks = readTranscripts(readFileSync(root + page, 'utf8'));

  test('has transcripts', () => expect(blocks.length).toBeGreaterThan(0));

  const titled = blocks.map((steps) => [steps[0]?.command ?? '', steps] as const);
  test.each(titled)('$ %s', async (_title, steps) => {
    const same = (all: readonly Step[]) =>
      all.map(({ command, output }) => ({ command, output: steady(output) }));
    expect(same(await replay(steps, cwd))).toEqual(same(steps));
  });
});
