/** Which release of geth a version, an image, an answer or a build tells. */
import { expect, test } from 'vitest';
import type { ReleaseRange } from '../../../../src/node/facts/release.js';
import { geth } from '../../../../src/node/kinds/geth/index.js';

const { evidence } = geth;
const program = 'github.com/ethereum/go-ethereum/cmd/geth';
const read: Readonly<Record<string, (text: string) => ReleaseRange | null>> = {
  version: evidence.ofVersion,
  image: evidence.ofImage,
  answer: evidence.ofClient,
  build: (tag) => evidence.ofBuild({ path: program, module: null, version: null, tag }),
  'build of a fork': (tag) => evidence.ofBuild({ path: 'example.com/x', module: null, version: null, tag }),
};

test.each([
  ['version', 'v1.17.0', 'geth/v1.17.0', 'geth/v1.17.0', 'geth/v1.17.0'],
  ['version', '1.9.0', 'geth/v1.9.0', 'geth/v1.9.0', 'geth/v1.9.0'],
  ['version', 'v0.1.0', 'geth/v0.1.0', 'geth/v1.5.0', 'geth/v1.5.0'],
  ['version', 'v1.9', null, 'geth/v1.9.0', 'geth/v1.9.25'],
  ['image', 'ethereum/client-go:v1.9.0', 'geth/v1.9.0', 'geth/v1.9.0', 'geth/v1.9.0'],
  ['image', 'ethereum/client-go:alltools-release-1.9', null, 'geth/v1.9.0', 'geth/v1.9.25'],
  ['answer', 'Geth/v1.17.8-stable/linux-amd64/go1.25', 'geth/v1.17.8', 'geth/v1.17.8', 'geth/v1.17.8'],
  ['build', 'v1.17.8', 'geth/v1.17.8', 'geth/v1.17.8', 'geth/v1.17.8'],
])('the %s %s tells %s, from %s to %s', (by, text, value, since, until) => {
  expect(read[by]?.(text)).toEqual({ value, since, until });
});

test.each([
  ['version', 'v9.9'],
  ['version', 'latest'],
  ['image', 'ethereum/client-go:stable'],
  ['image', 'example/other:v1.9.0'],
  ['answer', 'Geth/v1.7.8/linux-amd64/go1.25'],
  ['answer', 'Other/v1.17.8/linux-amd64/go1.25'],
  ['build', 'v1.7.8'],
  ['build of a fork', 'v1.17.8'],
])('the %s %s tells no release', (by, text) => {
  expect(read[by]?.(text)).toBeNull();
});
