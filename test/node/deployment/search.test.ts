/** Which files of a folder are read as starts. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findConfs } from '../../../src/node/deployment/collect.js';
import { kinds } from '../../../src/node/kinds/index.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a workload that names no node is read where an object of a node configures it', async () => {
  cpSync(new URL('../../../fixtures/deployments/k8s-config-only', import.meta.url).pathname, folder, {
    recursive: true,
  });
  const web = 'kind: Pod\nspec:\n  containers: [{ envFrom: [{ configMapRef: { name: other } }] }]\n';
  writeFileSync(join(folder, 'web.yaml'), `apiVersion: v1\n${web}`);
  const { paths, ignored } = await findConfs(kinds, ['.'], folder);
  expect(paths).toEqual(['config.yaml', 'workloads.yaml']);
  expect(ignored).toContain('web.yaml');
});

test('a file that runs a starting script is read, and one that runs that file, in the order of names', async () => {
  const own = join(folder, 'calls');
  mkdirSync(own);
  writeFileSync(join(own, 'start.sh'), '#!/bin/sh\nken --rpc\n');
  for (const name of ['a', 'b', 'z'])
    writeFileSync(join(own, `${name}.service`), '[Service]\nExecStart=/x/start.sh\n');
  writeFileSync(join(own, 'other.service'), '[Service]\nExecStart=/x/restart.sh\n');
  writeFileSync(join(own, 'up'), '#!/bin/sh\n./start.sh\n');
  writeFileSync(join(own, 'Makefile'), 'all:\n\t./up\n');
  writeFileSync(join(own, 'words.sh'), '#!/bin/sh\necho up\n');
  const { paths, ignored } = await findConfs(kinds, ['.'], own);
  expect(paths).toEqual(['Makefile', 'a.service', 'b.service', 'start.sh', 'up', 'z.service']);
  expect(ignored).toEqual(['other.service', 'words.sh']);
});

test('names of files and images are literal texts, whatever characters they have', async () => {
  const own = join(folder, 'literal');
  mkdirSync(own);
  const files = {
    'start(1).sh': '#!/bin/sh\nken --rpc\n',
    'a.service': "[Service]\nExecStart=/bin/sh '/x/start(1).sh'\n",
    'b.service': '[Service]\nExecStart=/x/start1.sh\n',
    'compose(old.yml': 'services: { n: { image: kaiachain/kaia:v2.1.0 } }\n',
    'build.sh': '#!/bin/sh\ndocker build -t own/en.node .\n',
    'c.service': '[Service]\nExecStart=docker run own/en.node\n',
    'd.service': '[Service]\nExecStart=docker run own/enxnode\n',
    'edit.sh': "#!/bin/sh\nsed -i s/a/b/ 'compose(old.yml'\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  const { paths } = await findConfs(kinds, ['.'], own);
  expect(paths).toEqual(['a.service', 'build.sh', 'c.service', 'compose(old.yml', 'edit.sh', 'start(1).sh']);
});

test('an outside folder that two links name is read once', async () => {
  const [inside, outside] = [join(folder, 'links'), join(folder, 'elsewhere')];
  mkdirSync(inside);
  mkdirSync(outside);
  writeFileSync(join(outside, 'kend.conf'), 'RPC_ENABLE=1\n');
  for (const name of ['a', 'b']) symlinkSync(outside, join(inside, name));
  expect((await findConfs(kinds, ['.'], inside, { outside: true })).paths).toEqual(['a/kend.conf']);
});

test('the notes of a chart start nothing', async () => {
  const own = join(folder, 'chart');
  mkdirSync(join(own, 'templates'), { recursive: true });
  writeFileSync(join(own, 'templates', 'NOTES.txt'), 'Try:\n\nken attach http://localhost:8551\nken --rpc\n');
  expect((await findConfs(kinds, ['.'], own)).paths).toEqual([]);
});
