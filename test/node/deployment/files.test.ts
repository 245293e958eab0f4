/** The files of a deployment, as its readers see them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { excluding } from '../../../src/node/deployment/exclude.js';
import { DeploymentFiles } from '../../../src/node/deployment/files.js';
import { View } from '../../../src/node/deployment/view.js';
import { LineIndex } from '../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../src/node/sources/text/placed.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'root', 'a'), { recursive: true });
mkdirSync(join(folder, 'root', 'tree', 'etc', 'kend'), { recursive: true });
writeFileSync(join(folder, 'root', 'shared.env'), 'shared');
writeFileSync(join(folder, 'root', 'tree', 'etc', 'kend', 'kend.env'), 'tree');
writeFileSync(join(folder, 'outside.env'), 'outside');
symlinkSync('../shared.env', join(folder, 'root', 'a', 'link.env'));
symlinkSync('../../outside.env', join(folder, 'root', 'a', 'out.env'));

const files = (outside = false) => new View(new DeploymentFiles({ cwd: folder, root: 'root', outside }));
const from = (path: string) => new LineIndex(path, '');

test.each([
  ['../shared.env', 'root/a/compose.yml', 'shared'],
  ['link.env', 'root/a/compose.yml', 'shared'],
  ['/etc/kend/kend.env', 'root/tree/usr/lib/kend.service', 'tree'],
])('%s of %s is read anywhere in the folder', (path, by, text) => {
  expect(files().read(path, from(by), 'environment')).toMatchObject({ text });
});

test.each(['../../outside.env', 'out.env'])('%s is read only with --follow-outside', (path) => {
  const by = from('root/a/compose.yml');
  expect(files().read(path, by, 'environment')).toMatchObject({ problem: expect.stringMatching(/outside/) });
  expect(files(true).read(path, by, 'environment')).toMatchObject({ text: 'outside' });
});

test('what a launch uses and misses counts for its file too, and not for other launches', () => {
  const all = files();
  const [one, other] = [all.scope(), all.scope()];
  const missing = { name: 'data', decides: 'settings', reason: 'the volume data holds the conf' } as const;
  one.read('../shared.env', from('root/a/compose.yml'), 'environment');
  one.miss(missing);
  const used = { path: 'root/shared.env', role: 'environment' };
  expect(one.used).toMatchObject([used]);
  expect(other.used).toEqual([]);
  expect(all.used).toMatchObject([used]);
  expect([one.missing, other.missing, all.missing]).toEqual([[missing], [], [missing]]);
});

test('a file that a script writes is read in place of one on disk, with the places of the script', () => {
  const script = new LineIndex('root/a/start.sh', 'cat > ../shared.env <<E\nX=1\nE\n');
  const written = new Map([['../shared.env', Placed.at(script, 24, 28)]]);
  const all = files().after(
    { files: written, run: new Set(), when: null, by: { used: [], missing: [] } },
    script,
  );
  const read = all.read('shared.env', from('root/compose.yml'), 'environment');
  expect(read).toMatchObject({ text: 'X=1\n', file: 'root/a/start.sh' });
  if ('text' in read) expect(read.span({ start: 2, end: 3 })).toMatchObject({ line: 2, column: 3 });
});

test.each<[readonly string[], string, boolean, boolean]>([
  [['*.bak'], 'a/b/kend.conf.bak', false, true],
  [['examples/'], 'a/examples', true, true],
  [['examples/'], 'a/examples', false, false],
  [['/examples'], 'a/examples', true, false],
  [['/examples'], 'examples', true, true],
  [['a/*.yml'], 'a/x.yml', false, true],
  [['a/*.yml'], 'b/a/x.yml', false, false],
  [['a/**/x.yml'], 'a/b/c/x.yml', false, true],
  [['*.yml', '!keep.yml'], 'a/keep.yml', false, false],
  [['!keep.yml', '*.yml'], 'a/keep.yml', false, true],
  [['.env'], 'a/.env', false, true],
])('%j excludes %s as git would', async (patterns, path, isFolder, expected) => {
  const isExcluded = await excluding([{ folder: '/srv', patterns }]);
  expect(isExcluded(`/srv/${path}`, isFolder)).toBe(expected);
  expect(isExcluded(`/other/${path}`, isFolder)).toBe(false);
});
