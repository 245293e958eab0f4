import { expect, test } from 'vitest';
import { type JsonPiece, splitJson } from '../../src/util/split-json.js';

async function split(...chunks: string[]): Promise<(readonly [JsonPiece['type'], string])[]> {
  const pieces: (readonly [JsonPiece['type'], string])[] = [];
  for await (const { type, text } of splitJson(chunks)) pieces.push([type, text]);
  return pieces;
}

test.each<[string, string, [string, unknown][]]>([
  [
    'lines',
    '{"a":1}\n{"b":[2,{}]}\n',
    [
      ['document', { a: 1 }],
      ['document', { b: [2, {}] }],
    ],
  ],
  [
    'a list',
    '{"x": {"targets": [1]}, "targets" : [ {"a": [1, 2]}, "b,]", 3 ], "y": [4, 5]}',
    [
      ['item', { a: [1, 2] }],
      ['item', 'b,]'],
      ['item', 3],
      ['document', { x: { targets: [1] }, targets: [], y: [4, 5] }],
    ],
  ],
  ['an empty list', '{"targets":[ ]}', [['document', { targets: [] }]]],
  [
    'brackets and quotes in strings',
    '{"a":"}\\"]\\\\"}{"b":"["}',
    [
      ['document', { a: '}"]\\' }],
      ['document', { b: '[' }],
    ],
  ],
])('%s is split in the same way wherever its chunks end', async (_name, text, pieces) => {
  for (let at = 0; at <= text.length; at += 1) {
    const found = await split(text.slice(0, at), text.slice(at));
    expect(found.map(([type, piece]) => [type, JSON.parse(piece)])).toEqual(pieces);
  }
  expect((await split(...text)).map(([type]) => type)).toEqual(pieces.map(([type]) => type));
});

test.each([
  ['{"targets":[{"a":1},{"b"', ['item', 'rest']],
  ['{"a":1}\n{"b":', ['document', 'rest']],
  ['{"a":1}}', ['document', 'document']],
  ['{"targets":[1,,2]}', ['item', 'item', 'item', 'document']],
  ['true', ['rest']],
  [' \n', []],
])('%j has the pieces %j', async (text, types) => {
  expect((await split(text)).map(([type]) => type)).toEqual(types);
});

test('a piece that is too long or nested too deep is refused', async () => {
  await expect(split('{"a":'.repeat(65))).rejects.toThrow('nested more than 64 levels deep');
  const chunk = 'x'.repeat(1 << 20);
  const endless = (function* () {
    yield '{"targets":["';
    for (;;) yield chunk;
  })();
  const pieces = splitJson(endless);
  await expect(pieces.next()).rejects.toThrow('larger than 64 MiB in one target');
});
