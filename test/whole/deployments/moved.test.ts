/** Dangerous deployments with every file under an unknown name: no reader knows them, and none of them passes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/run.js';
import { shareOf } from '../../seed.js';

const root = new URL('../../../fixtures/deployments', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'kaiactl-moved-'));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Expected {
  readonly targets: Readonly<Record<string, { readonly findings: readonly string[] }>>;
}

const dangerous = readdirSync(root).filter((name) => {
  const { targets }: Expected = JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8'));
  return Object.values(targets).some(({ findings }) => findings.some((one) => one.endsWith(' critical')));
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : name === 'expected.json' ? [] : [path];
  });
}

test.each(shareOf(8, dangerous))('%s is reported in files of unknown names and formats', async (name) => {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const [index, path] of filesBelow(join(root, name)).entries())
    writeFileSync(join(folder, `part-${index}.xyz`), `@@ part ${index}\n${readFileSync(path, 'utf8')}`);
  const { code } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  expect([1, 3]).toContain(code);
});
