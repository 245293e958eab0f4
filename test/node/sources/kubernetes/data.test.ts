/** What a ConfigMap and a Secret hold: `stringData` counts over `data`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { loadNodes } from '../../load.js';

const folder = mkdtempSync(join(tmpdir(), 'kaiactl-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['Secret', `data: { API: ${base64('admin')} }`, 'secretRef', 'admin'],
  ['Secret', 'stringData: { API: admin }', 'secretRef', 'admin'],
  ['Secret', `stringData: { API: admin }\ndata: { API: ${base64('eth')} }`, 'secretRef', 'admin'],
  ['ConfigMap', 'data: { API: admin }', 'configMapRef', 'admin'],
])('%s with %s', async (kind, data, ref, expected) => {
  const pod = [
    'kind: Pod\nmetadata: { name: en }\nspec:\n  containers:\n  - name: en\n    image: kaiachain/kaia:v2.2.1',
    '    command: [ken, --rpc, --rpcapi, $(API)]',
    `    envFrom: [{ ${ref}: { name: x } }]`,
  ].join('\n');
  const path = join(folder, 'x.yaml');
  writeFileSync(path, `kind: ${kind}\nmetadata: { name: x }\n${data}\n---\n${pod}\n`);
  const { nodes } = await loadNodes(path, {}, { cwd: '/', stdin: Readable.from([]), signal });
  expect(nodes.map(({ conf }) => conf.settings.values.rpcapi?.value)).toEqual([expected]);
});
