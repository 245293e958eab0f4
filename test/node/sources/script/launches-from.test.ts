import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { loadNodes } from '../../../../src/node/deployment/load.js';
import { kinds } from '../../../../src/node/kinds/index.js';

/** Starts many nodes, whose release a package in the script tells. */
const script = [
  'tar xf geth-linux-amd64-1.13.14-2bd6bd01.tar.gz',
  ...Array.from({ length: 50 }, (_, at) => `geth --http --http.port ${at + 8000} # node ${at}`),
].join('\n');

async function load(counting: (path: string) => void) {
  const host = { cwd: '/', stdin: Readable.from([script]), signal: new AbortController().signal };
  const counted = kinds.map((kind) => ({
    ...kind,
    evidence: {
      ...kind.evidence,
      ofPackage(path: string) {
        counting(path);
        return kind.evidence.ofPackage(path);
      },
    },
  }));
  return (await loadNodes('-', { stdinFilename: 'start.sh', kinds: counted }, host)).nodes;
}

test('the nodes of a script share what is found in its text', async () => {
  let looks = 0;
  const nodes = await load((path) => (looks += path === '#' ? 1 : 0));
  expect(nodes).toHaveLength(50);
  expect(looks).toBeLessThanOrEqual(50 * kinds.length);
  expect(new Set(nodes.map(({ conf }) => conf.settings.release?.value))).toEqual(new Set(['geth/v1.13.14']));
  for (const part of ['lines', 'comments'] as const)
    expect(new Set(nodes.map(({ conf }) => conf.settings.source[part]))).toHaveProperty('size', 1);
});
