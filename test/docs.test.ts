import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rules } from '../src/node/rules/index.js';
import { readTranscripts, replay, rewriteTranscripts, type Step, steady } from './transcript.js';

const root = new URL('..', import.meta.url).pathname;
const markdown = (folder: string) =>
  readdirSync(root + folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const pages = ['README.md', ...markdown('fixtures/cli'), ...markdown('docs')].filter((page) =>
  /^```console$/m.test(readFileSync(root + page, 'utf8')),
);
// UPDATE=1 writes what is true now; read the diff before you commit it.
const update = process.env.UPDATE === '1';

const table = /<!-- rules -->\n[\s\S]*?<!-- \/rules -->/;

function ruleTable(): string {
  const rows = rules.map(({ id, severity, title }) => `| \`${id}\` | ${severity} | ${title} |`);
  return ['<!-- rules -->', '| rule | at most | |', '|---|---|---|', ...rows, '<!-- /rules -->'].join('\n');
}

test('the README’s table of rules is the rules', () => {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  if (update) writeFileSync(`${root}README.md`, readme.replace(table, ruleTable));
  else expect(table.exec(readme)?.[0]).toBe(ruleTable());
});

describe.each(pages)('%s', (page) => {
  if (update) writeFileSync(root + page, rewriteTranscripts(readFileSync(root + page, 'utf8')));
  const blocks = readTranscripts(readFileSync(root + page, 'utf8'));

  test('has transcripts', () => expect(blocks.length).toBeGreaterThan(0));

  test.each(blocks.map((steps) => [steps[0]?.command ?? '', steps] as const))('$ %s', (_title, steps) => {
    const same = (all: readonly Step[]) =>
      all.map(({ command, output }) => ({ command, output: steady(output) }));
    expect(same(replay(steps))).toEqual(same(steps));
  });
});
