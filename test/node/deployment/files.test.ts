/** The files of a deployment, as its readers see them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DeploymentFiles } from '../../../src/node/deployment/files.js';
import { View } from '../../../src/node/deployment/view.js';
import { LineIndex } from '../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../src/node/sources/text/placed.js';
import { maxSteps } from '../../../src/node/sources/text/steps.js';

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
])('a file that %s of %s names is read anywhere in the folder', (path, by, text) => {
  expect(files().read(path, from(by), 'environment')).toMatchObject({ text });
});

test.each(['../../outside.env', 'out.env'])('the file %s is read only with --follow-outside', (path) => {
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

test('the files of a folder share their steps, and a file that is read again has as many as before', () => {
  const shared = new DeploymentFiles({ cwd: '/', root: '/', outside: false });
  expect(shared.limitOf('a.sh')).toBe(maxSteps);
  for (let file = 0; file < 30; file += 1) shared.spend(maxSteps);
  expect([shared.limitOf('a.sh'), shared.limitOf('b.sh')]).toEqual([maxSteps, 0]);
});
