/**
 * Pages of readings: under each heading files as blocks named by their file, the first of which is read, and as the last
 * block the reading. A page without files is about the file its heading names.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Loaded, LoadOptions } from '../../../src/node/deployment/load-options.js';
import { loadNodes } from '../load.js';
import { told } from './told.js';

const root = new URL('../../..', import.meta.url).pathname;

/** The fixtures of sources, as paths from the root of the project. */
export const fixtures: readonly string[] = readdirSync(join(root, 'fixtures'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && /\/(?:ok|err)$/.test(entry.parentPath))
  .map(({ parentPath, name }) => join(parentPath, name).slice(root.length));

/** A reading as a text, and what was given with it. */
type Tell<Given> = (loaded: Loaded, given: Given) => string;

/**
 * Tests the pages of a folder: `import.meta.dirname` of the test file. UPDATE=1 (`npm run docs`) writes the readings as
 * they are now; look at the difference before you commit it.
 */
export async function testReadings<Given>(folder: string, tell: Tell<Given> = told): Promise<void> {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
    const path = join(folder, name);
    const text = () => readFileSync(path, 'utf8');
    if (process.env.UPDATE === '1') writeFileSync(path, await rewritten(pageOf(name) ?? text(), tell));
    describe(name, () => {
      test.each(readingsOf<Given>(text()).map((one) => [one.title, one] as const))(
        '%s',
        async (_, reading) => {
          expect(await toldOf(reading, tell)).toBe(reading.expected);
        },
      );
    });
  }
}

/** The page of a source’s fixtures lists their names; null: another page. */
function pageOf(name: string): string | null {
  const source = /^fixtures-(.+)\.md$/.exec(name)?.[1];
  const own = fixtures.filter((path) => path.startsWith(`fixtures/${source}/`)).sort();
  return source === undefined
    ? null
    : [`# The fixtures of ${source}\n`, ...own.map((path) => `## ${path}\n`)].join('\n');
}

interface Reading<Given> {
  readonly title: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Given behind the word `with` as JSON. */
  readonly options: LoadOptions & Given;
  readonly expected: string;
}

const block = /^```(\S+) ?(.*)\n([\s\S]*?)^```$/gm;

export function readingsOf<Given>(page: string): Reading<Given>[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = ''] = section.split('\n', 1);
      const blocks = [...section.matchAll(block)].map(([, language, name = '', text = '']) => ({
        language,
        name,
        text,
      }));
      return {
        title,
        files: blocks
          .filter(({ language }) => language !== 'reading')
          .map(({ name, text }) => fileOf(name, text)),
        options: JSON.parse(/^with (\{.*\})$/m.exec(section)?.[1] ?? '{}'),
        expected: blocks.find(({ language }) => language === 'reading')?.text ?? '',
      };
    });
}

/** `name crlf`, `name bom`: what a page cannot hold itself; `name cut`: no line end at the end. */
function fileOf(words: string, text: string): Reading<unknown>['files'][number] {
  const [name = '', ...marks] = words.split(' ');
  const cut = marks.includes('cut') ? text.slice(0, -1) : text;
  const ended = marks.includes('crlf') ? cut.replaceAll('\n', '\r\n') : cut;
  return { name, text: marks.includes('bom') ? `\uFEFF${ended}` : ended };
}

/** The page with each reading as it is now. */
async function rewritten<Given>(page: string, tell: Tell<Given>): Promise<string> {
  const sections = page.split(/^(?=## )/m);
  const readings = readingsOf<Given>(page);
  const done = [sections[0] ?? ''];
  for (const [at, section] of sections.slice(1).entries()) {
    const now = `\`\`\`reading\n${await toldOf(readings[at] as Reading<Given>, tell)}\`\`\`\n`;
    const before = section.replace(/^```reading\n[\s\S]*?^```\n/m, '').trimEnd();
    done.push(`${before}\n\n${now}\n`);
  }
  return `${done.join('').trimEnd()}\n`;
}

async function toldOf<Given>(reading: Reading<Given>, tell: Tell<Given>): Promise<string> {
  return await read(reading).then(
    (loaded) => tell(loaded, reading.options),
    (error: Error) => `refused: ${error.message}\n`,
  );
}

/** A file alone comes on stdin, several lie in a folder. */
async function read({ title, files, options }: Reading<unknown>): Promise<Loaded> {
  const [first, ...others] = files;
  if (first === undefined) return await load(basename(title), options, '', join(root, dirname(title)));
  if (others.length === 0) return await load('-', { ...options, stdinFilename: first.name }, first.text, '/');
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-reading-'));
  try {
    for (const { name, text } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await load(first.name, options, '', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function load(path: string, options: LoadOptions, stdin: string, cwd: string): Promise<Loaded> {
  const host = { cwd, stdin: Readable.from([Buffer.from(stdin)]), signal: new AbortController().signal };
  return await loadNodes(path, options, host);
}
