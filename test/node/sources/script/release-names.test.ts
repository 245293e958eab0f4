/** Words of scripts that may name a release. */
import { expect, test } from 'vitest';
import { releaseNames } from '../../../../src/node/sources/script/release-names.js';

const none = new Map<string, string>();
const clone = 'git clone https://github.com/ethereum/go-ethereum';

test.each<[string, readonly string[]]>([
  ['tar xzf geth-1.9.25.tgz && cp a b', ['geth-1.9.25.tgz']],
  ['V=1.9.25\ncurl -LO geth-$V.tgz', ['V=1.9.25', 'geth-1.9.25.tgz']],
  ['export V="1.9.25"; curl geth-${V}.tgz', ['1.9.25', 'geth-1.9.25.tgz']],
  ['curl geth-${V:-1.9.25}.tgz', ['geth-1.9.25.tgz']],
  // Two values: the variable is not known.
  ['V=1.9.25\nV=1.9.24\ncurl geth-$V.tgz', ['V=1.9.25', 'V=1.9.24']],
  [`${clone} -b v1.10.8`, ['v1.10.8', 'github.com/ethereum/go-ethereum@v1.10.8']],
  [
    `${clone}.git --branch=v1.8.27 --depth 1`,
    ['--branch=v1.8.27', 'github.com/ethereum/go-ethereum@v1.8.27'],
  ],
  [`${clone} && git checkout tags/v1.8.27`, ['tags/v1.8.27', 'github.com/ethereum/go-ethereum@v1.8.27']],
  [
    `${clone} -b v1.9.0; git checkout v1.8.27`,
    ['v1.9.0;', 'v1.8.27', 'github.com/ethereum/go-ethereum@v1.8.27'],
  ],
  ['git checkout v1.8.27', ['v1.8.27']],
  ['echo hello', []],
])('%s', (text, names) => {
  expect(releaseNames([text], none)).toEqual(names);
});

test('a variable of the environment counts where the text does not set it', () => {
  expect(releaseNames(['curl geth-$V.tgz'], new Map([['V', '1.9.25']]))).toEqual(['geth-1.9.25.tgz']);
});
