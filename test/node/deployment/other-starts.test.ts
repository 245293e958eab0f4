/** The generated starts of other clients are recognised, and known to be on loopback where they are. */
import { expect, test } from 'vitest';
import {
  describe as describeClient,
  otherOfImage,
  otherOfProgram,
  others,
} from '../../../src/node/kinds/others.js';
import { type OtherStart, otherStarts } from './other-starts.js';

function recognised({ image, words, isByImage }: OtherStart) {
  const [program = '', ...rest] = words;
  return isByImage ? otherOfImage(image, words) : otherOfProgram(program, rest);
}

test('each client has a start of each format', () => {
  const missing = others().flatMap(({ name }) =>
    ['compose.yaml', 'node.service', 'start.sh', 'manifest.yaml']
      .filter(
        (file) => !otherStarts.some((one) => one.client === name && one.file === file && !one.isLoopback),
      )
      .map((file) => `${name}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('at least half of the clients have a start on loopback', () => {
  const confined = new Set(otherStarts.filter(({ isLoopback }) => isLoopback).map(({ client }) => client));
  expect(confined.size).toBeGreaterThan(others.length / 2);
});

test('each start is recognised as its client', () => {
  const wrong = otherStarts
    .map((start) => ({ start, found: recognised(start)?.name ?? null }))
    .filter(({ start, found }) => found !== start.client)
    .map(({ start, found }) => `${start.client} (${start.words.join(' ')}): ${found}`);
  expect(wrong).toEqual([]);
});

test('each start that its words bind to loopback is recognised as loopback only', () => {
  const wrong = otherStarts
    .filter((start) => {
      const client = others().find(({ name }) => name === start.client);
      const open = client === undefined ? [] : describeClient(client, start.words);
      const isLoopback = open.length > 0 && open.every((one) => one.isLoopback);
      return isLoopback !== start.isLoopback;
    })
    .map(({ client, words, isLoopback }) => `${client} (${words.join(' ')}): not ${isLoopback}`);
  expect([...new Set(wrong)]).toEqual([]);
});
