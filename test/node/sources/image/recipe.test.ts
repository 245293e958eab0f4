/** The files that a Dockerfile copies into an image. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { loadNodes } from '../../load.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-recipe-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

test.each([
  ['/srv', 'COPY settings/ ./conf/'],
  ['"/srv"', 'COPY settings/ ./conf/'],
  ["'/srv'", 'COPY settings conf'],
  ['/srv', 'COPY settings/. conf'],
  ['/srv/conf', 'COPY settings/* .'],
  ['/srv/conf', 'COPY settings /srv/conf/'],
])('a file of a copied folder is read with WORKDIR %s and %s', async (workdir, copy) => {
  mkdirSync(join(folder, 'settings'), { recursive: true });
  writeFileSync(join(folder, 'settings/a.toml'), '[Node]\nHTTPHost = "0.0.0.0"\n');
  const lines = ['FROM ethereum/client-go:v1.14.0', `WORKDIR ${workdir}`, copy];
  const path = join(folder, 'Dockerfile');
  writeFileSync(path, [...lines, 'ENTRYPOINT ["geth", "--config", "/srv/conf/a.toml"]\n'].join('\n'));
  const { nodes } = await loadNodes(path, {}, { cwd: '/', stdin: Readable.from([]), signal });
  expect(nodes.map(({ conf }) => conf.settings.values['http.addr']?.value)).toEqual(['0.0.0.0']);
});

const tools = 'FROM example.com/tools AS tools\n';

test.each([
  ['a program', 'COPY --from=tools /usr/bin/jq /opt/', ['--http']],
  ['a file with an extension', 'COPY --from=tools /data/list.txt /opt/', ['--http']],
  ['a folder, which may hold the file', 'COPY --from=tools /data/list /opt/', []],
  ['the file itself', 'COPY --from=tools /usr/bin/start.sh /opt/', []],
])('a script stays readable beside %s of another image', async (_, copy, expected) => {
  writeFileSync(join(folder, 'start.sh'), '#!/bin/sh\nexec geth --http\n');
  const lines = [`${tools}FROM ethereum/client-go:v1.14.0`, 'COPY start.sh /opt/', copy];
  const path = join(folder, 'Dockerfile');
  writeFileSync(path, [...lines, 'ENTRYPOINT ["/opt/start.sh"]\n'].join('\n'));
  const { nodes } = await loadNodes(path, {}, { cwd: '/', stdin: Readable.from([]), signal });
  const words = nodes.flatMap(({ conf }) => (conf.settings.start ?? []).map(({ text }) => text));
  expect(words.filter((one) => one?.startsWith('--') === true)).toEqual(expected);
});
