/** The folder that is linted for a file in an editor. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scopeOf } from '../../../src/node/commands/lsp-look.js';

const root = mkdtempSync(join(tmpdir(), 'kaiactl-scope-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const [confs, many] = [join(root, 'deploy/confs'), join(root, 'deploy/many')];
for (const folder of [confs, many, join(root, 'node_modules/x'), join(root, '.git/x')])
  mkdirSync(folder, { recursive: true });
for (const name of ['kend.conf', 'other']) writeFileSync(join(confs, name), '');
for (let at = 0; at < 9; at += 1) writeFileSync(join(many, `${at}.conf`), '');
const file = join(confs, 'kend.conf');

test.each([
  ['the folder that the editor has open', file, [root], 50, { folder: root, path: '.' }],
  ['the innermost of several', file, [root, confs], 50, { folder: confs, path: '.' }],
  ['the folder of the file without one', file, [join(root, 'dep')], 50, { folder: confs, path: '.' }],
  ['the largest folder within the limit', file, [root], 12, { folder: confs, path: '.' }],
  ['the file alone in a large folder', join(many, '1.conf'), [root], 8, { folder: many, path: '1.conf' }],
  ['a file that was never saved', join(confs, 'new.conf'), [root], 50, { folder: confs, path: 'new.conf' }],
])('%s is linted', async (_what, path, opened, limit, expected) => {
  expect(await scopeOf(path, opened, limit)).toEqual(expected);
});
