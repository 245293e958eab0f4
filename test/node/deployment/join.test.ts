import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { findConfs } from '../../../src/node/deployment/collect.js';
import { Deployment } from '../../../src/node/deployment/join.js';
import { kinds } from '../../../src/node/kinds/index.js';

test('a start of a named file is loaded once, and again when a file is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-join-'));
  const textOf = (api: string) =>
    `services:\n  n:\n    image: ethereum/client-go:v1.13.14\n    command: --http --http.api ${api}\n`;
  try {
    writeFileSync(join(folder, 'compose.yaml'), textOf('eth'));
    const host = { cwd: folder, stdin: Readable.from([]), signal: new AbortController().signal };
    const found = await findConfs(kinds, ['.'], folder);
    const deployment = await Deployment.of('.', found, { kinds }, host);
    const apiOf = async () => {
      const { nodes } = await deployment.load('compose.yaml');
      return nodes[0]?.conf.settings.values['http.api']?.value;
    };
    expect(await deployment.startsWith('compose.yaml')).toEqual(['compose.yaml']);
    expect(await deployment.load('compose.yaml')).toBe(await deployment.load('compose.yaml'));
    expect(await apiOf()).toBe('eth');
    deployment.replace('compose.yaml', textOf('net'));
    expect(await apiOf()).toBe('net');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
